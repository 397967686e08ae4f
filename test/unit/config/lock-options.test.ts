// The options in force for one lock: config.json over a page, a page over the defaults.
import { describe, expect, it } from 'vitest';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { valuesOf } from '../../../src/domain/locks/settings.ts';
import { configOf } from '../../support/checked-config.ts';
import { USUAL_SETTINGS } from '../../support/usual-settings.ts';

describe('the options of a lock', () => {
  it('are the defaults where none is set', () => {
    expect(effectiveLockOptions(configOf({}), {}, 'a')).toEqual(USUAL_SETTINGS);
    expect(valuesOf(USUAL_SETTINGS)).toMatchObject({ hide: false, remoteUnlock: true, adminOnly: false });
  });

  it('are those that a page stored where config.json has none', () => {
    const options = effectiveLockOptions(configOf({}), { remoteUnlock: false, name: 'Porch' }, 'a');
    expect(options.remoteUnlock).toEqual({ value: false, from: 'page' });
    expect(options.name).toEqual({ value: 'Porch', from: 'page' });
  });

  it('are those of config.json, whatever a page stored', () => {
    const written = configOf({ locks: [{ id: 'a', remoteUnlock: false, hide: false }] });
    const options = effectiveLockOptions(written, { remoteUnlock: true, hide: true, adminOnly: true }, 'a');
    expect(options.remoteUnlock).toEqual({ value: false, from: 'config' });
    expect(options.hide).toEqual({ value: false, from: 'config' });
    expect(options.adminOnly).toEqual({ value: true, from: 'page' });
  });

  it('of one lock do not affect another', () => {
    const written = configOf({ locks: [{ id: 'a', remoteUnlock: false }] });
    expect(effectiveLockOptions(written, {}, 'b').remoteUnlock).toEqual({ value: true, from: 'default' });
  });

  it('have the level of all locks where none of their own is set', () => {
    const written = configOf({ lowBattery: { threshold: 30 }, locks: [{ id: 'a', lowBattery: 50 }] });
    expect(effectiveLockOptions(written, {}, 'a').lowBattery).toEqual({ value: 50, from: 'config' });
    expect(effectiveLockOptions(written, {}, 'b').lowBattery).toEqual({ value: 30, from: 'default' });
  });
});
