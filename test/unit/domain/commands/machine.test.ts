// The command machine's table: the answer of each phase to each input.
import { expect, it } from 'vitest';
import type { CommandPhase } from '../../../../src/domain/commands/command.ts';
import { mayLeave, nextCheckAt } from '../../../../src/domain/commands/machine.ts';
import { type CommandInput, OVERDUE_AFTER_MS } from '../../../../src/domain/commands/state.ts';
import {
  checked,
  endReported,
  left,
  lockAccepted,
  lost,
  notProcessed,
  type Reported,
  refused,
  START,
  SUCCESS,
  sequence,
  tap,
  unlockAccepted,
  unlockSent,
} from '../../../support/command-sequence.ts';

const tapped: readonly Reported[] = [[0, tap('unsecured')]];

it.each<[CommandPhase, readonly Reported[], Readonly<Record<string, string>>]>([
  ['preparing', tapped, { lost: 'uncertain', unsent: 'unsent', ended: 'preparing', late: 'unsent' }],
  // The call that carries it ends by itself; so late only a sleep can have made it.
  ['sent', unlockSent, { lost: 'uncertain', unsent: 'unsent', ended: 'sent', late: 'sent' }],
  ['accepted', unlockAccepted, { lost: 'accepted', unsent: 'accepted', ended: 'moved', late: 'overdue' }],
  [
    'overdue',
    [...unlockAccepted, [OVERDUE_AFTER_MS, checked]],
    { lost: 'overdue', unsent: 'overdue', ended: 'moved', late: 'overdue' },
  ],
  [
    'uncertain',
    [...unlockSent, [100, lost()]],
    { lost: 'uncertain', unsent: 'uncertain', ended: 'uncertain', late: 'uncertain' },
  ],
])('a command that is %s answers every input (faults#25, faults#30)', (_, before, answers) => {
  const begun = before.at(-1)?.[0] ?? 0;
  const after = (ms: number, input: CommandInput): string | undefined => {
    const { state, effects } = sequence(...before, [Math.max(ms, begun), input]);
    return state.active?.phase ?? effects.find((effect) => effect.type === 'note-end')?.outcome;
  };
  expect({
    lost: after(200, lost()),
    unsent: after(200, notProcessed(null, 1, true)),
    ended: after(600, endReported(500, SUCCESS)),
    late: after(OVERDUE_AFTER_MS, checked),
  }).toEqual(answers);
});

it('a busy lock is asked again after 0.5, 1 and 2 s, and then every 4 s (faults#27)', () => {
  const steps: Reported[] = [[0, tap('secured')]];
  const pauses: number[] = [];
  let at = 0;
  for (let key = 1; key <= 6; key += 1) {
    steps.push([at, left(key)], [at, refused('lock-busy', key)]);
    const next = (nextCheckAt(sequence(...steps).state) ?? 0) - START;
    pauses.push(next - at);
    at = next;
    steps.push([at, checked]);
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

it('an unlock that is held behind a command is sent until it is ten seconds old, and answered as too late from then on (faults#29)', () => {
  const held: readonly Reported[] = [...lockAccepted, [100, tap('unsecured', 2)]];
  const sent = sequence(...held, [10_099, endReported(500, SUCCESS)], [10_099, checked]);
  expect(sent.last).toEqual(['send unsecured as 2, within 1, issued at 10099']);
  const { state, all } = sequence(...held, [10_100, endReported(500, SUCCESS)], [10_100, checked]);
  expect([state.active, state.waiting]).toEqual([null, null]);
  expect(all).toContain('answer 2: unsecured too-late');
  expect(all.filter((effect) => effect.startsWith('send'))).toHaveLength(1);
});

it.each<[string, readonly Reported[], number, boolean]>([
  ['lets a command be sent until its request expires', tapped, 9_999, true],
  ['lets no command be sent from then on', tapped, 10_000, false],
  ['lets no command be sent twice', unlockAccepted, 100, false],
  ['cancels a command that a later request overtook', [...tapped, [10, tap('secured', 2)]], 20, false],
  ['counts the time before it was heard (faults#86)', [[0, tap('unsecured', 1, 4_000)]], 5_999, true],
  ['cancels a command after that time (faults#86)', [[0, tap('unsecured', 1, 4_000)]], 6_000, false],
])('the send guard %s', (_, before, ms, may) => {
  expect(mayLeave(sequence(...before).state, 1, START + ms)).toBe(may);
});

it.each([
  ['to the millisecond', 10_000, 'too-late'],
  ['by a millisecond', 10_001, 'refused too-late'],
])('an unlock that was taken in only after its time is not sent, %s (faults#86)', (_, unheardMs, given) => {
  const { state, last } = sequence([0, tap('unsecured', 1, unheardMs)]);
  expect([state.active, state.waiting, last]).toEqual([null, null, [`answer 1: unsecured ${given}`]]);
});
