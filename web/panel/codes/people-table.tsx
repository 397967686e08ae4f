// The table of people: guests, and codes of single locks, each with when and where it opens and how it stands.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Tone } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure } from '../parts/pieces.tsx';
import { type MenuEntry, RowMenu } from '../parts/row-menu.tsx';
import { useAction } from '../state/page-context.ts';

export function PeopleTable(props: {
  /** The label for people who listen to the page. */
  readonly caption: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <table class="people">
      <caption class="unseen">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('When')}</th>
          <th scope="col">{t('Locks')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">
            <span class="unseen">{t('Menu')}</span>
          </th>
        </tr>
      </thead>
      {props.children}
    </table>
  );
}

export function PersonRow(props: {
  readonly name: string;
  /** Further text beside the name. */
  readonly tag?: string | null;
  /** A line below the name. Foreign text. */
  readonly about?: string;
  readonly when: string;
  readonly locks: string;
  readonly state: { readonly tone: Tone; readonly words: string };
  /** Returns the digits when a person asks for them; null: there are none to show. */
  readonly reveal: (() => Promise<{ readonly pin: string }>) | null;
  /** Another one when the digits may be others: those that are shown are hidden then. */
  readonly revision: number | string;
  /** Further entries of the menu. */
  readonly menu: (entry: MenuEntry) => ComponentChildren;
  /** What takes a line of its own below the row; null: nothing. */
  readonly below?: ComponentChildren;
  /** Sheets that are open. */
  readonly children: ComponentChildren;
}): VNode {
  const { name, tag = null, about = '', when, locks, state, reveal, revision, menu, below = null } = props;
  const [pin, setPin] = useState<string | null>(null);
  const revealing = useAction();
  useEffect(() => setPin(null), [revision]);
  return (
    <tbody aria-label={name}>
      <tr>
        <th scope="row">
          <bdi>{name}</bdi> {tag !== null && <span class="tag">{tag}</span>}
          {about !== '' && <bdi class="about">{about}</bdi>}
          <Digits pin={pin} of={name} onHide={() => setPin(null)} />
          <Failure failure={revealing.failure} />
        </th>
        <td>{when}</td>
        <td>
          <bdi>{locks}</bdi>
        </td>
        <td class={`standing ${state.tone}`}>{state.words}</td>
        <td>
          <RowMenu of={name}>
            {(entry) => (
              <>
                {reveal !== null &&
                  pin === null &&
                  entry(
                    t('Show the code'),
                    () => void revealing.run(async () => setPin((await reveal()).pin)),
                    revealing.isBusy,
                  )}
                {menu(entry)}
              </>
            )}
          </RowMenu>
          {props.children}
        </td>
      </tr>
      {below !== null && (
        <tr class="below">
          <td colSpan={5}>{below}</td>
        </tr>
      )}
    </tbody>
  );
}

/** Shown on purpose only. */
function Digits(props: {
  readonly pin: string | null;
  readonly of: string;
  readonly onHide: () => void;
}): VNode {
  const { pin, of, onHide } = props;
  return (
    <div class="digits">
      <span class="pin" role="status">
        {pin}
      </span>
      {pin !== null && (
        <Button of={of} onPress={onHide}>
          {t('Hide')}
        </Button>
      )}
    </div>
  );
}
