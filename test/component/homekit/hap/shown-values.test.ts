// Every controller ends with the last value: one that reads a message backwards, and one that subscribes and does not read.
import { describe, expect, it } from 'vitest';
import type { RequestAnswer } from '../../../../src/engine/account-runtime.ts';
import { resetCachedState } from '../../../../src/homekit/lock/lock-mechanism-service.ts';
import { FRONT } from '../../../stand-ins/account/runtime.ts';
import { DEFAULTS, fixtureWithFrontDoor, HomeFixture, lockedDoor, type SentEvent } from '../fixture.ts';

const LOCKED = 1;
const UNLOCKED = 0;
const UNKNOWN = 3;

/** A locked door with a controller that hears of it, long after the last event. */
async function heardDoor(): Promise<{
  fixture: HomeFixture;
  currents: () => unknown[];
  all: readonly SentEvent[];
}> {
  const fixture = lockedDoor({
    options: { alerts: { ...DEFAULTS.alerts, boltSensor: 'occupancy', automationSwitch: 'bothWays' } },
  });
  for (const { characteristics } of fixture.accessory().services) {
    for (const characteristic of characteristics) {
      characteristic.subscribe();
    }
  }
  await fixture.clock.advance(60_000);
  const all = fixture.listen();
  return { fixture, all, currents: () => valuesOf(all, 'Lock Current State') };
}

function valuesOf(sent: readonly SentEvent[], wanted: string): unknown[] {
  return sent.flatMap(({ name, value }) => (name === wanted ? [value] : []));
}

describe('a value that changes twice in a short time (faults#166)', () => {
  it('is sent once more, alone, when the message with both has left', async () => {
    const { fixture, all, currents } = await heardDoor();
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    await fixture.clock.advance(200);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    await fixture.clock.advance(319);
    expect(currents()).toEqual([UNLOCKED, LOCKED]);
    await fixture.clock.advance(1);
    expect(currents()).toEqual([UNLOCKED, LOCKED, LOCKED]);
    for (const [name, values] of [
      ['Lock Target State', [UNLOCKED, LOCKED, LOCKED]],
      ['Occupancy Detected', [0, 1, 1]],
      ['On', [false, true, true]],
    ] as const) {
      expect([name, valuesOf(all, name)]).toEqual([name, values]);
    }
  });

  it('is sent again after the last change of a row of them, and after a change that meets the repetition', async () => {
    const { fixture, currents } = await heardDoor();
    for (const bolt of ['unsecured', 'secured', 'unsecured'] as const) {
      fixture.runtime.report(FRONT, { bolt });
      await fixture.clock.advance(250);
    }
    await fixture.clock.advance(70);
    expect(currents()).toEqual([UNLOCKED, LOCKED, UNLOCKED, UNLOCKED]);
    await fixture.clock.advance(100);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    await fixture.clock.advance(320);
    expect(currents().slice(4)).toEqual([LOCKED, LOCKED]);
  });

  it('is not sent again where the changes are apart, or nobody has subscribed', async () => {
    const { fixture, currents } = await heardDoor();
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    await fixture.clock.advance(300);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    await fixture.clock.advance(5_000);
    expect(currents()).toEqual([UNLOCKED, LOCKED]);

    const quiet = lockedDoor();
    const sent = quiet.listen();
    quiet.runtime.report(FRONT, { bolt: 'unsecured' });
    quiet.runtime.report(FRONT, { bolt: 'secured' });
    await quiet.clock.advance(5_000);
    expect(valuesOf(sent, 'Lock Current State')).toEqual([UNLOCKED, LOCKED]);
  });

  it('waits for the answer to a write, because HAP holds the events of its controller until then', async () => {
    const { fixture, currents } = await heardDoor();
    const asked = Promise.withResolvers<RequestAnswer>();
    fixture.runtime.answer = async () => asked.promise;
    const written = fixture.write(fixture.target(), UNLOCKED);
    await fixture.clock.advance(100);
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    await fixture.clock.advance(800);
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    await fixture.clock.advance(900);
    expect(currents()).toEqual([UNLOCKED, LOCKED]);
    asked.resolve({ kind: 'accepted' });
    await written;
    await fixture.clock.advance(320);
    expect(currents()).toEqual([UNLOCKED, LOCKED, LOCKED]);
  });

  it('of a write that was refused is sent again to the others, which saw it asked for', async () => {
    const { fixture, all } = await heardDoor();
    fixture.runtime.answer = async (id, target) => {
      fixture.runtime.happen(id, { type: 'requested', target });
      fixture.runtime.happen(id, { type: 'request-dropped' });
      return Promise.resolve({ kind: 'refused', reason: 'too-late' });
    };
    await fixture.write(fixture.target(), UNLOCKED);
    await fixture.clock.advance(320);
    const targets = valuesOf(all, 'Lock Target State');
    expect([targets.at(0), targets.at(-1)]).toEqual([UNLOCKED, LOCKED]);
    expect(targets.filter((target) => target === LOCKED).length).toBeGreaterThan(1);
  });

  it('leaves no timer behind', async () => {
    const { fixture } = await heardDoor();
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    fixture.runtime.report(FRONT, { bolt: 'secured' });
    fixture.homekit.dispose();
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});

describe('a controller that subscribes after a restart and does not read (faults#167)', () => {
  /** The process ends cleanly, or is killed; the next one reports this bolt before anybody subscribes. */
  async function restarted(
    end: 'stopped' | 'killed',
    bolt: 'secured' | 'unsecured' | null,
  ): Promise<unknown[]> {
    const before = lockedDoor();
    const killed = before.throughCache();
    before.homekit.dispose();
    const restored = end === 'stopped' ? before.throughCache() : killed;
    for (const accessory of restored) {
      resetCachedState(before.api, accessory);
    }
    const fixture = fixtureWithFrontDoor({ restored });
    if (bolt !== null) {
      fixture.runtime.report(FRONT, { bolt, connected: true });
    }
    const sent = fixture.listen();
    await fixture.clock.advance(2_000);
    fixture.current().subscribe();
    await fixture.clock.advance(320);
    const first = valuesOf(sent, 'Lock Current State');
    fixture.current().subscribe();
    await fixture.clock.advance(60_000);
    const later = valuesOf(sent, 'Lock Current State').slice(first.length);
    expect(later).toEqual(first.flatMap((value) => Array.from({ length: 5 }, () => value)));
    return first;
  }

  it('hears a position that differs from the one before, and so do those who come later', async () => {
    expect(await restarted('stopped', 'unsecured')).toEqual([UNLOCKED]);
  });

  it('hears that the position is not known', async () => {
    expect(await restarted('stopped', null)).toEqual([UNKNOWN]);
  });

  it('hears the latest position, when the door is turned after others have subscribed', async () => {
    const before = lockedDoor();
    const restored = before.throughCache();
    before.homekit.dispose();
    const fixture = fixtureWithFrontDoor({ restored });
    fixture.current().subscribe();
    await fixture.clock.advance(1_000);
    fixture.runtime.report(FRONT, { bolt: 'unsecured', connected: true });
    await fixture.clock.advance(1_000);
    const sent = fixture.listen();
    fixture.current().subscribe();
    await fixture.clock.advance(3_000);
    expect(valuesOf(sent, 'Lock Current State')).toEqual([UNLOCKED, UNLOCKED]);
  });

  it('hears nothing of a door that has not moved', async () => {
    expect(await restarted('stopped', 'secured')).toEqual([]);
  });

  it('hears the position after a kill, because nobody knows what was shown', async () => {
    expect(await restarted('killed', 'secured')).toEqual([LOCKED]);
  });

  it('hears what changed while no controller was there', async () => {
    const { fixture, currents } = await heardDoor();
    fixture.current().unsubscribe();
    fixture.runtime.report(FRONT, { bolt: 'unsecured' });
    await fixture.clock.advance(5_000);
    fixture.current().subscribe();
    await fixture.clock.advance(320);
    expect(currents()).toEqual([UNLOCKED, UNLOCKED]);
  });

  it('is told nothing of an earlier process by the cache of one that was killed', () => {
    const before = lockedDoor();
    before.homekit.dispose();
    const next = new HomeFixture({ restored: before.throughCache() });
    const told = (fixture: HomeFixture): boolean[] => fixture.saved.map(({ context }) => 'shown' in context);
    expect([told(before), told(next)]).toEqual([[true], [false]]);
  });
});
