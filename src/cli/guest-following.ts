// How a guest's code stands on each lock, in lines; waits until every lock has been compared.
import { type GuestStanding, sharedWords } from '../domain/guest-step.ts';
import { shownSchedule } from '../domain/schedule-words.ts';
import type { GuestView } from '../panel/guest-operations.ts';
import type { PanelCall } from '../panel/panel-client.ts';
import { delay } from '../support/clock.ts';
import { oneLine } from '../support/log.ts';
import type { CommandContext } from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { readFollowing } from './followed-reading.ts';
import { machineZone } from './schedule-flags.ts';

/** An owner on this machine answers from memory (our choice). */
const LOOK_EVERY_MS = 400;

/** A lock works on a code for a minute at most; what takes longer goes on without the command, in milliseconds. */
const FOLLOWED_FOR_MS = 120_000;

/** The guest once no lock is under way, or as it stands after two minutes; null when it is gone from every lock. */
export async function settledGuest(
  { session, terminal, output }: CommandContext,
  guest: GuestView,
): Promise<GuestView | null> {
  const { clock, stopped } = terminal;
  const startedAt = clock.monotonic();
  const read = async <T>(what: (call: PanelCall) => Promise<T>): Promise<T> =>
    readFollowing(session, oneLine(guest.name), what);
  await read(async (call) => call('guests.look'));
  for (let looks = 0; ; looks += 1) {
    const now = (await read(async (call) => call('guests.list'))).find(({ id }) => id === guest.id) ?? null;
    const isUnderWay = now?.onLocks.some(
      ({ standing, revision }) => standing.kind === 'on-its-way' || revision === 0,
    );
    if (now === null || isUnderWay !== true || clock.monotonic() - startedAt >= FOLLOWED_FOR_MS) {
      return now;
    }
    if (looks === 0) {
      output.progress(oneLine(`${guest.name}: the locks are working`));
    }
    await delay(clock, LOOK_EVERY_MS, stopped);
  }
}

export function guestLines(guest: GuestView): readonly string[] {
  const { name, pinLength, schedule, timeZone, isLeaving, onLocks } = guest;
  const rows = onLocks.map(({ lockName, standing, isLeaving: isGoing }) =>
    oneLine(`  ${lockName}: ${standingLine(standing, isGoing)}`),
  );
  const head = `${name}  ${'•'.repeat(pinLength)}  ${shownSchedule(schedule, timeZone, machineZone())}`;
  return [oneLine(isLeaving ? `${head}  (being removed)` : head), ...rows];
}

function standingLine(standing: GuestStanding, isLeaving: boolean): string {
  switch (standing.kind) {
    case 'up-to-date':
      return isLeaving ? 'removed' : 'up to date';
    case 'on-its-way':
      return isLeaving ? 'removing' : 'updating';
    case 'waiting':
      return `waiting: ${standing.words}`;
    case 'refused':
      return `refused: ${standing.failure.words}`;
    case 'differs':
      return `changed elsewhere (${standing.fields.map((field) => FIELDS[field]).join(', ')}); decide with: guests settle`;
    case 'removed-elsewhere':
      return 'removed elsewhere; decide with: guests settle';
    case 'kept':
      return 'left as it is in the lock’s app';
    case 'ended':
      return 'the schedule has ended';
    case 'look-alike':
      return standing.isLeft
        ? `left there: a code called ${standing.name} ${sharedWords(standing)}`
        : `a code called ${standing.name} ${sharedWords(standing)} is still there; decide with: guests settle`;
    case 'away':
      return `waiting for ${standing.name}: the account does not list it, and the code may still open it`;
  }
}

/** What is still there after a removal, as questions. */
export function leftoverLines({ name, onLocks }: GuestView): readonly string[] {
  return onLocks.flatMap(({ lockName, standing }) =>
    standing.kind === 'look-alike' && !standing.isLeft
      ? oneLine(
          `${name}: removed; on ${lockName} there is a code called ${standing.name} ${sharedWords(standing)}: remove it?`,
        )
      : [],
  );
}

const FIELDS = { name: 'name', pin: 'code', schedule: 'schedule', lock: 'lock' } as const;

const WAITING = ['waiting', 'on-its-way', 'away'] as const;

/** Null: gone from every lock. */
export function statusOfGuest(guest: GuestView | null): ExitStatus {
  const kinds = new Set(guest?.onLocks.map(({ standing }) => standing.kind));
  if (kinds.has('look-alike')) {
    return EXIT_STATUS.uncertain;
  }
  if (kinds.has('refused') || kinds.has('differs') || kinds.has('removed-elsewhere')) {
    return EXIT_STATUS.failed;
  }
  return WAITING.some((kind) => kinds.has(kind)) ? EXIT_STATUS.tryLater : EXIT_STATUS.ok;
}
