// Every order of taps, hands, answers, losses, readings, events, refused tokens, jams, restarts and sleep, within a budget:
// no promise is broken, and from every state the lock comes to be shown as it is.
import { expect, it } from 'vitest';
import { explore, type Scenario } from '../../../support/command-world.ts';

const PLAIN_TAP = { unheardMs: 0, withinMs: Number.POSITIVE_INFINITY };

const SCENARIOS: readonly Partial<Scenario>[] = [
  { taps: 2, listings: 1, readBacks: 1 },
  { taps: 2, readBacks: 1, restarts: 1 },
  { taps: 1, waits: 1, listings: 1, sleeps: 1, waitsMs: [3_500] },
  // A hand during everything else.
  { taps: 1, targets: ['unsecured'], turns: 1, events: 1, listings: 1, waits: 1, waitsMs: [3_500] },
  { taps: 1, targets: ['secured'], turns: 1, listings: 1, waits: 1, waitsMs: [3_500] },
  { taps: 1, turns: 1, restarts: 1, waits: 1, waitsMs: [12_000] },
  // A token that is refused, and a tap that another overtakes meanwhile.
  { taps: 2, tokens: 1, waits: 1, waitsMs: [3_500] },
  { taps: 1, tokens: 1, turns: 1, listings: 1, waits: 1, waitsMs: [3_500] },
  // A busy machine, a pause of the service, a jam, another program's command, a reading that is refused.
  { taps: 2, holdUps: 1, strangers: 1 },
  { taps: 1, pauses: 1, jams: 1, strangers: 1, waits: 1, readBacks: 1, refusedReadings: 1 },
  // Lists that lag behind a hand and behind our own commands, in both positions, and lists without the lock.
  { turns: 3, events: 2, lags: 2, waits: 2, waitsMs: [1_000] },
  { taps: 1, targets: ['unsecured'], lags: 1, parts: 1, readBacks: 1, waits: 1, waitsMs: [8_000] },
  // Taps that waited to be heard, and people who give up early.
  {
    taps: 2,
    waits: 1,
    tapped: [PLAIN_TAP, { unheardMs: 9_000, withinMs: 1_900 }, { unheardMs: 11_000, withinMs: 10_000 }],
    waitsMs: [1_500],
  },
];

it('the command machine with a lock and a service never sends an unlock twice or late, shows no "locked" without evidence, and is stuck in no state (faults#29, faults#30, faults#86, faults#107)', () => {
  const startedAt = performance.now();
  let states = 0;
  for (const scenario of SCENARIOS) {
    const found = explore(scenario);
    expect({ scenario, wrongs: Object.fromEntries(found.wrongs) }).toEqual({ scenario, wrongs: {} });
    states += found.states;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(
    `${String(states)} states of requests, hands, lock and service in ${seconds} s: 0 broken promises, from each the lock is shown as it is`,
  );
  expect(states).toBeGreaterThan(100_000);
}, 1_800_000);
