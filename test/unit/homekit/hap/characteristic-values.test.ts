// Our numbers against HAP's own: they are copied because const enums cannot be used, and so they are held together here.
import * as hap from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import * as ours from '../../../../src/homekit/hap/characteristic-values.ts';

/** The class or enum of HAP with this name, as it exists at run time. */
const real = new Map<string, unknown>([...Object.entries(hap), ...Object.entries(hap.Characteristic)]);

/** Its members by name. */
function membersOf(name: string): unknown {
  return Object.fromEntries(Object.entries(real.get(name) ?? {}));
}

describe('a characteristic value of ours', () => {
  it.each([
    ['LockCurrentState', ours.CURRENT_STATE],
    ['LockTargetState', ours.TARGET_STATE],
    ['LockLastKnownAction', ours.LAST_ACTION],
    ['StatusLowBattery', ours.LOW_BATTERY],
    ['ChargingState', ours.CHARGING],
    ['OccupancyDetected', ours.OCCUPANCY],
    ['ContactSensorState', ours.CONTACT],
    ['StatusFault', ours.FAULT],
    ['HAPStatus', ours.HAP_STATUS],
    ['Categories', ours.CATEGORY],
    ['Access', ours.ACCESS],
  ])('is that of HAP: %s', (name, numbers) => {
    expect(membersOf(name)).toMatchObject(numbers);
  });

  it.each([
    ['LockCurrentState', ours.CURRENT_STATE],
    ['LockTargetState', ours.TARGET_STATE],
    ['LockLastKnownAction', ours.LAST_ACTION],
  ])('covers every state of %s', (name, numbers) => {
    const { props } = new (real.get(name) as new () => hap.Characteristic)();
    expect(props.validValues).toEqual(Object.values(numbers));
  });
});
