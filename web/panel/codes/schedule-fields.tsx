// When a code opens the lock: always, between two dates, or in weekly windows.
import type { VNode } from 'preact';
import type { CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { localTimeAt, zoneName } from '../../../src/domain/time/schedule-time.ts';
import { readSchedule } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { Labelled } from '../../shared/labelled.tsx';
import { Choices, RadioChoices } from '../parts/edit-form.tsx';
import { Button } from '../parts/pieces.tsx';
import { readersWeek } from '../parts/weekdays.ts';

interface TypedWindow {
  readonly days: readonly string[];
  readonly from: string;
  readonly until: string;
}

/** The typed fields, which need not be a valid schedule yet. */
export interface TypedSchedule {
  readonly kind: 'always' | 'temporary' | 'recurring';
  /** `YYYY-MM-DDTHH:mm` in the lock's time zone. */
  readonly from: string;
  readonly until: string;
  readonly windows: readonly TypedWindow[];
}

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
  readonly typed: TypedSchedule;
  readonly timeZone: string;
  readonly fault: string | null;
  readonly onType: (typed: TypedSchedule) => void;
}): VNode {
  const { typed, timeZone, fault, onType } = props;
  return (
    <Choices
      legend={t('When it opens the lock')}
      fault={fault}
      about={
        typed.kind !== 'always' && (
          <p>{t('Times are those of the lock’s time zone, {zone}.', { zone: zoneName(timeZone) })}</p>
        )
      }
    >
      <RadioChoices
        choices={KINDS.map(([kind, label]) => [kind, t(label)])}
        chosen={typed.kind}
        onChoose={(kind) => onType({ ...typed, kind })}
      />
      {typed.kind === 'temporary' && <Dates typed={typed} onType={onType} />}
      {typed.kind === 'recurring' && <Windows typed={typed} onType={onType} />}
    </Choices>
  );
}

interface PartProps {
  readonly typed: TypedSchedule;
  readonly onType: (typed: TypedSchedule) => void;
}

function Dates({ typed, onType }: PartProps): VNode {
  return (
    <div class="filters">
      <TimeField
        label={t('From')}
        type="datetime-local"
        value={typed.from}
        onInput={(from) => onType({ ...typed, from })}
      />
      <TimeField
        label={t('Until')}
        type="datetime-local"
        value={typed.until}
        onInput={(until) => onType({ ...typed, until })}
      />
    </div>
  );
}

function Windows({ typed, onType }: PartProps): VNode {
  const { windows } = typed;
  const change = (at: number, window: TypedWindow): void =>
    onType({ ...typed, windows: windows.map((known, index) => (index === at ? window : known)) });
  return (
    <>
      {windows.map((window, at) => (
        <WindowFields
          // Windows have no identity but their place.
          key={at}
          number={at + 1}
          window={window}
          onChange={(changed) => change(at, changed)}
        />
      ))}
      <div class="pushes">
        {windows.length < MOST_WINDOWS ? (
          <Button onPress={() => onType({ ...typed, windows: [...windows, NEW_WINDOW] })}>
            {t('Add a second window')}
          </Button>
        ) : (
          <Button onPress={() => onType({ ...typed, windows: windows.slice(0, 1) })}>
            {t('Remove the second window')}
          </Button>
        )}
      </div>
    </>
  );
}

function WindowFields(props: {
  readonly number: number;
  readonly window: TypedWindow;
  readonly onChange: (window: TypedWindow) => void;
}): VNode {
  const { number, window, onChange } = props;
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
                onChange({ ...window, days: checked ? [...days, day] : days });
              }}
            />
            {short}
          </label>
        ))}
      </div>
      <div class="filters">
        <TimeField
          label={t('From')}
          type="time"
          value={window.from}
          onInput={(from) => onChange({ ...window, from })}
        />
        <TimeField
          label={t('Until')}
          type="time"
          value={window.until}
          onInput={(until) => onChange({ ...window, until })}
        />
      </div>
    </fieldset>
  );
}

function TimeField(props: {
  readonly label: string;
  readonly type: 'time' | 'datetime-local';
  readonly value: string;
  readonly onInput: (value: string) => void;
}): VNode {
  return (
    <Labelled label={props.label}>
      {(id) => (
        <input
          id={id}
          type={props.type}
          value={props.value}
          onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

function localText(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(timeZone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(year)}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`;
}
