// The settings that a page may store for one lock: checked like config.json, refused where that sets them, read back one by one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedLockSettings,
  type LockSettingsReading,
  readKeptLockSettings,
} from '../../../src/config/kept-lock-settings.ts';
import type { LockSettings } from '../../../src/domain/locks/settings.ts';
import { t } from '../../../src/words/translate.ts';

type Change = Readonly<Record<string, unknown>>;

function changed(change: Change, kept: LockSettings = {}, written: LockSettings = {}): LockSettingsReading {
  const locks = new Map([
    ['front', written],
    ['back', { hide: true, remoteUnlock: false }],
  ]);
  return changedLockSettings({ config: { locks }, lockId: 'front', kept, change });
}

function problems(change: Change, written: LockSettings = {}): readonly string[] {
  const reading = changed(change, {}, written);
  return reading.ok ? [] : reading.problems.map((line) => t(line));
}

describe("a change of a lock's stored settings", () => {
  it('keeps the named settings, and leaves the others unchanged', () => {
    expect(changed({ hide: true, name: ' Porch ' }, { remoteUnlock: false })).toEqual({
      ok: true,
      settings: { remoteUnlock: false, hide: true, name: 'Porch' },
    });
  });

  it.each([null, '', '  '])('takes a setting back with %j', (nothing) => {
    const kept = { name: 'Porch', timeZone: 'Europe/Paris', hide: true };
    expect(changed({ name: nothing, timeZone: nothing }, kept)).toEqual({
      ok: true,
      settings: { hide: true },
    });
  });

  it('counts undefined as not named, and is not limited by the options of other locks', () => {
    const change = { hide: undefined, remoteUnlock: true };
    expect(changed(change, { hide: true })).toEqual({
      ok: true,
      settings: { hide: true, remoteUnlock: true },
    });
  });

  it.each([
    [{ timeZone: 'Mars/Olympus' }, ['timeZone: is not an IANA time zone; enter one such as Europe/Paris']],
    [{ colour: 'red' }, ['colour: is not an option of a lock; remove it']],
    [{ id: 'back' }, ['id: is not an option of a lock; remove it']],
    [JSON.parse('{"__proto__":{"hide":true}}'), ['__proto__: is not an option of a lock; remove it']],
    [
      { hide: 1, lowBattery: 99 },
      [
        'hide: must be true or false without quotes; correct or remove it',
        'lowBattery: must be at most 95; lower it',
      ],
    ],
  ] as readonly (readonly [Change, readonly string[]])[])('refuses %j in words', (change, words) => {
    expect(problems(change)).toEqual(words);
  });

  it.each([true, false, null])('refuses remoteUnlock %j where config.json sets it', (remoteUnlock) => {
    expect(problems({ remoteUnlock, adminOnly: true }, { remoteUnlock: false })).toEqual([
      'remoteUnlock: is set in config.json (locks[].remoteUnlock); change it there',
    ]);
  });
});

describe('the stored settings of a lock', () => {
  it('are read option by option, so that a wrong one does not undo a prohibition of another', () => {
    const kept = { remoteUnlock: false, lowBattery: 'half', timeZone: 'Mars/Olympus', later: 1 };
    expect(readKeptLockSettings(kept)).toEqual({ remoteUnlock: false });
  });

  it.each([null, 7, 'text', []])('are empty for %j', (value) => {
    expect(readKeptLockSettings(value)).toEqual({});
  });

  it('are read back as they were stored, with any content', () => {
    const option = fc.record(
      {
        name: fc.constantFrom('Porch', 'Main entrance'),
        hide: fc.boolean(),
        remoteUnlock: fc.boolean(),
        adminOnly: fc.boolean(),
        timeZone: fc.constantFrom('Europe/Paris', 'America/New_York'),
        lowBattery: fc.integer({ min: 1, max: 95 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(option, option, (kept, change) => {
        const reading = changed(change, kept);
        expect(reading).toEqual({ ok: true, settings: { ...kept, ...change } });
        const written: unknown = JSON.parse(JSON.stringify({ ...kept, ...change }));
        expect(readKeptLockSettings(written)).toEqual({ ...kept, ...change });
      }),
    );
  });
});
