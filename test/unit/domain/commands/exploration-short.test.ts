// The same exploration with the smallest scenarios: in a second, and so also for every changed line of `npm run mutate`.
import { describe, expect, it } from 'vitest';
import type { CommandInput } from '../../../../src/domain/commands/state.ts';
import { explore, type Scenario } from '../../../support/command-world.ts';

/** The compiler asks for each type of input that is added. */
const EVERY_INPUT: Record<CommandInput['type'], true> = {
  requested: true,
  leaving: true,
  left: true,
  replied: true,
  'reply-lost': true,
  'not-processed': true,
  refused: true,
  'read-back': true,
  'read-back-missed': true,
  'read-back-lost': true,
  'end-reported': true,
  resumed: true,
  checked: true,
  closed: true,
};

const SHORT: readonly (readonly [string, Partial<Scenario>, number])[] = [
  ['two requests', { taps: 2 }, 50],
  ['a request and a pause', { taps: 1, waits: 1 }, 50],
  [
    'a request, a reading and a listing',
    { taps: 1, readBacks: 1, listings: 1, refusedReadings: 1, missedReadings: 1 },
    100,
  ],
  ['a request and an event', { taps: 1, events: 1 }, 50],
  ['a request and two turns by hand', { taps: 1, turns: 2, events: 1 }, 500],
  ['a request and a restart', { taps: 1, restarts: 1 }, 20],
  [
    'a refused token, a pause, a jam and another program',
    { taps: 1, tokens: 1, pauses: 1, jams: 1, strangers: 1 },
    100,
  ],
];

describe('the command machine with a lock and a service', () => {
  it.each(SHORT)('breaks no promise within %s (faults#29, faults#30, faults#107)', (_, scenario, least) => {
    const { states, wrongs } = explore(scenario);
    expect(Object.fromEntries(wrongs)).toEqual({});
    expect(states).toBeGreaterThan(least);
  });

  it('gets every input that its type allows', () => {
    const fed = SHORT.map(([, scenario]) => explore(scenario).fed).flatMap((types) => Array.from(types));
    expect([...new Set(fed)].toSorted()).toEqual(Object.keys(EVERY_INPUT).toSorted());
  });
});
