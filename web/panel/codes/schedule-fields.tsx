// When a code opens the lock: always, between two dates, or in weekly windows; and the zone of the lock, where no one knows it.
import type { VNode } from 'preact';
import { isTimeZone } from '../../../src/config/options/time-zone.ts';
import type { CodeSchedule, WeeklyWindow } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { isZoneKnown, type LockZone } from '../../../src/domain/codes/lock-zone.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { localTimeAt, zoneName } from '../../../src/domain/time/schedule-time.ts';
import { readSchedule } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, NamedChoices, RadioChoices } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';
import { readersWeek } from '../parts/weekdays.ts';
import type { Call } from '../state/transport.ts';

/** The typed fields, which need not be a valid schedule yet. */
export interface TypedSchedule {
  readonly kind: 'always' | 'temporary' | 'recurring';
  /** `YYYY-MM-DDTHH:mm` in the lock's time zone. */
  readonly from: string;
  readonly until: string;
  readonly windows: readonly WeeklyWindow[];
  /** The lock's zone where it is asked for; empty: the one that is known. */
  readonly zone: string;
}

/** The message for a malformed schedule. */
export const NO_SCHEDULE: CodeFault = {
  field: 'schedule',
  reason: 'schedule-invalid',
  words: message('Choose days and times.'),
};

const NEW_WINDOW: WeeklyWindow = { days: [], from: '08:00', until: '12:00' };

/** Windows of one code (wire contract 4). */
const MOST_WINDOWS = 2;

const DAY_MS = 86_400_000;

const KINDS: readonly (readonly [TypedSchedule['kind'], Message])[] = [
  ['always', message('Always')],
  ['temporary', message('Between two dates')],
  ['recurring', message('Every week')],
];

/** `now`: where the dates of a schedule without any begin. */
export function typedOf(schedule: CodeSchedule, timeZone: string, now: number): TypedSchedule {
  const times = schedule.kind === 'temporary' ? schedule : { from: now, until: now + DAY_MS };
  return {
    kind: schedule.kind === 'unrecognised' ? 'always' : schedule.kind,
    from: localText(times.from, timeZone),
    until: localText(times.until, timeZone),
    windows: schedule.kind === 'recurring' ? schedule.windows : [NEW_WINDOW],
    zone: '',
  };
}

function localText(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(timeZone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(year)}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/** Null while something is missing. */
export function scheduleOf({ kind, from, until, windows }: TypedSchedule, zone: string): CodeSchedule | null {
  const words = {
    always: kind,
    temporary: `${from} to ${until}`,
    recurring: windows.map((window) => `${window.days.join(',')} ${window.from}-${window.until}`).join(';'),
  };
  return readSchedule(words[kind], zone);
}

export function ScheduleFields(props: {
  readonly schedule: TypedSchedule;
  readonly onType: (schedule: TypedSchedule) => void;
  readonly zone: LockZone;
  readonly fault: string | null;
}): VNode {
  const { schedule, onType, zone, fault } = props;
  const change = (changes: Partial<TypedSchedule>): void => onType({ ...schedule, ...changes });
  return (
    <>
      <Choices
        legend={t('When it opens the lock')}
        fault={fault}
        about={
          schedule.kind !== 'always' && (
            <p>{t('Times are those of the lock’s time zone, {zone}.', { zone: zoneName(zone.timeZone) })}</p>
          )
        }
      >
        <RadioChoices
          choices={KINDS.map(([kind, label]) => [kind, t(label)])}
          chosen={schedule.kind}
          onChoose={(kind) => change({ kind })}
        />
        {schedule.kind === 'temporary' && <Times {...schedule} kind="moment" onType={change} />}
        {schedule.kind === 'recurring' && (
          <Windows windows={schedule.windows} onType={(windows) => change({ windows })} />
        )}
      </Choices>
      {schedule.kind === 'temporary' && !isZoneKnown(zone) && (
        <Field
          label={t('Time zone of the lock')}
          help={t(
            'Where the lock is, such as {example}: the service gives no zone. It is kept for this lock.',
            { example: EXAMPLE },
          )}
          value={schedule.zone}
          fault={
            schedule.zone === '' || isTimeZone(schedule.zone.trim())
              ? null
              : t('This isn’t a time zone. Enter one such as {example}.', { example: EXAMPLE })
          }
          onInput={(text) => change({ zone: text })}
        />
      )}
    </>
  );
}

const EXAMPLE = 'Europe/Paris';

/** Stores the typed zone as the lock's option, and returns it for the dates. */
export async function settledZone(
  call: Call,
  lock: LockId | undefined,
  known: string,
  typed: string,
): Promise<string> {
  const zone = typed.trim();
  if (zone === '' || lock === undefined) {
    return known;
  }
  await call('locks.configure', { lock, settings: { timeZone: zone } });
  return zone;
}

function Windows(props: {
  readonly windows: readonly WeeklyWindow[];
  readonly onType: (windows: readonly WeeklyWindow[]) => void;
}): VNode {
  const { windows, onType } = props;
  const week = readersWeek().map(({ day, short, long }) => ({ id: day, name: short, spoken: long }));
  return (
    <>
      {windows.map((window, at) => {
        const change = (changes: Partial<WeeklyWindow>): void =>
          onType(windows.with(at, { ...window, ...changes }));
        return (
          // Windows have no identity but their place.
          <fieldset key={at} class="window">
            <legend>{t('Window {number}', { number: at + 1 })}</legend>
            <NamedChoices all={week} chosen={window.days} onType={(days) => change({ days })} />
            <Times {...window} kind="time" onType={change} />
          </fieldset>
        );
      })}
      <div class="pushes">
        {windows.length < MOST_WINDOWS ? (
          <Button onPress={() => onType([...windows, NEW_WINDOW])}>{t('Add a second window')}</Button>
        ) : (
          <Button onPress={() => onType(windows.slice(0, 1))}>{t('Remove the second window')}</Button>
        )}
      </div>
    </>
  );
}

/** The beginning and the end of a window, or of all. */
function Times(props: {
  readonly kind: 'time' | 'moment';
  readonly from: string;
  readonly until: string;
  readonly onType: (changes: { readonly from?: string; readonly until?: string }) => void;
}): VNode {
  const { kind, from, until, onType } = props;
  return (
    <div class="filters">
      <Field label={t('From')} {...{ kind }} value={from} onInput={(text) => onType({ from: text })} />
      <Field label={t('Until')} {...{ kind }} value={until} onInput={(text) => onType({ until: text })} />
    </div>
  );
}
