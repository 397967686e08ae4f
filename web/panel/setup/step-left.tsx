// What only a person can do: save, restart, and add the bridge to the Home app; each click by its name.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { every } from '../../shared/browser-clock.ts';
import { Notice, Part } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { type AccountFile, usePageContext } from '../state/page-context.ts';

/** Until Homebridge runs the plugin with this account. */
export function StepLeft(): VNode {
  return (
    <Notice tone="warning">
      <ClicksLeft then={t('Then add your locks to Home.')} />
    </Notice>
  );
}

export function ClicksLeft({ then }: { readonly then: string }): VNode {
  return (
    <>
      <p>
        <strong>{t('Three clicks left:')}</strong>
      </p>
      <ol>
        <li>{tRich('<em>Save</em>, below.')}</li>
        <li>
          {tRich(
            '<em>Save</em> on the next page, which gives the plugin a bridge of its own. It is skipped where there is one.',
          )}
        </li>
        <li>{tRich('<em>Restart</em>.')}</li>
      </ol>
      <p>
        {then}{' '}
        {t(
          'The QR code on the plugin’s tile is what the Home app scans for that: it adds the bridge with all its locks, once.',
        )}
      </p>
    </>
  );
}

/** How often Homebridge's pairing is looked at while a person may be adding the bridge, in milliseconds (our choice). */
const LOOK_EVERY_MS = 3_000;

/** Looks again while the bridge is not in Home; true once it has come while the page was open. */
function useArrival(file: AccountFile | null): boolean {
  const pairing = file?.account.pairing ?? 'unknown';
  const [wasAway, setAway] = useState(pairing === 'unpaired');
  useEffect(() => {
    if (pairing !== 'unpaired') {
      return undefined;
    }
    setAway(true);
    return every(LOOK_EVERY_MS, () => void file?.reread().catch(() => undefined));
  }, [pairing, file?.account.name]);
  return wasAway && pairing === 'paired';
}

/** In the Homebridge UI, until the bridge of the locks is in Home, and the good news when it is. */
export function NotInHome(): VNode | null {
  const { file } = usePageContext();
  const hasArrived = useArrival(file);
  if (hasArrived) {
    return <InHomeNow />;
  }
  return file?.account.pairing === 'unpaired' ? <HomeSteps title={t('Not in Home yet')} /> : null;
}

function InHomeNow(): VNode {
  return (
    <div role="status">
      <Notice tone="good">
        <p>{t('Home has added the bridge. Assign each lock to a room there.')}</p>
      </Notice>
    </div>
  );
}

/** What is left to do in the Home app; and that it is done, where Homebridge knows. */
export function InHome({ title }: { readonly title: string }): VNode {
  const { file } = usePageContext();
  useArrival(file);
  return file?.account.pairing === 'paired' ? <InHomeNow /> : <HomeSteps title={title} />;
}

function HomeSteps({ title }: { readonly title: string }): VNode {
  const { file } = usePageContext();
  return (
    <Part title={title}>
      <ol class="todo">
        {file?.account.pairing !== 'unpaired' && (
          <li>{t('If this bridge is already in Home, the locks appear there. Assign each to a room.')}</li>
        )}
        <li>
          {tRich(
            'In the Home app choose <em>Add Accessory</em> and scan the bridge’s code. Find the code on the Status page or, for a child bridge, behind the QR icon on the Latchkey tile.',
          )}
        </li>
        <li>{t('Turn a lock by hand and watch it update in Home.')}</li>
      </ol>
    </Part>
  );
}
