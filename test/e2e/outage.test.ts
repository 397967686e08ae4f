// The service is down, slow, or back: what Home shows meanwhile is never a guess, and Homebridge is never held up.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const SECURED = 1;
const UNSECURED = 0;

describe('a service that does not answer', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder });
  });

  afterAll(async () => {
    await stage.leave();
  });

  it('is answered for at once when it is slow: success within 2.5 s, reads at once, no word of slowness (faults#31)', async () => {
    const lock = stage.lock('Garage');
    await untilShown(lock, 'locked');
    await stage.fault({
      kind: 'latency',
      delayMs: 30_000,
      often: 'once',
      method: 'POST',
      path: '**/commands',
    });
    const tappedAt = performance.now();
    expect(await lock.tap('unlocked')).toBe(0);
    expect(performance.now() - tappedAt).toBeLessThan(2_500);
    const times: number[] = [];
    for (let read = 0; read < 200; read += 1) {
      const startedAt = performance.now();
      expect(await lock.shown()).toBe('locked');
      times.push(performance.now() - startedAt);
    }
    expect(times.sort((a, b) => a - b)[197]).toBeLessThan(100);
    expect(stage.lines.filter(({ text }) => text.includes('slows down'))).toEqual([]);
    await stage.heal();
  });

  it('lets nothing be shown as locked or unlocked after a restart, on neither way of reading (faults#5, faults#22)', async () => {
    await stage.fault({ kind: 'cut', when: 'before-work', often: 'always' });
    await stage.restartHomebridge();
    for (const lock of stage.locks) {
      expect([SECURED, UNSECURED]).not.toContain(stage.home.listed(lock.current));
      expect(['unknown', 'no response']).toContain(await lock.shown());
    }
    expect(stage.home.events.map(({ characteristic }) => characteristic)).not.toContain(
      stage.lock('Garage').current.characteristic.UUID,
    );
  });

  it('is asked again by itself, and Home shows the truth', async () => {
    await stage.heal();
    const lock = stage.lock('Front door');
    await untilShown(lock, 'locked', 40_000);
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('is complained about once when it is lost, and not by Homebridge', () => {
    const complaints = stage.takeComplaints().filter((line) => !line.includes('Garage'));
    expect(complaints.filter((line) => line.includes('lock service'))).toHaveLength(1);
    expect(complaints.filter((line) => line.includes('homebridge-latchkey'))).toEqual([]);
  });
});
