// A lock that was replaced, on the panel in a real browser: three clicks, and what was moved is said.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('a lock that was replaced, on the panel', () => {
  const visit = panelVisits();

  test('gives its guests, stays, calendars and history to the new one in three clicks', async () => {
    const [old, fresh] = [aLock('Front door', { presence: 'missing' }), aLock('Front door new')];
    visit.account.hold(old, fresh);
    visit.account.answers.set('locks.replaced', () => [{ id: old.id, name: 'Front door' }]);
    visit.account.answers.set('locks.replace', () => ({
      guests: 3,
      calendars: 1,
      entries: 120,
      notes: [message('The old lock is not in the account. Reset it.'), message('Not moved: Resident.')],
    }));
    await visit.openLinked();
    const { visitor, page } = visit;
    await visitor.click(page.getByRole('link', { name: 'Settings', exact: true }));
    await visitor.click(page.getByRole('button', { name: 'A lock was replaced' }));
    await visitor.click(page.getByRole('button', { name: 'Move everything' }));
    expect(await seen(visit.words('Moved: 3 guests, 1 calendar, 120 entries of the history.'))).toBe(true);
    expect(await seen(visit.words('Reset it.'))).toBe(true);
    expect(await seen(visit.words('Not moved: Resident.'))).toBe(true);
    expect(visitor.clicks).toBe(3);
    expect(visit.inputsOf('locks.replace')).toEqual([{ old: old.id, by: fresh.id }]);
  });
});
