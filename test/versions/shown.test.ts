// What Home shows with every option that adds to it: the same on each Homebridge and Node, but for Matter.
import { Characteristic, Service } from 'hap-nodejs';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type OpenedStage, openStage } from '../e2e/stage.ts';
import { ITS_OWN, PAIRS } from './versions.ts';

const EVERYTHING = {
  alerts: {
    wrongCode: { enabled: true },
    keypadLockedOut: true,
    activityAlarm: true,
    guestArrived: true,
    jam: true,
    lowBattery: true,
    leftUnlocked: 10,
    autoLockMinutes: 20,
    unlockedByCode: ['Cleaner'],
    movedBy: ['keypad', 'inside'],
    boltSensor: 'occupancy',
    automationSwitch: 'lockOnly',
  },
  fastEvents: true,
  appleHomeCodes: true,
  matter: 'both',
};

/** The name of a service or a characteristic in Apple's catalogue. */
function nameOf(catalogue: object, uuid: string): string {
  const found = Object.entries(catalogue as Record<string, { readonly UUID?: string } | null>).find(
    ([, kind]) => kind?.UUID === uuid,
  );
  return found?.[0] ?? uuid;
}

describe.each(PAIRS)('with every option on, $title', ({ versions, homebridge }) => {
  let stage: OpenedStage;

  beforeEach(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      onChildBridge: true,
      options: EVERYTHING,
      start: { versions },
    });
  });

  afterEach(async () => {
    await stage.leave();
  });

  it('shows every characteristic, answers each, and says in one line why there is no Matter', async () => {
    const { home } = stage;
    const shown = home.points.map(
      ({ accessory, service, characteristic }) =>
        `${accessory}: ${nameOf(Service, service.UUID)}, ${nameOf(Characteristic, characteristic.UUID)}`,
    );
    await expect(`${shown.sort().join('\n')}\n`).toMatchFileSnapshot('shown.txt');
    expect((await home.readListed()).filter(({ status }) => status !== 0)).toEqual([]);
    const lines = stage.complaints().filter((line) => !ITS_OWN.test(line));
    const advice = homebridge.startsWith('1.') ? 'Install Homebridge 2.4 or later.' : 'Turn Matter on';
    expect(lines).toEqual([expect.stringContaining(advice)]);
  });
});
