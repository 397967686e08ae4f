// The pulse that brings a lock's news along: when it is there, in which order it comes, and that it ends.
import type { PlatformAccessory } from 'homebridge';
import { describe, expect, it } from 'vitest';
import { type Bench, benchWithFrontDoor, DEFAULTS, FRONT } from './fixture.ts';

function benchOf(fastEvents: boolean, restored: readonly PlatformAccessory[] = []): Bench {
  return benchWithFrontDoor({ restored, options: () => ({ ...DEFAULTS, fastEvents }) });
}

const hand = { method: 'thumbturn', id: null, name: null } as const;

function turned(bench: Bench, bolt: 'secured' | 'unsecured'): void {
  bench.runtime.report(FRONT, { bolt, accessor: hand, connected: true });
}

function managementNames(bench: Bench): readonly string[] {
  return bench.service('LockManagement')?.characteristics.map(({ displayName }) => displayName) ?? [];
}

describe('fast events', () => {
  it('are off by default: nothing of them is there', () => {
    expect(managementNames(benchOf(false))).not.toContain('Motion Detected');
  });

  it('come after target, current and last action, and end by themselves', async () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    bench.runtime.report(FRONT, { bolt: 'secured', source: 'poll' });
    await bench.clock.advance(10_000);
    const sent = bench.listen();
    turned(bench, 'unsecured');
    expect(sent).toEqual([
      { name: 'Lock Target State', value: 0 },
      { name: 'Lock Current State', value: 0 },
      { name: 'Lock Last Known Action', value: 10 },
      { name: 'Motion Detected', value: true },
    ]);
    await bench.clock.advance(1_000);
    expect(sent.slice(4)).toEqual([{ name: 'Motion Detected', value: false }]);
  });

  it('come with every change, also while the pulse is on, which then ends once', async () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    await bench.clock.advance(10_000);
    const sent = bench.listen();
    turned(bench, 'unsecured');
    await bench.clock.advance(999);
    turned(bench, 'secured');
    await bench.clock.advance(999);
    const pulses = (): unknown[] =>
      sent.flatMap(({ name, value }) => (name === 'Motion Detected' ? [value] : []));
    expect(pulses()).toEqual([true, true]);
    await bench.clock.advance(1);
    expect(pulses()).toEqual([true, true, false]);
  });

  it('come for a wish, which moves the target alone', async () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    await bench.clock.advance(10_000);
    const sent = bench.listen();
    bench.runtime.happen(FRONT, { type: 'requested', target: 'unsecured' });
    expect(sent).toEqual([
      { name: 'Lock Target State', value: 0 },
      { name: 'Motion Detected', value: true },
    ]);
  });

  it('come for the way of a move that is told after the bolt was seen there', async () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    bench.runtime.report(FRONT, { bolt: 'unsecured', source: 'poll' });
    await bench.clock.advance(10_000);
    const sent = bench.listen();
    turned(bench, 'unsecured');
    expect(sent).toEqual([
      { name: 'Lock Last Known Action', value: 10 },
      { name: 'Motion Detected', value: true },
    ]);
  });

  it('do not come when nothing of the lock is news', async () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    await bench.clock.advance(10_000);
    const sent = bench.listen();
    turned(bench, 'secured');
    bench.runtime.report(FRONT, { battery: { grade: 'normal', percent: 80 } });
    bench.runtime.report(FRONT, { connected: true });
    bench.runtime.alert(FRONT, 'alarm');
    expect(sent.filter(({ name }) => name === 'Motion Detected')).toEqual([]);
  });

  it('do not come from a start or from the cache, where a pulse may have been left on', () => {
    const before = benchOf(true);
    turned(before, 'secured');
    expect(before.characteristic('LockManagement', 'Motion Detected').value).toBe(true);
    const bench = benchOf(true, before.throughCache());
    expect(bench.characteristic('LockManagement', 'Motion Detected').value).toBe(false);
    expect(benchOf(true).characteristic('LockManagement', 'Motion Detected').value).toBe(false);
  });

  it('leave nothing behind when the option turns off', () => {
    const bench = benchOf(false, benchOf(true).throughCache());
    expect(managementNames(bench)).not.toContain('Motion Detected');
    turned(bench, 'secured');
    expect(managementNames(bench)).not.toContain('Motion Detected');
  });

  it('end with the room, and leave no timer', () => {
    const bench = benchOf(true);
    turned(bench, 'secured');
    bench.homekit.dispose();
    expect(bench.characteristic('LockManagement', 'Motion Detected').value).toBe(false);
    expect(bench.clock.pendingTimers).toBe(0);
  });
});
