// The options of HomeKit, from the configuration and those of one lock.
import { expect, it } from 'vitest';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { lockOptionsFor } from '../../../src/plugin/homekit-options.ts';
import { configOf } from '../../support/checked-config.ts';

it('a switch that unlocks only locks where a lock may not be unlocked from afar (faults#80)', () => {
  const config = configOf({ alerts: { automationSwitch: 'bothWays' } });
  const switches = [true, false].map((remoteUnlock) => {
    const options = effectiveLockOptions(config, { remoteUnlock }, 'a');
    return lockOptionsFor(config, options).alerts.automationSwitch;
  });
  expect(switches).toEqual(['bothWays', 'lockOnly']);
});
