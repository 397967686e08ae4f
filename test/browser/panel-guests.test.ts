// Guests on the page of access codes, in a real browser: what stands on each lock, adding, changing, removing, deciding.
import { describe, expect, test } from 'vitest';
import { accessCodeId } from '../../src/domain/access-code.ts';
import { lockId } from '../../src/domain/lock.ts';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels, paleTexts, structureFaults, unnamedControls } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { aLock } from './pretend-account.ts';
import { seen } from './visitor.ts';

const FRONT = lockId('front');
const BACK = lockId('back');

type OnLock = GuestView['onLocks'][number];

function on(lock: OnLock['lockId'], standing: OnLock['standing'], rest: Partial<OnLock> = {}): OnLock {
  return { lockId: lock, codeId: null, standing, isLeaving: false, revision: 7, ...rest };
}

const DIFFERS: OnLock['standing'] = {
  kind: 'differs',
  fields: ['name', 'pin'],
  found: { name: 'Anne', schedule: { kind: 'always' } },
};

const ANNA: GuestView = {
  id: 'g1',
  name: 'Anna',
  pinLength: 4,
  schedule: { kind: 'recurring', windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }] },
  locks: 'all',
  isLeaving: false,
  timeZone: 'Europe/Paris',
  onLocks: [on(FRONT, { kind: 'up-to-date' }), on(BACK, DIFFERS)],
};

describe.skipIf(CHROMIUM === undefined)('guests on the panel', () => {
  const visit = panelVisits();

  const hold = (...guests: readonly GuestView[]): void => {
    visit.account.hold(aLock('Front door', { id: FRONT }), aLock('Back door', { id: BACK }));
    visit.account.guests = guests;
    visit.account.answers.set('codes.list', () => ({
      codes: [],
      strays: [],
      pinLength: 4,
      mostCodes: 100,
      timeZone: 'Europe/Paris',
    }));
    visit.account.answers.set('guests.reveal', () => ({ pin: '0417' }));
    for (const name of ['guests.add', 'guests.update'] as const) {
      visit.account.answers.set(name, () => ({ kind: 'saved', guest: ANNA }));
    }
    for (const name of ['guests.remove', 'guests.settle'] as const) {
      visit.account.answers.set(name, () => ({}));
    }
  };

  const inputsOf = (name: string): unknown[] =>
    visit.account.calls.filter(([called]) => called === name).map(([, input]) => input);

  test('show what stands on each lock, and the digits only on purpose', async () => {
    hold(ANNA);
    await visit.openLinked('#codes');
    const card = visit.card('Anna');
    await card.waitFor();
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('Mon 08:00–11:00 · All locks, also new ones');
    expect(text).toMatch(/Front door\s*Up to date/u);
    expect(text).toContain('the name is “Anne”, and the digits are different.');
    expect(await visit.page.content()).not.toContain('0417');
    await card.getByRole('button', { name: 'Show, Anna' }).click();
    expect(await seen(card.getByText('0417'))).toBe(true);
    expect(inputsOf('guests.look')).toHaveLength(1);
  });

  test('are named at their code on a lock, which is changed with the guest alone', async () => {
    const codeId = accessCodeId('code-7');
    hold({ ...ANNA, onLocks: [on(FRONT, DIFFERS, { codeId })] });
    const schedule = { kind: 'always' };
    const others = [
      { id: codeId, name: 'Anne', pinLength: 4, readOnly: false, schedule },
      { id: accessCodeId('code-8'), name: 'Cleaner', pinLength: 4, readOnly: false, schedule },
    ];
    visit.account.answers.set('codes.list', () => ({
      codes: others,
      strays: [],
      pinLength: 4,
      mostCodes: 100,
      timeZone: 'Europe/Paris',
    }));
    await visit.openLinked('#codes');
    const code = visit.card('Anne');
    expect(await seen(code.getByText('Guest: Anna'))).toBe(true);
    expect(await visit.card('Cleaner').getByText('Guest:').count()).toBe(0);
    expect(await code.getByRole('button', { name: /Change|Remove/u }).count()).toBe(0);
    expect(await visit.words('Codes of guests are removed, too.').count()).toBe(1);
    await visit.push('Go to guest, Anne');
    expect(await visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Anna');
    expect(await visit.page.evaluate(structureFaults)).toEqual([]);
    await visit.page.setViewportSize({ width: 320, height: 740 });
    expect(await visit.page.evaluate(overflowPixels)).toBe(0);
  });

  test.each([
    ['Keep the app’s version', 'keep'],
    ['Use the guest’s', 'overwrite'],
  ])('leave a difference to a person: "%s"', async (button, choice) => {
    hold(ANNA);
    await visit.openLinked('#codes');
    await visit.push(`${button}, Anna, Back door`);
    await expect
      .poll(() => inputsOf('guests.settle'))
      .toEqual([{ guest: 'g1', lock: BACK, choice, revision: 7 }]);
  });

  test('are heard of by an event, with what each lock says', async () => {
    hold(ANNA);
    await visit.openLinked('#codes');
    await visit.card('Anna').waitFor();
    const words = 'The lock is offline. This is done when it is back.';
    visit.account.guests = [
      {
        ...ANNA,
        onLocks: [
          on(FRONT, { kind: 'removed-elsewhere' }),
          on(BACK, { kind: 'waiting', words, retryAt: null }),
        ],
      },
    ];
    visit.account.publish({ type: 'guests' });
    expect(await seen(visit.words(words))).toBe(true);
    expect(await visit.page.getByRole('button', { name: /Try again/u }).count()).toBe(0);
    await visit.push('Add it again, Anna, Front door');
    await expect.poll(() => inputsOf('guests.settle')).toMatchObject([{ choice: 'overwrite', lock: FRONT }]);
  });

  test('are not sent again with digits whose number the lock refuses', async () => {
    const words = 'The lock does not take codes of this length. Use as many digits as its other codes have.';
    const refused = { reason: 'code-length-out-of-range', field: 'pin', words } as const;
    hold({ ...ANNA, onLocks: [on(FRONT, { kind: 'refused', failure: refused })] });
    await visit.openLinked('#codes');
    expect(await seen(visit.words(words))).toBe(true);
    expect(await visit.page.getByRole('button', { name: /Try again/u }).count()).toBe(0);
    expect(await seen(visit.page.getByRole('button', { name: 'Change, Anna' }))).toBe(true);
  });

  test('are added with a good code, on all locks or on some', async () => {
    hold();
    await visit.openLinked('#codes');
    await visit.push('Add a guest');
    await visit.fill('Name', 'Anna');
    await visit.push('Suggest a code');
    expect(await visit.page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^\d{4}$/u);
    await visit.fill('Code', '4711');
    await visit.page.getByLabel('Only these').check();
    await visit.page.getByLabel('Back door').uncheck();
    await visit.push('Add the guest');
    const draft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
    await expect.poll(() => inputsOf('guests.add')).toEqual([{ draft, locks: [FRONT] }]);
  });

  test('are refused at the field that is wrong', async () => {
    hold();
    const words = 'Another guest has this code. Choose a different one.';
    visit.account.answers.set('guests.add', () => ({
      kind: 'invalid',
      faults: [
        { field: 'pin', reason: 'code-exists', words },
        { field: 'lock', reason: 'values-invalid', words: 'Choose at least one lock.' },
      ],
    }));
    await visit.openLinked('#codes');
    await visit.push('Add a guest');
    await visit.push('Add the guest');
    expect(await seen(visit.words(words))).toBe(true);
    expect(await seen(visit.words('Choose at least one lock.'))).toBe(true);
  });

  test('are changed without the digits being sent, and removed after a question', async () => {
    hold(ANNA);
    await visit.openLinked('#codes');
    await visit.push('Change, Anna');
    await visit.fill('Name', 'Anna B');
    await visit.push('Save');
    const { schedule } = ANNA;
    await expect
      .poll(() => inputsOf('guests.update'))
      .toEqual([{ guest: 'g1', changes: { name: 'Anna B', schedule, locks: 'all' } }]);
    await visit.push('Remove, Anna');
    expect(inputsOf('guests.remove')).toEqual([]);
    await visit.page
      .getByRole('group', { name: 'Remove, Anna' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await expect.poll(() => inputsOf('guests.remove')).toEqual([{ guest: 'g1' }]);
  });

  test('who are being removed say what is left to do', async () => {
    const refused = {
      reason: 'read-only',
      field: null,
      words: 'It can only be changed in the app.',
    } as const;
    hold({
      ...ANNA,
      isLeaving: true,
      onLocks: [
        on(FRONT, { kind: 'refused', failure: refused }, { isLeaving: true }),
        on(BACK, DIFFERS, { isLeaving: true }),
      ],
    });
    await visit.openLinked('#codes');
    expect(await seen(visit.words('being removed'))).toBe(true);
    expect(await visit.page.getByRole('button', { name: 'Change, Anna' }).count()).toBe(0);
    await visit.push('Try again, Anna, Front door');
    await visit.push('Remove it, Anna, Back door');
    await expect
      .poll(() => inputsOf('guests.settle'))
      .toMatchObject([{ choice: 'retry' }, { choice: 'overwrite' }]);
  });

  test('fit a phone, and every control has a name', async () => {
    hold(ANNA);
    await visit.openLinked('#codes');
    await visit.page.setViewportSize({ width: 320, height: 740 });
    await visit.push('Add a guest');
    await visit.page.getByLabel('Only these').check();
    expect(await visit.page.evaluate(overflowPixels)).toBe(0);
    expect(await visit.page.evaluate(unnamedControls)).toEqual([]);
    expect(await visit.page.evaluate(structureFaults)).toEqual([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme });
      expect(await visit.page.evaluate(paleTexts)).toEqual([]);
    }
  });
});
