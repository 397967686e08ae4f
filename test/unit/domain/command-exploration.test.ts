// Every order of taps, answers, losses, readings, restarts and sleep, within a budget, breaks no promise.
import { describe, expect, it } from 'vitest';
import { advanceCommands, type mayLeave } from '../../../src/domain/command-machine.ts';
import type { CommandEffect } from '../../../src/domain/command-state.ts';
import { type Budget, CommandWorld, explore } from '../../support/command-world.ts';

const BUDGETS: readonly Partial<Budget>[] = [
  { taps: 2, waits: 1, listings: 1 },
  { taps: 2, waits: 1, readBacks: 1, restarts: 1 },
  { taps: 1, waits: 1, listings: 1, readBacks: 1, restarts: 1, sleeps: 1 },
];

describe('the command machine with a lock and a service', () => {
  it('never sends an unlock twice or late, nor shows "locked" without evidence (faults#29, faults#30, faults#86)', () => {
    let states = 0;
    for (const budget of BUDGETS) {
      const found = explore(new CommandWorld(), budget);
      expect(Object.fromEntries(found.wrongs)).toEqual({});
      states += found.states;
    }
    console.log(`${String(states)} states of requests, lock and service: 0 broken promises`);
    expect(states).toBeGreaterThan(100_000);
  }, 300_000);
});

describe('an exploration of a broken machine', () => {
  const short: Partial<Budget> = { taps: 2, waits: 1 };

  it('finds an unlock that leaves late or overtaken', () => {
    const guard: typeof mayLeave = () => true;
    const late: typeof advanceCommands = (state, input, context) =>
      advanceCommands(state, input.type === 'requested' ? { ...input, unheardMs: -60_000 } : input, context);
    const { wrongs } = explore(new CommandWorld(late, guard), short);
    expect([...wrongs.keys()]).toContain('sent an unlock late');
  });

  it('finds an unlock that is repeated after a lost reply', () => {
    const repeating: typeof advanceCommands = (state, input, context) =>
      advanceCommands(
        state,
        input.type === 'reply-lost'
          ? { type: 'refused', key: input.key, reason: 'lock-busy', cause: null }
          : input,
        context,
      );
    const { wrongs } = explore(new CommandWorld(repeating), { ...short, waits: 2, taps: 1 });
    expect([...wrongs.keys()]).toContain('an unlock was carried out twice for one tap');
  });

  it('finds "locked" that is shown after an unlock of unknown outcome', () => {
    const trusting: typeof advanceCommands = (state, input, context) => {
      const { effects, ...rest } = advanceCommands(state, input, context);
      return {
        ...rest,
        effects: effects.filter(
          (effect) => effect.type !== 'lock' || effect.event.type !== 'command-doubted',
        ),
      };
    };
    const { wrongs } = explore(new CommandWorld(trusting), { ...short, taps: 1 });
    expect([...wrongs.keys()]).toContain('shows locked while it is open');
  });

  it('finds success that is answered for what has not left', () => {
    const hasty: typeof advanceCommands = (state, input, context) => {
      const { effects, ...rest } = advanceCommands(state, input, context);
      return {
        ...rest,
        effects: effects.map(accepting),
      };
    };
    const { wrongs } = explore(new CommandWorld(hasty), { ...short, taps: 1 });
    expect([...wrongs.keys()]).toContain('success was answered for what has not left');
  });
});

function accepting(effect: CommandEffect): CommandEffect {
  return effect.type === 'answer' && effect.answer.kind === 'too-late'
    ? { ...effect, answer: { kind: 'accepted' } }
    : effect;
}
