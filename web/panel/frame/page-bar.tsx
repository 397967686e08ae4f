// The bar of five at the foot of a phone: the pages that are often wanted, and the way to the others.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_TABS } from '../features.ts';
import { ClockIcon, HouseIcon, KeyIcon, MoreIcon } from '../parts/icons.tsx';
import { Sheet } from '../parts/sheet.tsx';
import type { View } from '../state/views.ts';
import { PageLink } from './page-link.tsx';
import { titleOf } from './tabs.ts';

const OFTEN: readonly (readonly [View, () => VNode])[] = [
  ['overview', HouseIcon],
  ['history', ClockIcon],
  ['codes', KeyIcon],
  ...FEATURE_TABS.flatMap(({ view, Icon }) => (Icon === undefined ? [] : [[view, Icon] as const])),
];

const MORE: Message = message('More');

export function PageBar(props: {
  readonly view: View;
  readonly views: readonly View[];
  readonly onShow: (view: View) => void;
}): VNode {
  const { view, views, onShow } = props;
  const [isOpen, setOpen] = useState(false);
  const others = views.filter((name) => !OFTEN.some(([often]) => often === name));
  return (
    <nav class="page-bar" aria-label={t('Pages')}>
      {OFTEN.filter(([name]) => views.includes(name)).map(([name, Icon]) => (
        <PageLink key={name} name={name} view={view} onShow={onShow}>
          <Icon />
          <span>{t(titleOf(name))}</span>
        </PageLink>
      ))}
      {others.length > 0 && (
        <button
          type="button"
          aria-current={others.includes(view) ? 'page' : undefined}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <MoreIcon />
          <span>{t(MORE)}</span>
        </button>
      )}
      {isOpen && (
        <Sheet title={t(MORE)} onClose={() => setOpen(false)}>
          <ul class="more-pages">
            {others.map((name) => (
              <li key={name}>
                <PageLink
                  name={name}
                  view={view}
                  onShow={(other) => {
                    setOpen(false);
                    onShow(other);
                  }}
                >
                  {t(titleOf(name))}
                </PageLink>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </nav>
  );
}
