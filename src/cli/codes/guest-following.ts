// How a guest's code stands on each lock, in lines; waits until every lock has been compared.
import type { GuestStanding } from '../../domain/codes/guests/step.ts';
import type { GuestView } from '../../panel/operations/guests.ts';
import type { PanelCall } from '../../panel/socket/panel-client.ts';
import { delay } from '../../support/clock.ts';
import { oneLine } from '../../support/log.ts';
import { decisionWords, standingWords } from '../../words/guests.ts';
import { shownSchedule } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { readFollowing } from '../terminal/followed-reading.ts';
import { machineZone } from './schedule-flags.ts';

/** An owner on this machine answers from memory (our choice). */
export const LOOK_EVERY_MS = 400;

/** A lock works on a code for a minute at most; what takes longer goes on without the command, in milliseconds. */
export const FOLLOWED_FOR_MS = 120_000;

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
      output.progress(oneLine(t('{name}: the locks are working', { name: guest.name })));
    }
    await delay(clock, LOOK_EVERY_MS, stopped);
  }
}

export function guestLines(guest: GuestView): readonly string[] {
  const { name, pinLength, schedule, timeZone, isLeaving, onLocks } = guest;
  const rows = onLocks.map(({ lockName, standing, isLeaving: isGoing }) =>
    oneLine(`  ${lockName}: ${standingLine(standing, isGoing, timeZone)}`),
  );
  const head = `${name}  ${'•'.repeat(pinLength)}  ${shownSchedule(schedule, timeZone, machineZone())}`;
  return [oneLine(isLeaving ? `${head}  (${t('being removed')})` : head), ...rows];
}

/** How a code stands on one lock, with what a person can do about it. */
export function standingLine(standing: GuestStanding, isLeaving: boolean, timeZone: string): string {
  const { words } = standingWords(standing, isLeaving, timeZone);
  const isOpen = decisionWords(standing, { guest: null, code: null }) !== null;
  const isDecided = standing.kind === 'look-alike' && standing.isLeft;
  return isOpen && !isDecided
    ? `${words} ${t('Decide with: {command}', { command: 'guests settle' })}`
    : words;
}

/** Codes that are left after a removal, as questions. */
export function leftoverLines({ name, onLocks, timeZone }: GuestView): readonly string[] {
  return onLocks.flatMap(({ lockName, standing }) =>
    standing.kind === 'look-alike' && !standing.isLeft
      ? oneLine(`${name}, ${lockName}: ${standingWords(standing, true, timeZone).words}`)
      : [],
  );
}

const WAITING = ['waiting', 'on-its-way', 'away'] as const;

/** Null: the code is gone from every lock. */
export function statusOfGuest(guest: Pick<GuestView, 'onLocks'> | null): ExitStatus {
  const kinds = new Set(guest?.onLocks.map(({ standing }) => standing.kind));
  if (kinds.has('look-alike')) {
    return EXIT_STATUS.uncertain;
  }
  if (kinds.has('refused') || kinds.has('differs') || kinds.has('removed-elsewhere')) {
    return EXIT_STATUS.failed;
  }
  return WAITING.some((kind) => kinds.has(kind)) ? EXIT_STATUS.tryLater : EXIT_STATUS.ok;
}
