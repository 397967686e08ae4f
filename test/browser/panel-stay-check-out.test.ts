// Guests who leave on the panel, in a real browser: what the doors say, "Checked out" by one tap, and "Let in again".
import { describe, expect, test } from 'vitest';
import type { StayView } from '../../src/features/stays/panel/views.ts';
import { systemClock } from '../../src/support/clock.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay } from '../stand-ins/account/stays.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { listCodes } from './scenes.ts';
import { gone, seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('guests who leave on the panel', () => {
  const visit = panelVisits();

  const hold = (stay: Partial<StayView>): void => {
    const show = (more: Partial<StayView>): void => {
      const one = aStay(-1, 1, { name: 'Stay of Anna', phase: 'arrived', code: 'hidden', ...stay, ...more });
      visit.account.stays = { calendars: [aCalendar()], stays: [one] };
    };
    visit.account.hold(aLock('Front door'));
    show({});
    listCodes(visit.account, () => ({}));
    visit.account.answers.set('stays.checkout', (input) => {
      const isOut = (input as { readonly out: boolean }).out;
      const out = { phase: 'gone', checkedOutAt: systemClock.now(), goneAt: systemClock.now() } as const;
      show({
        seemsLeftAt: null,
        ...(isOut ? out : { phase: 'preparing', checkedOutAt: null, goneAt: null }),
      });
      return { kind: 'saved', stays: visit.account.stays };
    });
  };

  test('a guest who seems to have left is said, and one tap ends the code', async () => {
    hold({ seemsLeftAt: systemClock.now() - 600_000 });
    await visit.openLinked('#stays');
    expect(await seen(visit.words('Seems to have left: the door was locked from outside at '))).toBe(true);
    expect(visit.inputsOf('stays.checkout')).toEqual([]);
    await visit.push('Checked out, Stay of Anna');
    await expect.poll(() => visit.inputsOf('stays.checkout')).toEqual([{ stay: 's-1', out: true }]);
    expect(await gone(visit.words('Seems to have left'))).toBe(true);
    await visit.words('1 ended stay').click();
    expect(await visit.person('Stay of Anna').innerText()).toContain('Checked out, code gone');
  });

  test('a guest who is still here keeps the code', async () => {
    hold({ seemsLeftAt: systemClock.now() - 600_000 });
    await visit.openLinked('#stays');
    await visit.push('Still here, Stay of Anna');
    await expect.poll(() => visit.inputsOf('stays.checkout')).toEqual([{ stay: 's-1', out: false }]);
    expect(await gone(visit.words('Seems to have left'))).toBe(true);
  });

  test('a guest is checked out from the menu on any day, and let in again', async () => {
    hold({});
    await visit.openLinked('#stays');
    await visit.choose('Checked out', 'Stay of Anna');
    await expect.poll(() => visit.inputsOf('stays.checkout')).toEqual([{ stay: 's-1', out: true }]);
    await visit.words('1 ended stay').click();
    await visit.choose('Let in again', 'Stay of Anna');
    await expect.poll(() => visit.inputsOf('stays.checkout')).toContainEqual({ stay: 's-1', out: false });
    expect(await seen(visit.words('Adding the code …'))).toBe(true);
  });

  test('nobody is checked out who is not there yet', async () => {
    visit.account.hold(aLock('Front door'));
    visit.account.stays = {
      calendars: [aCalendar()],
      stays: [aStay(1, 3, { name: 'Stay of Bob', phase: 'ready', code: 'hidden' })],
    };
    listCodes(visit.account, () => ({}));
    await visit.openLinked('#stays');
    await visit.push('More, Stay of Bob');
    expect(await seen(visit.button('Skip this stay, Stay of Bob'))).toBe(true);
    expect(await visit.button('Checked out, Stay of Bob').count()).toBe(0);
  });
});
