// One alert: what it is about, its setting, what it adds to Home, and what was recorded last.
import type { VNode } from 'preact';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { ALERT_ROWS, type AlertName, type AlertValues } from '../../../src/domain/locks/alert-options.ts';
import type { RecordedAlert } from '../../../src/panel/views/alerts.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Time, useServiceNow } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useLockZones } from '../parts/zone-note.tsx';
import { usePageContext } from '../state/page-context.ts';
import { AlertSetting, type SetAlert } from './alert-setting.tsx';
import { addedToHome } from './alert-values.ts';

export function AlertRow(props: {
  readonly name: AlertName;
  readonly values: AlertValues;
  readonly last: RecordedAlert | null;
  /** What is written is in Home only after a restart. */
  readonly isWaiting: boolean;
  /** Null: this page cannot set it. */
  readonly set: SetAlert | null;
}): VNode {
  const { name, values, last, isWaiting, set } = props;
  return (
    <li>
      <AlertSetting name={name} values={values} set={set} />
      <div class="about">
        <InHome name={name} values={values} />
        {last !== null && <Last last={last} />}
        {isWaiting && <p>{t('In Home after the next restart of Homebridge.')}</p>}
      </div>
    </li>
  );
}

/** What a person looks for in the Home app, by the name of the first lock, and how long it stays on. */
function InHome({ name, values }: { readonly name: AlertName; readonly values: AlertValues }): VNode | null {
  const { state } = usePageContext();
  const [lock] = state.locks ?? [];
  const added = addedToHome(name, values);
  if (lock === undefined || added.length === 0) {
    return null;
  }
  const given = state['locks.settings']?.find(({ id }) => id === lock.id)?.name.value ?? null;
  const names = listWords(
    added.map((sensor) => t('“{name}”', { name: `${given ?? nameOf(lock)} ${sensor}` })),
  );
  return <p>{t(LASTING[lastingOf(name)](names))}</p>;
}

const LASTING = {
  state: (names: string): Message => message('In Home: {names}, on as long as it is so.', { names }),
  moment: (names: string): Message => message('In Home: {names}, on for five seconds.', { names }),
  switch: (names: string): Message => message('In Home: {names}.', { names }),
} as const;

function lastingOf(name: AlertName): keyof typeof LASTING {
  if (name === 'automationSwitch') {
    return 'switch';
  }
  const row = ALERT_ROWS[name];
  return 'lasts' in row ? row.lasts : name === 'boltSensor' ? 'state' : 'moment';
}

function Last({ last }: { readonly last: RecordedAlert }): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const zone = useLockZones(now).of(last.lock);
  return (
    <p>
      {tRich('Last recorded: {time}, {lock}.', {
        time: <Time at={last.at} now={now} zone={zone} />,
        lock: <bdi>{last.lockName}</bdi>,
      })}
    </p>
  );
}
