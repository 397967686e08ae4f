// Access codes in the words of the pages: schedules, and how an operation goes.
import type { CodeSchedule, WeeklyWindow } from '../../src/domain/access-code.ts';
import type { CodeProgress } from '../../src/domain/code-operation.ts';

/** A schedule in the lock's time zone. */
export function scheduleSentence(schedule: CodeSchedule, timeZone: string): string {
  switch (schedule.kind) {
    case 'always':
      return 'Always';
    case 'unrecognised':
      return 'A schedule that this version cannot show';
    case 'temporary': {
      const time = new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
      return `${time.format(schedule.from)} to ${time.format(schedule.until)}`;
    }
    case 'recurring':
      return schedule.windows.map(windowWords).join('; ');
  }
}

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
