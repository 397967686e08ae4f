// Access codes in the words of the pages: schedules, and how an operation goes.
import type { CodeSchedule, WeeklyWindow } from '../../src/domain/access-code.ts';
import type { CodeProgress } from '../../src/domain/code-operation.ts';
import { offsetMinutesAt } from '../../src/domain/schedule-time.ts';
import { zoneMark } from '../../src/domain/schedule-words.ts';

/** The zone of the reader's own clocks. */
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A schedule in the lock's time zone, which is named where dates are others on the reader's own clocks. */
export function scheduleSentence(schedule: CodeSchedule, timeZone: string): string {
  switch (schedule.kind) {
    case 'always':
      return 'Always';
    case 'unrecognised':
      return 'A schedule that this version cannot show';
    case 'temporary': {
      const [from, until] = [schedule.from, schedule.until].map((at) =>
        TIME.format(at + offsetMinutesAt(timeZone, at) * 60_000),
      );
      return `${from ?? ''} to ${until ?? ''}${zoneMark(schedule, timeZone, OWN_ZONE)}`;
    }
    case 'recurring':
      return schedule.windows.map(windowWords).join('; ');
  }
}

/** Of an instant that was moved by the offset of its zone, because browsers do not all know fixed offsets as zones. */
const TIME = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });

function windowWords({ days, from, until }: WeeklyWindow): string {
  const names = days.length === 7 ? 'Every day' : days.map((day) => day.slice(0, 3)).join(', ');
  return `${names} ${from}–${until}`;
}

const VERBS: Readonly<Record<CodeProgress['kind'], { readonly doing: string; readonly done: string }>> = {
  add: { doing: 'Adding', done: 'Added' },
  update: { doing: 'Changing', done: 'Changed' },
  remove: { doing: 'Removing', done: 'Removed' },
  'remove-all': { doing: 'Removing', done: 'Removed' },
};

/** One line on an operation. */
export function progressSentence({ kind, name, phase, waitingFor, failure }: CodeProgress): string {
  const { doing, done } = VERBS[kind];
  const what = kind === 'remove-all' ? 'all codes' : (name ?? 'a code');
  switch (phase) {
    case 'queued':
      return `${doing} ${what}: waiting for its turn …`;
    case 'waiting':
      return `${doing} ${what}: ${waitingFor ?? 'waiting for the lock'} …`;
    case 'sent':
      return `${doing} ${what}: the lock is working …`;
    case 'checking':
      return `${doing} ${what}: checking what the lock did …`;
    case 'done':
      return `${done} ${what}.`;
    case 'failed':
      return failure?.words ?? 'It failed.';
  }
}

export function isOver({ phase }: CodeProgress): boolean {
  return phase === 'done' || phase === 'failed';
}
