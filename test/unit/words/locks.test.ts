// What is said of who moved a bolt, and of a battery.
import { describe, expect, it } from 'vitest';
import { batteryWords, boltNews, byWords, nameOf, presenceNews } from '../../../src/words/locks.ts';
import { lockView } from '../cli/terminal/lock-view.ts';

const WALKER = { method: 'access-code', id: 'a71e', name: 'Dog walker' } as const;

describe('a lock in words', () => {
  it.each([
    [{ grade: 'normal', percent: 87 }, '87%'],
    [{ grade: 'low', percent: 9 }, 'low, 9%'],
    [{ grade: 'critical', percent: null }, 'nearly empty'],
    [{ grade: 'unknown', percent: null }, ''],
  ] as const)('has a battery as reported: %j', (battery, words) => {
    expect(batteryWords(battery)).toBe(words);
  });

  it('names a mover only where the service does', () => {
    expect(byWords(WALKER)).toBe(' by Dog walker (a code)');
    expect(byWords({ method: 'thumbturn', id: null, name: null })).toBe(' by hand');
    expect(byWords({ method: 'unavailable', id: null, name: null })).toBe('');
    expect(byWords({ method: 'other', id: null, name: 'Somebody' })).toBe(' by Somebody');
  });

  it('whose bolt is unknown names nobody as the cause', () => {
    expect(boltNews('unknown', WALKER)).toBe('bolt position unknown');
  });

  it('that is reached again says whether it was offline or gone from the account', () => {
    expect(presenceNews('reachable', 'missing')).toBe('back in the account');
    expect(presenceNews('reachable', 'offline')).toBe('back online');
    expect(presenceNews('reachable')).toBe('back online');
  });

  it('is called by its id where it has no name', () => {
    expect(nameOf(lockView('Garage'))).toBe('Garage');
    expect(nameOf(lockView(''))).not.toBe('');
  });
});
