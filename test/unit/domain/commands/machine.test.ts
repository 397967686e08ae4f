// The command machine's table: the answer of each phase to each input, for requests, journal and lock.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommandPhase, commandId } from '../../../../src/domain/commands/command.ts';
import {
  advanceCommands,
  mayLeave,
  nextLookAt,
  shownTarget,
} from '../../../../src/domain/commands/machine.ts';
import {
  ABANDONED_AFTER_MS,
  type CommandContext,
  type CommandEffect,
  type CommandInput,
  type CommandState,
  IDLE,
  OVERDUE_AFTER_MS,
  SILENT_AFTER_MS,
} from '../../../../src/domain/commands/state.ts';

const id = commandId('c-1');
const AT = 1_000_000;
const ago = (ms: number): CommandContext => ({
  now: AT + ms,
  serviceNow: AT + ms,
  setBackMs: 0,
  lock: {
    bolt: 'secured',
    claimedAt: AT - 60_000,
    confirmedAgoMs: 60_000,
    presence: 'reachable',
    role: 'owner',
    linked: true,
    rules: { remoteUnlock: true, force: false },
  },
});

/** Feeds the machine with one input after the other, each at its time. */
function sequence(...steps: readonly (readonly [number, CommandInput])[]): {
  state: CommandState;
  effects: readonly CommandEffect[];
} {
  let state = IDLE;
  const all: CommandEffect[] = [];
  for (const [ms, input] of steps) {
    const step = advanceCommands(state, input, ago(ms));
    state = step.state;
    all.push(...step.effects);
  }
  return { state, effects: all };
}

const tap = (target: 'secured' | 'unsecured', request = 1): CommandInput => ({
  type: 'requested',
  request,
  target,
  withinMs: Number.POSITIVE_INFINITY,
  unheardMs: 0,
});
const unlock = tap('unsecured');
const left: CommandInput = { type: 'left', key: 1 };
const accepted: CommandInput = {
  type: 'replied',
  key: 1,
  reading: { state: 'pending', commandId: id },
  askedAt: AT,
};
const lost: CommandInput = { type: 'reply-lost', key: 1 };
const looked: CommandInput = { type: 'looked' };
const ended = (reading: Extract<CommandInput, { type: 'end-reported' }>['reading']): CommandInput => ({
  type: 'end-reported',
  reading,
  at: AT + 500,
});
const success = { state: 'successful', commandId: id } as const;

const TO: Readonly<Record<CommandPhase, readonly (readonly [number, CommandInput])[]>> = {
  preparing: [[0, unlock]],
  sent: [
    [0, unlock],
    [0, left],
  ],
  accepted: [
    [0, unlock],
    [0, left],
    [100, accepted],
  ],
  overdue: [
    [0, unlock],
    [0, left],
    [100, accepted],
    [OVERDUE_AFTER_MS, looked],
  ],
  uncertain: [
    [0, unlock],
    [0, left],
    [100, lost],
  ],
};

function outcomeOf(effects: readonly CommandEffect[]): string {
  const outcomes = effects.flatMap((effect) => (effect.type === 'note-end' ? [effect.outcome] : []));
  return outcomes.join();
}

describe('a command', () => {
  const phases: readonly [CommandPhase, Readonly<Record<string, string>>][] = [
    ['preparing', { lost: 'uncertain', unsent: 'unsent', ended: 'preparing', late: 'unsent' }],
    // The call that carries it ends by itself; so late only a sleep can have made it.
    ['sent', { lost: 'uncertain', unsent: 'unsent', ended: 'sent', late: 'sent' }],
    ['accepted', { lost: 'accepted', unsent: 'accepted', ended: 'moved', late: 'overdue' }],
    ['overdue', { lost: 'overdue', unsent: 'overdue', ended: 'moved', late: 'overdue' }],
    ['uncertain', { lost: 'uncertain', unsent: 'uncertain', ended: 'uncertain', late: 'uncertain' }],
  ];
  const inputs: Readonly<Record<string, readonly [number, CommandInput]>> = {
    lost: [200, lost],
    unsent: [200, { type: 'not-processed', key: 1, mayRetry: true, waitMs: null, cause: 'x' }],
    ended: [600, ended(success)],
    late: [OVERDUE_AFTER_MS, looked],
  };

  it.each(phases)('that is %s answers every input (faults#25, faults#30)', (phase, answers) => {
    const actual = Object.fromEntries(
      Object.entries(inputs).map(([name, [ms, input]]) => {
        const before = TO[phase].at(-1)?.[0] ?? 0;
        const { state, effects } = sequence(...TO[phase], [Math.max(ms, before), input]);
        return [name, state.active?.phase ?? outcomeOf(effects)];
      }),
    );
    expect(actual).toEqual(answers);
  });

  it('that is overdue is given up after 65 s', () => {
    const { effects } = sequence(...TO.overdue, [ABANDONED_AFTER_MS, looked]);
    expect(outcomeOf(effects)).toBe('overdue');
  });

  it('whose end is reported before its answer ends once, with the answer', () => {
    const { state, effects } = sequence(
      ...TO.sent,
      [50, ended(success)],
      [100, accepted],
      [200, ended(success)],
    );
    expect([state.active, outcomeOf(effects)]).toEqual([null, 'moved']);
    const answers = effects.filter(({ type }) => type === 'answer');
    expect(answers).toMatchObject([{ requests: [1], answer: { kind: 'accepted' } }]);
  });

  it.each([
    ['alone', [success]],
    ['before the end of another command', [success, { ...success, commandId: commandId('c-2') }]],
    ['after the end of another command', [{ ...success, commandId: commandId('c-2') }, success]],
  ] as const)('whose end is reported once, before its answer and %s, ends with the answer', (_, ends) => {
    const { state, effects } = sequence(...TO.sent, ...ends.map((reading) => [50, ended(reading)] as const), [
      100,
      accepted,
    ]);
    expect([state.active, outcomeOf(effects)]).toEqual([null, 'moved']);
  });

  it('keeps its first end, whatever is reported later', () => {
    const failure = { state: 'failed', commandId: id, reason: 'bolt-jammed' } as const;
    const { effects } = sequence(...TO.accepted, [600, ended(success)], [700, ended(failure)]);
    expect(outcomeOf(effects)).toBe('moved');
  });

  it.each(['secured', 'unknown'] as const)(
    'that succeeds and reports %s is a contradiction (faults#85)',
    (bolt) => {
      const { effects } = sequence(...TO.accepted, [600, ended({ ...success, bolt })]);
      expect(outcomeOf(effects)).toBe('uncertain');
      const shown = effects.flatMap((effect) => (effect.type === 'lock' ? [effect.event.type] : []));
      expect(shown).not.toContain('command-completed');
      expect(effects).toContainEqual({ type: 'poll-soon' });
    },
  );

  it('that was sent before a sleep and has no answer makes room for a new request', () => {
    const { state, effects } = sequence(
      ...TO.sent,
      [OVERDUE_AFTER_MS, tap('secured', 2)],
      [OVERDUE_AFTER_MS, looked],
    );
    expect(outcomeOf(effects)).toBe('uncertain');
    expect(state.active).toMatchObject({ target: 'secured', phase: 'preparing' });
  });

  it('to unlock without an answer hides the former belief after three seconds', () => {
    expect(nextLookAt(sequence(...TO.sent).state)).toBe(AT + SILENT_AFTER_MS);
    const { effects } = sequence(...TO.sent, [SILENT_AFTER_MS, looked]);
    expect(effects).toContainEqual({
      type: 'lock',
      event: { type: 'command-doubted', target: 'unsecured', since: AT, until: null },
    });
  });
});

describe('a busy lock', () => {
  it('is asked again after 0.5, 1 and 2 s, and then every 4 s (faults#27)', () => {
    const steps: (readonly [number, CommandInput])[] = [[0, tap('secured')]];
    const pauses: number[] = [];
    let at = 0;
    for (let key = 1; key <= 6; key += 1) {
      steps.push(
        [at, { type: 'left', key }],
        [at, { type: 'refused', key, reason: 'lock-busy', cause: 'x' }],
      );
      const next = (nextLookAt(sequence(...steps).state) ?? 0) - AT;
      pauses.push(next - at);
      at = next;
      steps.push([at, looked]);
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });
});

describe('an unlock that is held behind a command', () => {
  const held = [
    [0, tap('secured')],
    [0, left],
    [50, accepted],
    [100, tap('unsecured', 2)],
  ] as const;

  it('is sent until it is ten seconds old, and answered as too late from then on (faults#29)', () => {
    const sentAfter = sequence(...held, [10_099, ended(success)], [10_099, looked]);
    expect(sentAfter.effects.at(-1)).toMatchObject({ type: 'send', target: 'unsecured', withinMs: 1 });

    const { state, effects } = sequence(...held, [10_100, ended(success)], [10_100, looked]);
    expect([state.active, state.waiting]).toEqual([null, null]);
    const answers = effects.filter(({ type }) => type === 'answer');
    expect(answers.at(-1)).toMatchObject({ requests: [2], answer: { kind: 'too-late' } });
    expect(effects.filter(({ type }) => type === 'send')).toHaveLength(1);
  });
});

describe('the send guard', () => {
  it('lets a command be sent until its request expires, and once', () => {
    const { state } = sequence(...TO.preparing);
    expect([mayLeave(state, 1, AT + 9_999), mayLeave(state, 1, AT + 10_000)]).toEqual([true, false]);
    expect(mayLeave(sequence(...TO.accepted).state, 1, AT + 100)).toBe(false);
  });

  it('cancels a command that a later request overtook', () => {
    const { state } = sequence(...TO.preparing, [10, tap('secured', 2)]);
    expect(mayLeave(state, 1, AT + 20)).toBe(false);
  });

  it('counts the time that a request waited in the process as part of its time (faults#86)', () => {
    const { state } = sequence([0, { ...unlock, unheardMs: 4_000 } as CommandInput]);
    expect([mayLeave(state, 1, AT + 5_999), mayLeave(state, 1, AT + 6_000)]).toEqual([true, false]);
  });
});

describe('an unlock that was taken in only after its time', () => {
  it.each([
    ['to the millisecond', 10_000, { kind: 'too-late' }],
    ['by a millisecond', 10_001, { kind: 'refused', reason: 'too-late' }],
  ] as const)('is not sent, %s (faults#86)', (_, unheardMs, given) => {
    const { state, effects } = sequence([0, { ...unlock, unheardMs } as CommandInput]);
    expect([state.active, state.waiting]).toEqual([null, null]);
    expect(effects.map(({ type }) => type)).toEqual(['answer']);
    expect(effects).toMatchObject([{ requests: [1], answer: given }]);
  });
});

describe('any order of inputs', () => {
  const anyInput: fc.Arbitrary<CommandInput> = fc.oneof(
    fc
      .record({ target: fc.constantFrom('secured' as const, 'unsecured' as const) })
      .map(({ target }) => tap(target)),
    fc.constantFrom(left, accepted, lost, looked, ended(success), {
      type: 'refused',
      key: 1,
      reason: 'lock-busy',
      cause: 'x',
    } as const),
  );

  it('answers each request once at most, and ends each command once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyInput, fc.nat(20_000)), { maxLength: 20 }), (steps) => {
        let at = 0;
        let requests = 0;
        const { state, effects } = sequence(
          ...steps.map(([input, ms]) => {
            at += ms;
            requests += input.type === 'requested' ? 1 : 0;
            return [at, input.type === 'requested' ? { ...input, request: requests } : input] as const;
          }),
        );
        const answered = effects.flatMap((effect) => (effect.type === 'answer' ? effect.requests : []));
        expect(new Set(answered).size).toBe(answered.length);
        const open = (state.active?.unanswered.length ?? 0) + (state.waiting?.unanswered.length ?? 0);
        expect(answered.length + open).toBe(requests);
        const ends = effects.flatMap((effect) => (effect.type === 'note-end' ? [effect.key] : []));
        expect(new Set(ends).size).toBe(ends.length);
        expect(state.waiting === null || shownTarget(state) === state.waiting.target).toBe(true);
      }),
    );
  });
});
