// The same exploration with the smallest budgets: in a second, and so also for every changed line of `npm run mutate`.
import { describe, expect, it } from 'vitest';
import { type Budget, CommandWorld, explore } from '../../support/command-world.ts';

describe('the command machine with a lock and a service', () => {
  it.each<[string, Partial<Budget>, number]>([
    ['two requests', { taps: 2 }, 50],
    ['a request and a pause', { taps: 1, waits: 1 }, 50],
    ['a request, a reading and a listing', { taps: 1, readBacks: 1, listings: 1 }, 100],
    ['a request and an event', { taps: 1, events: 1 }, 50],
    ['a request and two turns by hand', { taps: 1, turns: 2, events: 1 }, 500],
    ['a request and a restart', { taps: 1, restarts: 1 }, 20],
  ])('breaks no promise within %s (faults#29, faults#30)', (_, budget, least) => {
    const { states, wrongs } = explore(new CommandWorld(), budget);
    expect(Object.fromEntries(wrongs)).toEqual({});
    expect(states).toBeGreaterThan(least);
  });
});
