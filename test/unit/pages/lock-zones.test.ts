// On whose clocks a page shows a time, and when it names their zone.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { sameClocks } from '../../../src/domain/time/schedule-time.ts';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { lockZones } from '../../../web/panel/parts/lock-zones.ts';
import { clockWords, dayWords, timeWords, zoneMark } from '../../../web/panel/parts/reader-times.ts';
import { USUAL_SETTINGS } from '../../support/usual-settings.ts';

const NOW = Date.UTC(2026, 3, 14, 23, 30);
const [FRONT, BACK] = [lockId('front'), lockId('back')];

function settings(id: LockSettingsView['id'], zone: string | null, offsetMinutes: number | null) {
  const timeZone = { value: zone, from: 'default' } as const;
  return { ...USUAL_SETTINGS, id, accountName: id, offsetMinutes, timeZone };
}

function plain(words: string): string {
  return words.replaceAll(/\s/gu, ' ');
}

describe('the zones of a page', () => {
  it.each([
    ['the option counts', 'Europe/Paris', 60, 'America/New_York', 'Europe/Paris'],
    [
      'a clock at the reader’s offset is in the reader’s zone',
      null,
      -240,
      'America/New_York',
      'America/New_York',
    ],
    ['a clock at another offset has that offset', null, 120, 'America/New_York', '+02:00'],
    ['an unknown clock is the reader’s', null, null, 'America/New_York', 'America/New_York'],
  ])('%s', (_, written, offset, own, zone) => {
    const zones = lockZones([settings(FRONT, written, offset)], NOW, own);
    expect([zones.of(FRONT), zones.page]).toEqual([zone, zone]);
    expect(zones.of(null)).toBe(own);
  });

  it('are named once for all where all locks have one that is not the reader’s, whatever it is called', () => {
    const both = [settings(FRONT, 'Europe/Paris', null), settings(BACK, 'Europe/Berlin', null)];
    expect(lockZones(both, NOW, 'America/New_York').page).toBe('Europe/Paris');
    expect(lockZones(both, NOW, 'Europe/Rome').page).toBe('Europe/Rome');
    const apart = [settings(FRONT, 'Europe/Paris', null), settings(BACK, 'Asia/Tokyo', null)];
    expect(lockZones(apart, NOW, 'America/New_York').page).toBe('America/New_York');
  });

  it('are compared as clocks, not as names', () => {
    expect(sameClocks('Europe/Paris', 'Europe/Amsterdam')).toBe(true);
    expect(sameClocks('Asia/Kolkata', 'Asia/Calcutta')).toBe(true);
    expect(sameClocks('Asia/Tokyo', '+09:00')).toBe(true);
    expect(sameClocks('Europe/London', 'UTC')).toBe(false);
  });
});

describe('a time of a lock', () => {
  it('is on the clocks of the lock, whose day may be another, with the zone where the reader’s shows another time', () => {
    expect(plain(clockWords(NOW, 'Europe/Paris'))).toBe('1:30 AM');
    expect(dayWords(NOW - 3_600_000, NOW, 'Europe/Paris')).toBe('Today');
    expect(dayWords(NOW - 3_600_000, NOW, 'Asia/Tokyo')).toBe('Today');
    expect(dayWords(NOW - 3 * 3_600_000, NOW, 'Europe/Paris')).toBe('Yesterday');
    expect(plain(timeWords(NOW - 3 * 3_600_000, NOW, 'Europe/Paris'))).toBe('Apr 14, 10:30 PM');
    expect(zoneMark(NOW, 'Europe/Paris', 'America/New_York')).toBe(' (Europe/Paris)');
    expect(zoneMark(NOW, '+02:00', 'America/New_York')).toBe(' (UTC+02:00)');
    expect(zoneMark(NOW, '+02:00', 'Europe/Paris')).toBe('');
  });

  it('names the zone of weekly hours, too, where its clocks are not the reader’s', () => {
    const schedule = {
      kind: 'recurring',
      windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }],
    } as const;
    const reader = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(scheduleSentence(schedule, reader)).toBe('Mon 08:00–11:00');
    expect(scheduleSentence(schedule, 'Pacific/Chatham')).toBe('Mon 08:00–11:00 (Pacific/Chatham)');
  });
});
