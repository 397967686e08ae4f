// The options of a lock for HomeKit, where they are not simply those of the configuration.
import { expect, it } from 'vitest';
import { optionsOf } from '../../component/homekit/fixture.ts';
import { FRONT } from '../../stand-ins/account/runtime.ts';

it.each([
  ['off', true, 'off'],
  ['off', false, 'off'],
  ['lockOnly', true, 'lockOnly'],
  ['lockOnly', false, 'lockOnly'],
  ['bothWays', true, 'bothWays'],
  ['bothWays', false, 'lockOnly'],
])('automationSwitch %s with remoteUnlock %s is %s (faults#80)', (written, remoteUnlock, inForce) => {
  const { alerts } = optionsOf({
    alerts: { automationSwitch: written },
    locks: [{ id: FRONT, remoteUnlock }],
  });
  expect(alerts.automationSwitch).toBe(inForce);
});
