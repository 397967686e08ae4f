// Sixteen faults, each planted in a copy of the machines: the exploration must turn red, else it proves less than it says.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { explore, type Machines, type Scenario } from '../support/command-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Planted {
  readonly what: string;
  readonly file: string;
  /** Stands exactly once in the file; `by` takes its place. */
  readonly text: string;
  readonly by: string;
  /** The smallest scenario that has what it takes; the true machines break no promise in it. */
  readonly scenario: Partial<Scenario>;
  readonly found: string;
}

const UNLOCK = { taps: 1, targets: ['unsecured'] } as const;
const LOCK = { taps: 1, targets: ['secured'] } as const;

const PLANTED: readonly Planted[] = [
  {
    what: 'an unlock is repeated after a lost reply',
    file: 'commands/reply.ts',
    text: 'return goUncertain(state, step);',
    by: "return refused(state, { ...input, reason: 'lock-busy', cause: null }, step);",
    scenario: { ...UNLOCK, waits: 1, waitsMs: [500] },
    found: 'an unlock was carried out twice for one tap',
  },
  {
    what: 'success is answered for a command that was not sent',
    file: 'commands/machine.ts',
    text: "unsent(state, { kind: 'too-late' }, step)",
    by: "unsent(state, { kind: 'accepted' }, step)",
    scenario: { taps: 1, waits: 1 },
    found: 'success was answered for what has not left',
  },
  {
    what: 'success after a restart is taken as fresh',
    file: 'commands/end.ts',
    text: 'active.resumed && !seenPending && endedAt === null',
    by: 'active.resumed && !seenPending && endedAt === undefined',
    scenario: { ...LOCK, turns: 1, restarts: 1, readBacks: 1 },
    found: 'shows locked from before a restart',
  },
  {
    what: 'a position from before our command counts',
    file: 'commands/machine.ts',
    text: 'lock.bolt === active.target && lock.claimedAt > active.issuedAt',
    by: 'lock.bolt === active.target',
    scenario: { ...LOCK, waits: 1, waitsMs: [1] },
    found: 'a position from before a command ended it',
  },
  {
    what: 'time in which nothing was heard is ignored',
    file: 'commands/request.ts',
    text: "(target === 'secured' ? 0 : unheardMs)",
    by: '0',
    scenario: {
      ...UNLOCK,
      tapped: [{ unheardMs: 9_000, withinMs: Number.POSITIVE_INFINITY }],
      waits: 1,
      waitsMs: [3_500],
    },
    found: 'sent an unlock late',
  },
  {
    what: 'the expiry is left out of what may leave',
    file: 'commands/machine.ts',
    text: ' && active.wanted && now < active.expiresAt',
    by: ' && active.wanted',
    scenario: { ...UNLOCK, holdUps: 1 },
    found: 'sent an unlock late',
  },
  {
    what: "another command's early end is taken for ours",
    file: 'commands/reply.ts',
    text: 'active.earlyEnds.find((end) => end.reading.commandId === commandId)',
    by: 'active.earlyEnds.find(() => true)',
    scenario: { ...LOCK, strangers: 1 },
    found: 'shows locked before the bolt has moved',
  },
  {
    what: '"doubted" is not reset when a command leaves once more',
    file: 'commands/reply.ts',
    text: "phase: 'sent', before, doubted: false",
    by: "phase: 'sent', before",
    scenario: { ...UNLOCK, tokens: 1, turns: 2, events: 1, waits: 2, waitsMs: [3_500] },
    found: 'shows locked while it is open',
  },
  {
    what: 'no listing follows the end of a command',
    file: 'commands/end.ts',
    text: "  step.out.push({ type: 'poll-soon' });\n  return settled(state, outcome, step);",
    by: '  return settled(state, outcome, step);',
    scenario: { taps: 1 },
    found: 'the lock is not read after the end of a command',
  },
  {
    what: 'a command that leaves once more is not heard',
    file: 'commands/reply.ts',
    text: "return { ...state, active: { ...active, phase: 'preparing' } };",
    by: 'return state;',
    scenario: { taps: 1, tokens: 1 },
    found: 'what is wanted and in time may not leave',
  },
  {
    what: 'an unknown end hides nothing',
    file: 'commands/end.ts',
    text: 'return ended(stillOpening(state, step), outcome, step);',
    by: 'return ended(state, outcome, step);',
    scenario: { ...UNLOCK, readBacks: 1, waits: 1 },
    found: 'shows locked while it is open',
  },
  {
    what: 'a trail has no end',
    file: 'commands/trail.ts',
    text: 'Math.min(pendingAt + PENDING_COUNTS_FOR_MS, sentAt + ABANDONED_AFTER_MS)',
    by: 'Number.POSITIVE_INFINITY',
    scenario: { ...UNLOCK, turns: 1, events: 1 },
    found: 'something is in flight for ever',
  },
  {
    what: 'nothing travels after a lost answer',
    file: 'commands/end.ts',
    text: 'hideOlder(state, travelEndsAt(active, step), step)',
    by: 'hideOlder(state, step.serviceNow, step)',
    scenario: { ...UNLOCK, lags: 1, waits: 2, waitsMs: [7_500, 3_500] },
    found: 'shows locked while it is open',
  },
  {
    what: 'a listing of "unlocked" ends what a listing of "locked" may lag behind (faults#184)',
    file: 'locks/evidence-policy.ts',
    text: 'confirmedAt: claim.at, stale: false, disputed: false };',
    by: "confirmedAt: claim.at, stale: false, disputed: false, opening: claim.source === 'poll' ? null : belief.opening };",
    scenario: { turns: 3, events: 1, lags: 2, waits: 4, waitsMs: [1_000] },
    found: 'shows locked though an event told that it is open',
  },
  {
    what: 'a listing that overtook the event of an unlock counts (faults#140)',
    file: 'locks/evidence-policy.ts',
    text: 'return weigh(withoutOvertaken(opened), claim);',
    by: 'return weigh(opened, claim);',
    scenario: { turns: 1, events: 1, lags: 1, waits: 1, waitsMs: [1_000] },
    found: 'shows locked though an event told that it is open',
  },
  {
    what: 'a listing that lags behind our own unlock counts (faults#184)',
    file: 'locks/command-course.ts',
    text: '? withOpening(belief, { since: at, until: at + LISTED_WITHIN_MS })',
    by: '? withOpening(belief, { since: at, until: at })',
    scenario: { ...UNLOCK, lags: 1, readBacks: 1, waits: 2, waitsMs: [7_900, 2_500] },
    found: 'shows locked while it is open',
  },
];

const DOMAIN = join(import.meta.dirname, '../../src/domain');

/** The machines of a copy in which one text is another. */
async function broken({ file, text, by }: Planted): Promise<Machines> {
  const folder = temporaryFolder();
  cpSync(DOMAIN, folder, { recursive: true });
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  expect(source.split(text), 'the text to replace stands exactly once').toHaveLength(2);
  writeFileSync(path, source.replace(text, by));
  const copy = async <Names extends keyof Machines>(name: string): Promise<Pick<Machines, Names>> => {
    return (await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)) as Machines;
  };
  return {
    ...(await copy<'advanceCommands' | 'mayLeave' | 'nextLookAt'>('commands/machine.ts')),
    ...(await copy<'advanceLock'>('locks/machine.ts')),
    ...(await copy<'boltOf'>('locks/lock.ts')),
  };
}

it.each(PLANTED)('the exploration fails where $what', async (planted) => {
  const right = explore(planted.scenario);
  expect(Object.fromEntries(right.wrongs)).toEqual({});
  const { wrongs } = explore(planted.scenario, await broken(planted), { stopAtFirst: true });
  expect([...wrongs.keys()]).toContain(planted.found);
});
