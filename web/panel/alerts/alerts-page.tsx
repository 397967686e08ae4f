// Alerts: a switch each, where it appears in Home, and what happened last. The Homebridge UI can set them; the dashboard shows them.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AlertName, AlertValues } from '../../../src/domain/locks/alert-options.ts';
import type { AlertsView } from '../../../src/panel/views/alerts.ts';
import { t } from '../../../src/words/translate.ts';
import { OptionPlace } from '../parts/option-place.tsx';
import { Failure, Notice, Part, Status } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { hostOf } from '../state/account-state.ts';
import { usePageContext } from '../state/page-context.ts';
import { needsRestart } from '../state/standing.ts';
import { type CallError, shownError } from '../state/transport.ts';
import { AlertRow } from './alert-row.tsx';
import type { SetAlert } from './alert-setting.tsx';
import { alertsIn, GROUPS, isSame, withAlert } from './alert-values.ts';

export function AlertsPage(): VNode {
  const { file, state } = usePageContext();
  const { view, values, trouble, set, saved } = useAlerts();
  if (view === null || values === null) {
    return trouble === null ? <p>{t('Loading …')}</p> : <Failure failure={trouble} />;
  }
  const waits = (name: AlertName): boolean =>
    !needsRestart(state, file) && !isSame(values[name], view.options[name]);
  const rows = (names: readonly AlertName[]): VNode => (
    <ul class="alerts">
      {names.map((name) => (
        <AlertRow
          key={name}
          name={name}
          values={values}
          last={view.last[name] ?? null}
          isWaiting={waits(name)}
          set={set}
        />
      ))}
    </ul>
  );
  return (
    <>
      <How />
      <Part title={t('At the door')}>{rows(GROUPS.doors)}</Part>
      <Part title={t('Stays')}>{rows(GROUPS.stays)}</Part>
      <Part title={t('Who moved the bolt')}>{rows(GROUPS.moves)}</Part>
      <Part title={t('For automations')}>{rows(GROUPS.automations)}</Part>
      <Status>{saved !== '' && <p class="kept-note">{saved}</p>}</Status>
      <Failure failure={trouble} />
    </>
  );
}

interface Alerts {
  readonly view: AlertsView | null;
  /** As config.json has them where the page can see it; else those in force. */
  readonly values: AlertValues | null;
  readonly trouble: CallError | null;
  readonly set: SetAlert | null;
  /** What was kept last, in words. */
  readonly saved: string;
}

function useAlerts(): Alerts {
  const { call, file } = usePageContext();
  const [view, setView] = useState<AlertsView | null>(null);
  const [written, setWritten] = useState<AlertValues | null>(null);
  const [trouble, setTrouble] = useState<CallError | null>(null);
  const [saved, setSaved] = useState('');
  const read = async (): Promise<void> => {
    if (file !== null) {
      setWritten(alertsIn(await file.config.block(file.account.name)));
    }
  };
  useEffect(() => {
    const readAll = async (): Promise<void> => {
      await read();
      setView(await call('alerts.show'));
    };
    readAll().catch((thrown: unknown) => setTrouble(shownError(thrown)));
  }, [file?.account.name]);
  const set: SetAlert = async (name, value) => {
    setTrouble(null);
    setSaved('');
    setWritten((known) => known && { ...known, [name]: value });
    try {
      await file?.config.saveBlock(file.account.name, (block) => withAlert(block, name, value));
      setSaved(t('Saved. In Home after the next restart of Homebridge.'));
    } catch (thrown) {
      setTrouble(shownError(thrown));
      // What is written is what counts.
      await read().catch(() => undefined);
    }
  };
  const values = file === null ? (view?.options ?? null) : written;
  return { view, values, trouble, set: file === null ? null : set, saved };
}

/** From the switch to the notification. */
function How(): VNode {
  const { file, state } = usePageContext();
  const host = hostOf(state);
  return (
    <>
      <p>
        {t(
          'Each alert adds a sensor beside each lock in the Home app, named after it. Home notifies you when it is on.',
        )}
      </p>
      <Notice tone="plain">
        <ol>
          <li>
            {file === null
              ? tRich(
                  'Turn it on {place}, then restart {host, select, service {the service} other {Homebridge}}.',
                  { place: <OptionPlace />, host },
                )
              : t('Turn it on here, then restart Homebridge.')}
          </li>
          <li>
            {tRich(
              'In the Home app, open the sensor’s settings and turn on <em>Status and Notifications</em>.',
            )}
          </li>
          <li>
            {tRich(
              'For more than a notification, make an automation there: <em>A Sensor Detects Something</em>, such as the light when somebody unlocks.',
            )}
          </li>
        </ol>
      </Notice>
    </>
  );
}
