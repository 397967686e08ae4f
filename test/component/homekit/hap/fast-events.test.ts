// The pulse that brings a lock's news along: when it is there, in which order it comes, and that it ends.
import type { PlatformAccessory } from 'homebridge';
import { describe, expect, it } from 'vitest';
import { FRONT } from '../../../stand-ins/account/runtime.ts';
import { fixtureWithFrontDoor, type HomeFixture } from '../fixture.ts';

function fixtureOf(fastEvents: boolean, restored: readonly PlatformAccessory[] = []): HomeFixture {
  return fixtureWithFrontDoor({ restored, options: { fastEvents } });
}

const hand = { method: 'thumbturn', id: null, name: null } as const;

function turned(fixture: HomeFixture, bolt: 'secured' | 'unsecured'): void {
  fixture.runtime.report(FRONT, { bolt, accessor: hand, connected: true });
}

/** A door that was locked by hand, a poll ago; what it began has ended. */
async function settledDoor(): Promise<HomeFixture> {
  const fixture = fixtureOf(true);
  turned(fixture, 'secured');
  fixture.runtime.report(FRONT, { bolt: 'secured', source: 'poll' });
  await fixture.clock.advance(10_000);
  return fixture;
}

describe('fast events', () => {
  it('follow target, current state and last action, and end by themselves', async () => {
    const fixture = await settledDoor();
    const sent = fixture.listen();
    turned(fixture, 'unsecured');
    expect(sent).toEqual([
      { name: 'Lock Target State', value: 0 },
      { name: 'Lock Current State', value: 0 },
      { name: 'Lock Last Known Action', value: 10 },
      { name: 'Motion Detected', value: true },
    ]);
    await fixture.clock.advance(1_000);
    expect(sent.slice(4)).toEqual([{ name: 'Motion Detected', value: false }]);
  });

  it('are sent with every change, also while the pulse is on, which then ends once', async () => {
    const fixture = await settledDoor();
    const sent = fixture.listen();
    turned(fixture, 'unsecured');
    await fixture.clock.advance(999);
    turned(fixture, 'secured');
    await fixture.clock.advance(999);
    const pulses = (): unknown[] =>
      sent.flatMap(({ name, value }) => (name === 'Motion Detected' ? [value] : []));
    expect(pulses()).toEqual([true, true]);
    await fixture.clock.advance(1);
    expect(pulses()).toEqual([true, true, false]);
  });

  it('are sent for a request, which moves the target alone, and for a method that is reported after the position', async () => {
    const fixture = await settledDoor();
    const sent = fixture.listen();
    fixture.runtime.happen(FRONT, { type: 'requested', target: 'unsecured' });
    expect(sent).toEqual([
      { name: 'Lock Target State', value: 0 },
      { name: 'Motion Detected', value: true },
    ]);
    fixture.runtime.report(FRONT, { bolt: 'unsecured', source: 'poll' });
    await fixture.clock.advance(10_000);
    const later = fixture.listen();
    turned(fixture, 'unsecured');
    expect(later).toEqual([
      { name: 'Lock Last Known Action', value: 10 },
      { name: 'Motion Detected', value: true },
    ]);
  });

  it('are not sent when a report changes nothing of the lock', async () => {
    const fixture = await settledDoor();
    const sent = fixture.listen();
    turned(fixture, 'secured');
    fixture.runtime.report(FRONT, { battery: { grade: 'normal', percent: 80 } });
    fixture.runtime.report(FRONT, { connected: true });
    fixture.runtime.alert(FRONT, 'alarm');
    expect(sent.filter(({ name }) => name === 'Motion Detected')).toEqual([]);
  });

  it('are not sent by a start or by the cache, where a pulse may have been left on', () => {
    const before = fixtureOf(true);
    turned(before, 'secured');
    expect(before.characteristic('LockManagement', 'Motion Detected').value).toBe(true);
    const fixture = fixtureOf(true, before.throughCache());
    expect(fixture.characteristic('LockManagement', 'Motion Detected').value).toBe(false);
    expect(fixtureOf(true).characteristic('LockManagement', 'Motion Detected').value).toBe(false);
  });

  it('are off by default and with the option turned off again, and add no service', () => {
    for (const fixture of [fixtureWithFrontDoor(), fixtureOf(false, fixtureOf(true).throughCache())]) {
      turned(fixture, 'secured');
      const { characteristics } = fixture.service('LockManagement') ?? expect.fail('There is no service');
      expect(characteristics.map(({ displayName }) => displayName)).not.toContain('Motion Detected');
    }
  });

  it('end with HomeKit, and leave no timer', () => {
    const fixture = fixtureOf(true);
    turned(fixture, 'secured');
    fixture.homekit.dispose();
    expect(fixture.characteristic('LockManagement', 'Motion Detected').value).toBe(false);
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});
