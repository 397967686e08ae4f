// The page of one lock, in a real browser: reached by its card, with its state, its people, its day, its battery and its options.
import { describe, expect, test } from 'vitest';
import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

const FRONT = aLock('Front door');
const BACK = aLock('Back door');
const DAY_MS = 86_400_000;

const ALWAYS = { kind: 'always' } as const;

describe.skipIf(CHROMIUM === undefined)('the page of a lock', () => {
  const visit = panelVisits();

  const hold = (...locks: readonly (typeof FRONT)[]): void => {
    visit.account.hold(...locks);
    visit.account.answers.set('codes.list', () => ({
      timeZone: 'UTC',
      codes: [{ id: accessCodeId('c-1'), name: 'Cleaner', schedule: ALWAYS, revision: 1, readOnly: false }],
      strays: [],
      pinLength: null,
      mostCodes: 100,
    }));
  };

  test.each([
    ['a card', []],
    ['a row of many', Array.from({ length: 20 }, (_, index) => aLock(`Flat ${String(index)}`))],
  ])('opens from %s, keeps its place over a reload, and leads back', async (_, others) => {
    hold(FRONT, BACK, ...others);
    await visit.openLinked();
    // Beside the name: all of the card leads there.
    const box = await visit.card('Front door').boundingBox();
    await visit.card('Front door').click({ position: { x: 20, y: (box?.height ?? 0) - 6 } });
    await visit.heading('Front door').waitFor();
    await expect.poll(async () => visit.page.title()).toBe('Front door · Latchkey');
    await visit.page.reload();
    await visit.heading('Front door').waitFor();
    expect(await visit.card('Back door').count()).toBe(0);
    await visit.push('All locks');
    await visit.heading('Overview').waitFor();
    await visit.page.goBack();
    await visit.heading('Front door').waitFor();
  });

  test('a card locks by its button, and does not leave the overview', async () => {
    hold({ ...FRONT, bolt: 'unsecured' });
    visit.account.answers.set('lock', () => ({ kind: 'accepted' }));
    await visit.openLinked();
    await visit.push('Lock, Front door');
    await expect.poll(() => visit.account.count('lock')).toBe(1);
    expect(await seen(visit.heading('Overview'))).toBe(true);
  });

  test('says who may come in, what happened today, how full the battery is and was, and has the options', async () => {
    hold(FRONT, BACK);
    const now = Date.now();
    visit.account.answers.set('locks.battery', () => [
      { at: now - 60 * DAY_MS, percent: 99 },
      { at: now, percent: 87 },
    ]);
    await visit.openLinked(`#overview/${encodeURIComponent(FRONT.id)}`);
    const part = (name: string) => visit.page.getByRole('region', { name, exact: true });
    expect(await seen(part('Who may come in').getByText('Cleaner'))).toBe(true);
    expect(await seen(part('Battery').getByText(/From 99% on .+ to 87% on/u))).toBe(true);
    expect(await seen(part('Options').getByText('Show in Home'))).toBe(true);
    expect(visit.inputsOf('history.look').at(-1)).toMatchObject({ locks: [FRONT.id] });
    expect(visit.inputsOf('history.look').at(-1)).not.toMatchObject({ firstDay: null });
    expect(await axeFaults(visit.page)).toEqual([]);
    await visit.push('Manage codes');
    await visit.heading('Codes').waitFor();
    expect(await visit.page.getByLabel('Lock', { exact: true }).inputValue()).toBe('1');
    await visit.page.goBack();
    await visit.push('Whole history');
    await visit.heading('History').waitFor();
    await expect
      .poll(() => visit.inputsOf('history.look').at(-1))
      .toMatchObject({ locks: [FRONT.id], firstDay: null });
  });

  test('follows the lock live, and says that it left the account', async () => {
    hold(FRONT);
    await visit.openLinked(`#overview/${encodeURIComponent(FRONT.id)}`);
    expect(await seen(visit.card('Front door').getByText('Locked', { exact: true }))).toBe(true);
    visit.account.emit(FRONT.id, { bolt: 'jammed' });
    expect(await seen(visit.card('Front door').getByText('Jammed'))).toBe(true);
    visit.account.locks = [];
    visit.account.settings = [];
    visit.account.publish({ type: 'lock-removed', id: FRONT.id, name: 'Front door' });
    expect(await seen(visit.words('This lock is no longer in the account.'))).toBe(true);
    expect(await gone(visit.card('Front door'))).toBe(true);
  });
});
