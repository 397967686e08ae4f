// Every order of taps, answers, losses, events, readings, restarts and sleep, up to a depth, breaks no promise.
import { describe, expect, it } from 'vitest';
import { mayLeave } from '../../../src/domain/command-machine.ts';
import { CommandWorld, explore, type Limits } from '../../support/command-world.ts';

const LIMITS: Limits = { taps: 2, depth: 8, restarts: 1, sleeps: 1 };

describe('the command machine with a lock and a service', () => {
  it('never sends an unlock twice or late, and never shows "locked" without evidence (faults#29, faults#30)', () => {
    const { states, wrongs } = explore(new CommandWorld(LIMITS), LIMITS);
    console.log(`${String(states)} states of requests, lock and service: ${String(wrongs.size)} broken promises`);
    expect([...wrongs.keys()], [...wrongs.values()].flat().join('\n')).toEqual([]);
    expect(states).toBeGreaterThan(50_000);
  }, 60_000);

  it('is explored far enough to find a guard that lets everything leave', () => {
    const broken: typeof mayLeave = ({ active }, key) => active?.key === key || active === null;
    const { wrongs } = explore(new CommandWorld(LIMITS, undefined, broken), { ...LIMITS, depth: 5 });
    expect([...wrongs.keys()].join()).toContain('no longer the last request');
  });
});
