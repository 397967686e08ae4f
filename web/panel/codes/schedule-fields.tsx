// When a code opens the lock: always, between two dates, or in weekly windows; and the zone of the lock, where no one knows it.
import type { VNode } from 'preact';
import { isTimeZone } from '../../../src/config/options/time-zone.ts';
import type { CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { isZoneKnown, type LockZone } from '../../../src/domain/codes/lock-zone.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { localTimeAt, zoneName } from '../../../src/domain/time/schedule-time.ts';
import { readSchedule } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { Labelled } from '../../shared/labelled.tsx';
import { Choices, RadioChoices } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';
import { readersWeek } from '../parts/weekdays.ts';
import type { Call } from '../state/transport.ts';

interface TypedWindow {
  readonly days: readonly string[];
  readonly from: string;
  readonly until: string;
}

/** The typed fields, which need not be a valid schedule yet. */
interface TypedSchedule {
  readonly kind: 'always' | 'temporary' | 'recurring';
  /** `YYYY-MM-DDTHH:mm` in the lock's time zone. */
  readonly from: string;
  readonly until: string;
  readonly windows: readonly TypedWindow[];
}

/** When a code opens, and the zone of its dates where it is asked for. */
export interface TypedWhen {
  readonly schedule: TypedSchedule;
  /** Empty: the one that is known. */
  readonly zone: string;
}

/** The message for a malformed schedule. */
export const NO_SCHEDULE: CodeFault = {
  field: 'schedule',
  reason: 'schedule-invalid',
  words: message('Choose days and times.'),
};

const NEW_WINDOW: TypedWindow = { days: [], from: '08:00', until: '12:00' };

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
  };
}

/** Null while something is missing. */
export function scheduleOf(typed: TypedSchedule, timeZone: string): CodeSchedule | null {
  const { kind, from, until, windows } = typed;
  switch (kind) {
    case 'always':
      return { kind };
    case 'temporary':
      return readSchedule(`${from} to ${until}`, timeZone);
    case 'recurring':
      return readSchedule(
        windows.map((window) => `${window.days.join(',')} ${window.from}-${window.until}`).join(';'),
        timeZone,
      );
  }
}

export function ScheduleFields(props: {
  readonly typed: TypedWhen;
  readonly type: (changes: Partial<TypedWhen>) => void;
  readonly zone: LockZone;
  readonly fault: string | null;
}): VNode {
  const { typed, type, zone, fault } = props;
  const { schedule } = typed;
  const change = (changes: Partial<TypedSchedule>): void => type({ schedule: { ...schedule, ...changes } });
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
        {schedule.kind === 'temporary' && <Times type="datetime-local" {...schedule} onType={change} />}
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
          value={typed.zone}
          fault={
            typed.zone === '' || isTimeZone(typed.zone.trim())
              ? null
              : t('This isn’t a time zone. Enter one such as {example}.', { example: EXAMPLE })
          }
          onInput={(text) => type({ zone: text })}
        />
      )}
    </>
  );
}

const EXAMPLE = 'Europe/Paris';

/** Stores the typed zone as the lock's option, and returns it for the dates. */
export async function settledZone(call: Call, lock: LockId, known: string, typed: string): Promise<string> {
  const zone = typed.trim();
  if (zone === '') {
    return known;
  }
  await call('locks.configure', { lock, settings: { timeZone: zone } });
  return zone;
}

function Windows(props: {
  readonly windows: readonly TypedWindow[];
  readonly onType: (windows: readonly TypedWindow[]) => void;
}): VNode {
  const { windows, onType } = props;
  return (
    <>
      {windows.map((window, at) => (
        <WindowFields
          // Windows have no identity but their place.
          key={at}
          number={at + 1}
          window={window}
          onType={(changes) => onType(windows.with(at, { ...window, ...changes }))}
        />
      ))}
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

function WindowFields(props: {
  readonly number: number;
  readonly window: TypedWindow;
  readonly onType: (changes: Partial<TypedWindow>) => void;
}): VNode {
  const { number, window, onType } = props;
  return (
    <fieldset class="window">
      <legend>{t('Window {number}', { number })}</legend>
      <div class="choices">
        {readersWeek().map(({ day, short, long }) => (
          <label key={day}>
            <input
              type="checkbox"
              aria-label={long}
              checked={window.days.includes(day)}
              onChange={({ currentTarget: { checked } }) => {
                const days = window.days.filter((known) => known !== day);
                onType({ days: checked ? [...days, day] : days });
              }}
            />
            {short}
          </label>
        ))}
      </div>
      <Times type="time" {...window} onType={onType} />
    </fieldset>
  );
}

const ENDS = [
  ['from', message('From')],
  ['until', message('Until')],
] as const;

/** The beginning and the end of a window, or of all. */
function Times(props: {
  readonly type: 'time' | 'datetime-local';
  readonly from: string;
  readonly until: string;
  readonly onType: (changes: { readonly from?: string; readonly until?: string }) => void;
}): VNode {
  return (
    <div class="filters">
      {ENDS.map(([end, label]) => (
        <Labelled key={end} label={t(label)}>
          {(id) => (
            <input
              id={id}
              type={props.type}
              value={props[end]}
              onInput={({ currentTarget }) => props.onType({ [end]: currentTarget.value })}
            />
          )}
        </Labelled>
      ))}
    </div>
  );
}

function localText(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(timeZone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(year)}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}
