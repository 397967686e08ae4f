// The exploration of the command machine with events, more readings and more time than every test run has.
import { expect, it } from 'vitest';
import { type Budget, CommandWorld, explore } from '../support/command-world.ts';

it.each<Partial<Budget>>([
  { taps: 2, waits: 1, listings: 1, events: 1 },
  { taps: 1, turns: 2, waits: 1, listings: 1, events: 1 },
  { taps: 2, waits: 2, readBacks: 1 },
  { taps: 2, waits: 1, listings: 1, readBacks: 1, restarts: 1 },
  { taps: 1, waits: 2, listings: 2, readBacks: 1, events: 1, sleeps: 1 },
])('no order of %j breaks a promise (faults#29, faults#30, faults#86)', { timeout: 1_800_000 }, (budget) => {
  const { states, wrongs } = explore(new CommandWorld(), budget);
  console.log(`${String(states)} states: ${String(wrongs.size)} broken promises`);
  expect(Object.fromEntries(wrongs)).toEqual({});
});
