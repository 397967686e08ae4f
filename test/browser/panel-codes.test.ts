// The page of access codes, in a real browser: listing, showing, adding, changing and removing, and how it goes.
import { describe, expect, test } from 'vitest';
import { type AccessCode, accessCodeId } from '../../src/domain/access-code.ts';
import type { CodeProgress } from '../../src/domain/code-operation.ts';
import { lockId } from '../../src/domain/lock.ts';
import { FinalError } from '../../src/support/errors.ts';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels, unnamedControls } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { aLock } from './pretend-account.ts';
import { seen } from './visitor.ts';

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

  /** Of every code, as the page is told. */
  let revision = 0;

  /** A house with two locks, one of which has these codes. */
  const hold = (...codes: readonly AccessCode[]): void => {
    revision = 1;
    visit.account.hold(aLock('Front door', { id: FRONT }), aLock('Back door', { id: BACK }));
    visit.account.answers.set('codes.list', (input) => ({
      codes:
        (input as { readonly lock: string }).lock === FRONT
          ? codes.map((code) => ({ ...withoutPin(code), revision }))
          : [],
      strays: [],
      pinLength: 4,
      anyLength: false,
      knownLength: 4,
      refusedLengths: [],
      zoneFrom: 'option',
      mostCodes: 100,
      timeZone: 'Europe/Paris',
    }));
    visit.account.answers.set('codes.reveal', () => ({ pin: codes[0]?.pin ?? '' }));
    visit.account.answers.set('codes.check', () => ({ faults: [] }));
    for (const name of ['codes.add', 'codes.update', 'codes.remove', 'codes.clear'] as const) {
      visit.account.answers.set(name, () => {
        visit.account.codeOperations = [PROGRESS];
        return { kind: 'started', operation: PROGRESS };
      });
    }
  };

  const inputsOf = (name: string): unknown[] =>
    visit.account.calls.filter(([called]) => called === name).map(([, input]) => input);

  describe('access codes', () => {
    test('are listed with their schedule, and shown only on purpose', async () => {
      hold(CLEANER);
      await visit.openLinked('#codes');
      expect(await seen(visit.words('1 code.'))).toBe(true);
      const card = visit.card('Cleaner');
      expect(await card.textContent()).toContain('Mon, Wed 08:00–11:00');
      expect(await visit.page.content()).not.toContain(CLEANER.pin);
      await card.getByRole('button', { name: 'Show, Cleaner' }).click();
      expect(await seen(visit.words(CLEANER.pin))).toBe(true);
      await card.getByRole('button', { name: 'Hide, Cleaner' }).click();
      expect(await visit.page.content()).not.toContain(CLEANER.pin);
    });

    test('between two dates ask for the zone of a lock that gives none, and keep it (faults#120)', async () => {
      hold();
      const listed = {
        strays: [],
        codes: [],
        pinLength: 4,
        anyLength: false,
        knownLength: 4,
        refusedLengths: [],
        mostCodes: 100,
      };
      const zone = { timeZone: '-05:00', zoneFrom: 'offset' };
      visit.account.answers.set('codes.list', () => ({ ...listed, ...zone }));
      visit.account.answers.set('locks.configure', () => ({}));
      await visit.openLinked('#codes');
      await visit.push('Add a code');
      await visit.fill('Name', 'Guest');
      await visit.fill('Code', '4711');
      await visit.page.getByLabel('Between two dates').check();
      expect(await seen(visit.words('Times are those of the lock’s time zone, UTC-05:00.'))).toBe(true);
      await visit.fill('From', '2027-07-02T15:00');
      await visit.fill('Until', '2027-07-03T11:00');
      await visit.fill('Time zone of the lock', 'America/New_York');
      await visit.push('Add the code');
      expect(await seen(visit.words('Adding Guest: the lock is working …'))).toBe(true);
      expect(inputsOf('locks.configure')).toEqual([
        { lock: FRONT, settings: { timeZone: 'America/New_York' } },
      ]);
      const [from, until] = [Date.parse('2027-07-02T19:00Z'), Date.parse('2027-07-03T15:00Z')];
      const draft = { name: 'Guest', pin: '4711', schedule: { kind: 'temporary', from, until } };
      expect(inputsOf('codes.add')).toEqual([{ lock: FRONT, draft }]);
    });

    test('are added for two mornings a week, on two locks, and followed to their end', async () => {
      hold();
      await visit.openLinked('#codes');
      await visit.push('Add a code');
      await visit.fill('Name', 'Guest');
      await visit.push('Suggest a code');
      expect(await visit.page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^\d{4}$/u);
      await visit.fill('Code', '4711');
      await visit.page.getByLabel('Every week').check();
      await visit.page.getByLabel('Monday').check();
      await visit.page.getByLabel('Wednesday').check();
      await visit.page.getByLabel('Back door').check();
      await visit.push('Add the code');
      expect(await seen(visit.words('Adding Guest: the lock is working …'))).toBe(true);
      const windows = [{ days: ['Monday', 'Wednesday'], from: '08:00', until: '12:00' }];
      const draft = { name: 'Guest', pin: '4711', schedule: { kind: 'recurring', windows } };
      // Both are asked at once, and may arrive in either order.
      const asked = inputsOf('codes.add');
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
      hold();
      visit.account.answers.set('codes.check', () => ({
        faults: [{ field: 'pin', reason: 'code-exists', words: 'Choose a different one.' }],
      }));
      await visit.openLinked('#codes');
      await visit.push('Add a code');
      await visit.push('Add the code');
      expect(await seen(visit.words('Choose a different one.'))).toBe(true);
      expect(inputsOf('codes.add')).toEqual([]);
      await visit.page.getByLabel('Every week').check();
      await visit.push('Add the code');
      expect(await seen(visit.words('Choose days and times.'))).toBe(true);
    });

    test('are changed in place: what stays is not sent', async () => {
      hold(CLEANER);
      await visit.openLinked('#codes');
      await visit.push('Change, Cleaner');
      await visit.page.getByLabel('Between two dates').check();
      await visit.fill('From', '2027-01-01T15:00');
      await visit.fill('Until', '2027-01-03T11:00');
      await visit.push('Save');
      await visit.words('the lock is working').waitFor();
      const [from, until] = [Date.UTC(2027, 0, 1, 14), Date.UTC(2027, 0, 3, 10)];
      expect(inputsOf('codes.update')).toEqual([
        {
          lock: FRONT,
          code: CLEANER.id,
          changes: { schedule: { kind: 'temporary', from, until } },
          revision: 1,
        },
      ]);
    });

    test('send what was touched alone, so that a form opened before another change undoes nothing (faults#119)', async () => {
      hold(CLEANER);
      const words = 'Nothing was changed: somebody else changed this meanwhile.';
      const asked: unknown[] = [];
      visit.account.answers.set('codes.update', (input) => {
        asked.push(input);
        return asked.length === 1
          ? Promise.reject(new FinalError('changed-meanwhile', words))
          : { kind: 'started', operation: PROGRESS };
      });
      await visit.openLinked('#codes');
      await visit.push('Change, Cleaner');
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
      hold(CLEANER);
      await visit.openLinked('#codes');
      await visit.push('Remove, Cleaner');
      expect(inputsOf('codes.remove')).toEqual([]);
      await visit.page
        .getByRole('group', { name: 'Remove, Cleaner' })
        .getByRole('button', { name: 'Remove' })
        .click();
      await visit.words('the lock is working').waitFor();
      expect(inputsOf('codes.remove')).toEqual([{ lock: FRONT, code: CLEANER.id, revision: 1 }]);
      const all = visit.page.getByRole('button', { name: 'Remove all codes' });
      expect(await all.getAttribute('aria-disabled')).toBe('true');
      await all.click({ force: true });
      expect(inputsOf('codes.clear')).toEqual([]);
      await visit.fill('Type the name of the lock to remove all its codes', 'Front door');
      await visit.push('Remove all codes');
      await expect.poll(() => inputsOf('codes.clear')).toEqual([{ lock: FRONT }]);
    });

    test('say the true reason where the lock refused', async () => {
      hold(CLEANER);
      const words = 'The lock could not store the code. It may be full: remove a code first.';
      visit.account.codeOperations = [
        { ...PROGRESS, phase: 'failed', failure: { reason: 'code-not-added', field: 'lock', words } },
      ];
      await visit.openLinked('#codes');
      expect(await seen(visit.words(words))).toBe(true);
    });

    test('fit a phone, and every control has a name', async () => {
      hold(CLEANER);
      await visit.openLinked('#codes');
      await visit.page.setViewportSize({ width: 320, height: 740 });
      await visit.push('Add a code');
      await visit.page.getByLabel('Every week').check();
      await visit.push('Add a second window');
      expect(await visit.page.evaluate(overflowPixels)).toBe(0);
      expect(await visit.page.evaluate(unnamedControls)).toEqual([]);
    });
  });
});

function withoutPin({ pin, ...code }: AccessCode) {
  return { ...code, pinLength: pin.length };
}
