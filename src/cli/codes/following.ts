// Follows a change of codes or of a guest until it ends, with a line for each step, and says how each lock stands.
import type { CodeFault } from '../../domain/codes/access-code-policy.ts';
import type { GuestStanding } from '../../domain/codes/guest-step.ts';
import { type CodeProgress, hasEnded } from '../../domain/codes/operation.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { GuestView } from '../../panel/operations/guests.ts';
import type { PanelCall } from '../../panel/socket/panel-client.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { phaseWords } from '../../words/codes.ts';
import { decisionWords, guestWhen, onLockWords, standingWords, UNREAD_ROWS } from '../../words/guests.ts';
import { shownSchedule } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { readFollowing, UnknownChangeError, watched } from '../terminal/followed-reading.ts';

/** Nothing was begun, because the values break these rules. `what`: what was not done. */
export function refused(what: string, faults: readonly CodeFault[]): FinalError {
  return new FinalError('bad-request', [what, ...faults.map(({ words }) => t(words))].join(' '));
}

/** `subject`: which lock and code, for the lines. `later`: operations that begin once this one is done. Resolves with it at its end. */
export async function followed(
  context: CommandContext,
  subject: string,
  operation: CodeProgress,
  later: ReadonlySet<string> = new Set(),
): Promise<CodeProgress> {
  const read = async (): Promise<CodeProgress> => {
    const all = await readFollowing(context.session, subject, async (call) => call('codes.operations'));
    const now = all.find(({ id }) => id === operation.id);
    if (now === undefined && all.some(({ id }) => later.has(id))) {
      // A former owner has finished it.
      return { ...operation, phase: 'done' };
    }
    if (now === undefined) {
      throw new UnknownChangeError(t('{subject}: the plugin no longer knows how it went.', { subject }));
    }
    return now;
  };
  const line = (now: CodeProgress): string => `${subject}: ${phaseWords(now)}`;
  return watched(context, read, { isOver: hasEnded, line, said: line(operation) });
}

/** Waits for operations on a lock that are under way, such as one that an interrupted run left: they change its codes. */
export async function untilIdle(
  context: CommandContext,
  { id, name }: { readonly id: LockId; readonly name: string },
): Promise<void> {
  await watched(context, async () => context.session.read(async (call) => call('codes.operations')), {
    isOver: (all) => all.every((operation) => operation.lockId !== id || hasEnded(operation)),
    line: t('{name}: waiting for a change of its codes that is under way', { name }),
  });
}

export function statusOf({ phase, failure }: CodeProgress): ExitStatus {
  if (phase === 'done') {
    return EXIT_STATUS.ok;
  }
  return STATUSES.get(failure?.reason ?? '') ?? EXIT_STATUS.failed;
}

const STATUSES: ReadonlyMap<string, ExitStatus> = new Map([
  ['outcome-unknown', EXIT_STATUS.uncertain],
  ['list-disagrees', EXIT_STATUS.uncertain],
  ['not-sent', EXIT_STATUS.tryLater],
  ['relink', EXIT_STATUS.linkNeeded],
]);

/** What may still take effect is settled after 125 s, and a lock works on a code for a minute at most, in milliseconds. */
export const FOLLOWED_FOR_MS = 180_000;

/** The guest once no lock is under way, or as it stands after three minutes; null when it is gone from every lock. */
export async function settledGuest(context: CommandContext, guest: GuestView): Promise<GuestView | null> {
  const read = async <T>(what: (call: PanelCall) => Promise<T>): Promise<T> =>
    readFollowing(context.session, oneLine(guest.name), what);
  const readGuest = async (): Promise<GuestView | null> =>
    (await read(async (call) => call('guests.list'))).find(({ id }) => id === guest.id) ?? null;
  await read(async (call) => call('guests.look'));
  return watched(context, readGuest, {
    isOver: (now) => now === null || !now.onLocks.some(isOnItsWay),
    line: t('{name}: the locks are working', { name: guest.name }),
    forMs: FOLLOWED_FOR_MS,
  });
}

/** Whether a lock works on a code, is about to, or may have done what was sent before the account changed hands. */
export function isOnItsWay({
  standing,
  revision,
}: Pick<GuestView['onLocks'][number], 'standing' | 'revision'>): boolean {
  const isSettling = standing.kind === 'waiting' && standing.isSettling === true;
  return standing.kind === 'on-its-way' || isSettling || revision === 0;
}

export function guestLines(guest: GuestView): readonly string[] {
  const { name, pinLength, timeZone, isLeaving, onLocks } = guest;
  const rows = onLocks.map(({ lockName, standing, isLeaving: isGoing }) =>
    oneLine(`  ${lockName}: ${standingLine(standing, isGoing, timeZone)}`),
  );
  const onLock = onLockWords(guest);
  const called = onLock === '' ? name : `${name} (${onLock})`;
  const head = `${called}  ${'•'.repeat(pinLength)}  ${guestWhen(guest, shownSchedule)}`;
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

/** Says that guests cannot be read: the list shows their codes as codes without a guest. */
export async function sayUnread(tool: AccountTool, output: CommandContext['output']): Promise<void> {
  const { unread } = await tool.call('codes.proposals');
  if (unread > 0) {
    output.progress(t(UNREAD_ROWS));
  }
}
