// One command's life: the whole table of states and events, and that an end is final.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../src/domain/command.ts';
import {
  ABANDONED_AFTER_MS,
  advanceCommand,
  type CommandEvent,
  type CommandState,
  ISSUED,
  OVERDUE_AFTER_MS,
} from '../../../src/domain/command-machine.ts';

const id = commandId('command-1');
const accepted: CommandState = { phase: 'accepted', commandId: id, pendingAt: 10 };
const overdue: CommandState = { phase: 'overdue', commandId: id, pendingAt: 10 };
const uncertain: CommandState = { phase: 'uncertain' };
const moved: CommandState = { phase: 'settled', outcome: { kind: 'moved' } };
const settled = (kind: 'uncertain' | 'overdue' | 'unsent'): CommandState => ({
  phase: 'settled',
  outcome: { kind },
});
const jammed: CommandState = { phase: 'settled', outcome: { kind: 'refused', reason: 'bolt-jammed' } };

const EVENTS = {
  accepted: { type: 'accepted', commandId: id, at: 10 },
  pending: { type: 'still-pending', at: 20 },
  succeeded: { type: 'succeeded' },
  refused: { type: 'refused', reason: 'bolt-jammed' },
  unsent: { type: 'unsent' },
  lost: { type: 'reply-lost' },
  seen: { type: 'seen-at-target' },
  early: { type: 'time', elapsedMs: OVERDUE_AFTER_MS - 1 },
  late: { type: 'time', elapsedMs: OVERDUE_AFTER_MS },
  over: { type: 'time', elapsedMs: ABANDONED_AFTER_MS },
} as const satisfies Record<string, CommandEvent>;

describe('a command', () => {
  it.each<[string, CommandState, Record<keyof typeof EVENTS, CommandState>]>([
    [
      'issued',
      ISSUED,
      {
        accepted,
        pending: ISSUED,
        succeeded: moved,
        refused: jammed,
        unsent: settled('unsent'),
        lost: uncertain,
        seen: ISSUED,
        early: ISSUED,
        late: settled('uncertain'),
        over: settled('uncertain'),
      },
    ],
    [
      'accepted',
      accepted,
      {
        accepted,
        pending: { ...accepted, pendingAt: 20 },
        succeeded: moved,
        refused: jammed,
        unsent: accepted,
        lost: uncertain,
        seen: accepted,
        early: accepted,
        late: overdue,
        over: settled('overdue'),
      },
    ],
    [
      'overdue (faults#25)',
      overdue,
      {
        accepted: overdue,
        pending: { ...overdue, pendingAt: 20 },
        succeeded: moved,
        refused: jammed,
        unsent: overdue,
        lost: uncertain,
        seen: overdue,
        early: overdue,
        late: overdue,
        over: settled('overdue'),
      },
    ],
    [
      'uncertain (faults#30)',
      uncertain,
      {
        accepted: uncertain,
        pending: uncertain,
        succeeded: moved,
        refused: jammed,
        unsent: uncertain,
        lost: uncertain,
        seen: moved,
        early: uncertain,
        late: settled('uncertain'),
        over: settled('uncertain'),
      },
    ],
  ])('that is %s answers every event', (_title, state, answers) => {
    const names = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
    const actual = Object.fromEntries(names.map((name) => [name, advanceCommand(state, EVENTS[name])]));
    expect(actual).toEqual(answers);
  });

  it('ends once, whatever follows', () => {
    const anyEvent = fc.constantFrom(...Object.values(EVENTS));
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(anyEvent), (before, after) => {
        const end = before.reduce<CommandState>(advanceCommand, ISSUED);
        fc.pre(end.phase === 'settled');
        expect(after.reduce<CommandState>(advanceCommand, end)).toBe(end);
      }),
    );
  });
});
