// The page of access codes, in a real browser: listing, showing, adding, changing and removing, and how it goes.
import { describe, expect, test } from 'vitest';
import { type AccessCode, accessCodeId } from '../../src/domain/codes/access-code.ts';
import type { CodeProgress } from '../../src/domain/codes/operation.ts';
import { message } from '../../src/domain/language/message.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import { FinalError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { listCodes } from './scenes.ts';
import { gone, seen } from './visitor.ts';

const FRONT = lockId('front');
const BACK = lockId('back');

const CLEANER: AccessCode = {
  id: accessCodeId('code-1'),
  name: 'Cleaner',
  pin: '0417',
  readOnly: false,
  schedule: {
    kind: 'recurring',
    windows: [{ days: ['Monday', 'Wednesday'], from: '08:00', until: '11:00' }],
  },
};

const PROGRESS: CodeProgress = {
  id: 'operation-1',
  lockId: FRONT,
  kind: 'add',
  codeId: null,
  name: 'Guest',
  requestedAt: 0,
  phase: 'sent',
  waitingFor: null,
  failure: null,
};

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  /** Of every code that the page gets. */
  let revision = 0;

  const shown = ({ pin, ...code }: AccessCode): object => ({ ...code, pinLength: pin.length, revision });

  /** A house with two locks, one of which has these codes. */
  const hold = (...codes: readonly AccessCode[]): void => {
    revision = 1;
    visit.account.hold(aLock('Front door', { id: FRONT }), aLock('Back door', { id: BACK }));
    listCodes(visit.account, (lock) => (lock === FRONT ? { codes: codes.map(shown) } : {}));
    visit.account.answers.set('codes.reveal', () => ({ pin: codes[0]?.pin ?? '' }));
    visit.account.answers.set('codes.check', () => ({ faults: [] }));
    for (const name of ['codes.add', 'codes.update', 'codes.remove', 'codes.clear'] as const) {
      visit.account.answers.set(name, () => {
        visit.account.codeOperations = [PROGRESS];
        return { kind: 'started', operation: PROGRESS };
      });
    }
  };

  /** The page with these codes on the first lock. */
  const open = async (...codes: readonly AccessCode[]): Promise<void> => {
    hold(...codes);
    await visit.openLinked('#codes');
  };

  describe('access codes', () => {
    test('are listed with their schedule, and shown only on purpose', async () => {
      await open(CLEANER);
      expect(await seen(visit.words('1 code.'))).toBe(true);
      const cells = visit.person('Cleaner').getByRole('cell');
      expect((await cells.allTextContents()).slice(0, 3)).toEqual([
        expect.stringMatching(/^Mon, Wed 8:00\sAM–11:00\sAM \(Europe\/Paris\)$/u),
        'Front door',
        'On the lock',
      ]);
      expect(await visit.page.content()).not.toContain(CLEANER.pin);
      await visit.choose('Show the code', 'Cleaner');
      expect(await seen(visit.words(CLEANER.pin))).toBe(true);
      await visit.push('Hide, Cleaner');
      expect(await visit.page.content()).not.toContain(CLEANER.pin);
    });

    test('between two dates ask for the zone of a lock that gives none, and keep it (faults#120)', async () => {
      hold();
      listCodes(visit.account, () => ({ timeZone: '-05:00', zoneFrom: 'offset' }));
      visit.account.answers.set('locks.configure', () => ({}));
      await visit.openLinked('#codes');
      await visit.push('Add a code');
      await visit.fill('Name', 'Guest');
      await visit.fill('Code', '4711');
      await visit.page.getByRole('dialog').getByLabel('Front door').check();
      await visit.page.getByLabel('Between two dates').check();
      expect(await seen(visit.words('Times are those of the lock’s time zone, UTC-05:00.'))).toBe(true);
      await visit.fill('From', '2027-07-02T15:00');
      await visit.fill('Until', '2027-07-03T11:00');
      await visit.fill('Time zone of the lock', 'America/New_York');
      await visit.push('Add the code');
      expect(await seen(visit.words('Adding Guest: the lock is working …'))).toBe(true);
      expect(visit.inputsOf('locks.configure')).toEqual([
        { lock: FRONT, settings: { timeZone: 'America/New_York' } },
      ]);
      const [from, until] = [Date.parse('2027-07-02T19:00Z'), Date.parse('2027-07-03T15:00Z')];
      const draft = { name: 'Guest', pin: '4711', schedule: { kind: 'temporary', from, until } };
      expect(visit.inputsOf('codes.add')).toEqual([{ lock: FRONT, draft }]);
    });

    test('are added for two mornings a week, on two locks, and followed to their end', async () => {
      await open();
      await visit.push('Add a code');
      await visit.fill('Name', 'Guest');
      await visit.push('Suggest a code');
      expect(await visit.page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^\d{4}$/u);
      await visit.fill('Code', '4711');
      await visit.page.getByLabel('Every week').check();
      await visit.page.getByLabel('Monday').check();
      await visit.page.getByLabel('Wednesday').check();
      await visit.push('Add the code');
      expect(await seen(visit.words('Choose at least one lock.'))).toBe(true);
      for (const lock of ['Front door', 'Back door']) {
        await visit.page.getByRole('dialog').getByLabel(lock).check();
      }
      await visit.push('Add the code');
      expect(await seen(visit.words('Adding Guest: the lock is working …'))).toBe(true);
      const windows = [{ days: ['Monday', 'Wednesday'], from: '08:00', until: '12:00' }];
      const draft = { name: 'Guest', pin: '4711', schedule: { kind: 'recurring', windows } };
      // Both are asked at once, and may arrive in either order.
      const asked = visit.inputsOf('codes.add');
      expect(asked).toHaveLength(2);
      expect(asked).toEqual(
        expect.arrayContaining([
          { lock: FRONT, draft },
          { lock: BACK, draft },
        ]),
      );
      hold(CLEANER);
      visit.account.publish({ type: 'code-operation', operation: { ...PROGRESS, phase: 'done' } });
      expect(await seen(visit.words('Added Guest.'))).toBe(true);
      expect(await seen(visit.words('1 code.'))).toBe(true);
    });

    test('are refused at the field that is wrong, before any lock gets one', async () => {
      await open();
      visit.account.answers.set('codes.check', () => ({
        faults: [
          { field: 'pin', reason: 'code-exists', words: 'Choose a different one.' },
          { field: 'lock', reason: 'code-not-added', words: 'Remove one first.' },
        ],
      }));
      await visit.push('Add a code');
      await visit.page.getByRole('dialog').getByLabel('Front door').check();
      await visit.push('Add the code');
      expect(await seen(visit.words('Choose a different one.'))).toBe(true);
      expect(
        await seen(visit.page.getByRole('group', { name: 'Locks' }).getByText('Remove one first.')),
      ).toBe(true);
      expect(visit.inputsOf('codes.add')).toEqual([]);
      await visit.page.getByLabel('Every week').check();
      await visit.push('Add the code');
      expect(await seen(visit.words('Choose days and times.'))).toBe(true);
    });

    test('are changed in place, and unchanged members are not sent', async () => {
      await open(CLEANER);
      await visit.choose('Change', 'Cleaner');
      await visit.page.getByLabel('Between two dates').check();
      await visit.fill('From', '2027-01-01T15:00');
      await visit.fill('Until', '2027-01-03T11:00');
      await visit.push('Save');
      await visit.words('the lock is working').waitFor();
      const [from, until] = [Date.UTC(2027, 0, 1, 14), Date.UTC(2027, 0, 3, 10)];
      expect(visit.inputsOf('codes.update')).toEqual([
        {
          lock: FRONT,
          code: CLEANER.id,
          changes: { schedule: { kind: 'temporary', from, until } },
          revision: 1,
        },
      ]);
    });

    test('are sent with the touched members alone, so that a form opened before another change undoes nothing (faults#119)', async () => {
      await open(CLEANER);
      const words = 'Nothing was changed: somebody else changed this meanwhile.';
      const asked: unknown[] = [];
      visit.account.answers.set('codes.update', (input) => {
        asked.push(input);
        return asked.length === 1
          ? Promise.reject(new FinalError('changed-meanwhile', words))
          : { kind: 'started', operation: PROGRESS };
      });
      await visit.choose('Change', 'Cleaner');
      await visit.fill('Name', 'Cleaning');
      revision = 2;
      await visit.push('Save');
      expect(await seen(visit.words(words))).toBe(true);
      await visit.push('Save');
      const change = { lock: FRONT, code: CLEANER.id, changes: { name: 'Cleaning' } };
      await expect
        .poll(() => asked)
        .toEqual([
          { ...change, revision: 1 },
          { ...change, revision: 2 },
        ]);
    });

    test('are removed after a question, and all at once after the name of the lock', async () => {
      await open(CLEANER);
      await visit.choose('Remove', 'Cleaner');
      expect(visit.inputsOf('codes.remove')).toEqual([]);
      await visit.confirm('Remove', 'Cleaner');
      await visit.words('the lock is working').waitFor();
      expect(visit.inputsOf('codes.remove')).toEqual([{ lock: FRONT, code: CLEANER.id, revision: 1 }]);
      expect(await visit.page.getByLabel('Type the name of the lock').count()).toBe(0);
      await visit.push('More, all codes');
      await visit.push('Remove all codes of a lock');
      const all = visit.button('Remove all codes');
      expect(await all.getAttribute('aria-disabled')).toBe('true');
      await all.click({ force: true });
      expect(visit.inputsOf('codes.clear')).toEqual([]);
      await visit.fill('Type the name of the lock to remove all its codes', 'Front door');
      await visit.push('Remove all codes');
      await expect.poll(() => visit.inputsOf('codes.clear')).toEqual([{ lock: FRONT }]);
    });

    test('are all removed of another lock than the one that refused, of which nothing is left in the sheet', async () => {
      await open(CLEANER);
      visit.account.answers.set('codes.clear', () => {
        throw new FinalError('bad-request', message('The old and the new lock are the same.'));
      });
      await visit.push('More, all codes');
      await visit.push('Remove all codes of a lock');
      await visit.fill('Type the name of the lock to remove all its codes', 'Front door');
      await visit.push('Remove all codes');
      const refusal = visit.words('The old and the new lock are the same.');
      expect(await seen(refusal)).toBe(true);
      await visit.page.getByLabel('Of which lock').selectOption('Back door');
      expect(await gone(refusal)).toBe(true);
      expect(await visit.page.getByLabel('Type the name of the lock').inputValue()).toBe('');
    });

    test('of all locks stand in one table, and those of one lock where it is chosen', async () => {
      hold();
      const gardener = { ...CLEANER, name: 'Gardener' };
      listCodes(visit.account, (lock) => ({ codes: [shown(lock === BACK ? gardener : CLEANER)] }));
      await visit.openLinked('#codes');
      expect(await seen(visit.words('2 codes.'))).toBe(true);
      expect(await visit.page.getByRole('table').count()).toBe(1);
      expect(await seen(visit.person('Cleaner').getByText('Front door'))).toBe(true);
      expect(await seen(visit.person('Gardener').getByText('Back door'))).toBe(true);
      await visit.page.getByLabel('Lock', { exact: true }).selectOption('Back door');
      expect(await seen(visit.words('1 code.'))).toBe(true);
      expect(await visit.person('Cleaner').count()).toBe(0);
    });

    test('of many locks are not all read: a lock is chosen first', async () => {
      hold(CLEANER);
      const many = Array.from({ length: 149 }, (_, index) => aLock(`Apartment ${String(index + 1)}`));
      visit.account.hold(aLock('Front door', { id: FRONT }), ...many);
      await visit.openLinked('#codes');
      expect(await seen(visit.words('Choose a lock to see the codes that are on it alone.'))).toBe(true);
      expect(visit.inputsOf('codes.list')).toEqual([]);
      await visit.page.getByLabel('Lock', { exact: true }).selectOption('Front door');
      expect(await seen(visit.person('Cleaner'))).toBe(true);
      expect(visit.inputsOf('codes.list')).toEqual([{ lock: FRONT }]);
    });

    test('are read lock by lock, four at a time, and again only where they have changed', async () => {
      hold();
      const locks = Array.from({ length: 9 }, (_, index) => aLock(`Apartment ${String(index + 1)}`));
      visit.account.hold(...locks);
      const list = visit.account.answers.get('codes.list');
      const waiting: (() => void)[] = [];
      visit.account.answers.set('codes.list', async (input) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return list?.(input);
      });
      await visit.openLinked('#codes');
      await expect.poll(() => waiting.length).toBe(4);
      expect(await seen(visit.words('Loading codes …'))).toBe(true);
      for (let answered = 0; answered < locks.length; answered += 1) {
        await expect.poll(() => waiting.length).toBeGreaterThan(answered);
        expect(waiting.length).toBeLessThanOrEqual(answered + 4);
        waiting[answered]?.();
      }
      expect(await seen(visit.words('There are no guests or codes yet.'))).toBe(true);
      const [, second] = locks;
      visit.account.publish({ type: 'codes', id: second?.id ?? FRONT });
      await expect.poll(() => waiting.length).toBe(10);
      expect(visit.inputsOf('codes.list').at(-1)).toEqual({ lock: second?.id });
      waiting[9]?.();
    });

    test('say which locks could not be read, and show those of the others', async () => {
      hold(CLEANER);
      const list = visit.account.answers.get('codes.list');
      visit.account.answers.set('codes.list', (input) =>
        (input as { readonly lock: string }).lock === BACK
          ? Promise.reject(new FinalError('not-permitted', 'This account cannot see the codes.'))
          : list?.(input),
      );
      await visit.openLinked('#codes');
      expect(await seen(visit.person('Cleaner'))).toBe(true);
      const alert = visit.page.getByRole('alert').filter({ hasText: 'This account cannot see the codes.' });
      expect(await seen(alert.getByText('Back door'))).toBe(true);
    });

    test('that only the lock has are marked, and can be removed', async () => {
      hold();
      const strays = [{ codeId: 'code-9', name: 'Former tenant', only: 'lock' }];
      listCodes(visit.account, () => ({ strays }));
      visit.account.hold(aLock('Front door', { id: FRONT }));
      await visit.openLinked('#codes');
      expect(await seen(visit.person('Former tenant').getByText('The lock may still open with'))).toBe(true);
      await visit.choose('Remove', 'Former tenant');
      await visit.confirm('Remove', 'Former tenant');
      await expect.poll(() => visit.inputsOf('codes.remove')).toEqual([{ lock: FRONT, code: 'code-9' }]);
    });

    test('can be changed with the keyboard alone, and the focus comes back to where it was', async () => {
      await open(CLEANER);
      const menu = visit.button('More, Cleaner');
      const isFocused = async (): Promise<boolean> => menu.evaluate((button) => button.matches(':focus'));
      await menu.focus();
      await visit.page.keyboard.press('Enter');
      await visit.page.keyboard.press('Escape');
      expect(await visit.button('Change, Cleaner').count()).toBe(0);
      expect(await isFocused()).toBe(true);
      for (const key of ['Enter', 'Tab', 'Tab', 'Enter']) {
        await visit.page.keyboard.press(key);
      }
      const sheet = visit.page.getByRole('dialog', { name: 'Change Cleaner' });
      expect(await seen(sheet)).toBe(true);
      expect(await sheet.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
      await visit.page.keyboard.press('Escape');
      expect(await gone(sheet)).toBe(true);
      await expect.poll(isFocused).toBe(true);
      expect(visit.account.count('codes.update')).toBe(0);
    });

    test('stack on a phone: the name first, and nothing beside it but the menu', async () => {
      await open(CLEANER);
      await visit.page.setViewportSize({ width: 375, height: 740 });
      const row = visit.person('Cleaner');
      const tops = async (): Promise<readonly number[]> =>
        row
          .locator('th, td:not(:last-child)')
          .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
      // The browser lays the page out anew a moment after its window has changed.
      await expect.poll(async () => new Set(await tops()).size).toBe(4);
      const stacked = await tops();
      expect(stacked).toEqual([...stacked].sort((a, b) => a - b));
      expect(await visit.page.evaluate(overflowPixels)).toBe(0);
    });

    test('are refused with the true reason of the lock', async () => {
      hold(CLEANER);
      const words = 'The lock could not store the code. It may be full: remove a code first.';
      visit.account.codeOperations = [
        {
          ...PROGRESS,
          phase: 'failed',
          failure: { reason: 'code-not-added', field: 'lock', words: message(words) },
        },
      ];
      await visit.openLinked('#codes');
      expect(await seen(visit.words(words))).toBe(true);
    });
  });
});
