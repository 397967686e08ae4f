// The exploration of the command machine with more of everything than every test run has.
import { expect, it } from 'vitest';
import { explore, type Scenario } from '../support/command-world.ts';

it.each<Partial<Scenario>>([
  { taps: 2, waits: 1, listings: 1, events: 1 },
  { taps: 1, turns: 2, waits: 1, listings: 1, events: 1 },
  { taps: 2, waits: 1, listings: 1, waitsMs: [3_500] },
  { taps: 2, waits: 1, waitsMs: [12_000], readBacks: 1, restarts: 1 },
  { taps: 1, turns: 1, listings: 1, readBacks: 1, restarts: 1, waits: 1, waitsMs: [12_000] },
  { taps: 2, waits: 2, readBacks: 1 },
  { taps: 2, waits: 1, listings: 1, readBacks: 1, restarts: 1 },
  { taps: 1, waits: 2, listings: 2, readBacks: 1, events: 1, sleeps: 1 },
  { taps: 2, tokens: 2, turns: 1, listings: 1, waits: 1 },
  { taps: 1, turns: 2, events: 1, listings: 1, waits: 2, waitsMs: [1, 3_500] },
  { taps: 1, waits: 1, listings: 1, readBacks: 1, restarts: 1, sleeps: 1 },
])(
  'no order of %j breaks a promise or leaves a lock deaf (faults#29, faults#30, faults#86, faults#107)',
  { timeout: 1_800_000 },
  (scenario) => {
    const startedAt = performance.now();
    const { states, wrongs } = explore(scenario);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${String(states)} states in ${seconds} s: ${String(wrongs.size)} broken promises`);
    expect(Object.fromEntries(wrongs)).toEqual({});
  },
);
