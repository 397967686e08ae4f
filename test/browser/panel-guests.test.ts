// Guests on the page of access codes, in a real browser: their standing on each lock, adding, changing, removing, deciding.
import { describe, expect, test } from 'vitest';
import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import { message } from '../../src/domain/language/message.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { GuestView } from '../../src/panel/operations/guests.ts';
import { FinalError } from '../../src/support/errors.ts';
import { codeFailure } from '../../src/words/code-failures.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aGuest, listCodes, onLock } from './scenes.ts';
import { gone, seen } from './visitor.ts';

const FRONT = lockId('front');
const BACK = lockId('back');

type OnLock = GuestView['onLocks'][number];

const LOCKS = { front: aLock('Front door', { id: FRONT }), back: aLock('Back door', { id: BACK }) };

function on(lock: keyof typeof LOCKS, standing: OnLock['standing'], rest: Partial<OnLock> = {}): OnLock {
  return onLock(LOCKS[lock], standing, { revision: 7, ...rest });
}

const DIFFERS: OnLock['standing'] = {
  kind: 'differs',
  fields: ['name', 'pin'],
  found: { name: 'Anne', schedule: { kind: 'always' } },
};

const ANNE: OnLock['standing'] = { kind: 'look-alike', name: 'Anne', has: 'digits', isLeft: false };

const ANNA = aGuest('Anna', [on('front', { kind: 'up-to-date' }), on('back', DIFFERS)], {
  id: 'g1',
  schedule: { kind: 'recurring', windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }] },
  revision: 3,
});

describe.skipIf(CHROMIUM === undefined)('guests on the panel', () => {
  const visit = panelVisits();

  const hold = (...guests: readonly GuestView[]): void => {
    visit.account.hold(LOCKS.front, LOCKS.back);
    visit.account.guests = guests;
    listCodes(visit.account, () => ({}));
    visit.account.answers.set('guests.reveal', () => ({ pin: '0417' }));
    for (const name of ['guests.add', 'guests.update'] as const) {
      visit.account.answers.set(name, () => ({ kind: 'saved', guest: ANNA }));
    }
    for (const name of ['guests.remove', 'guests.settle'] as const) {
      visit.account.answers.set(name, () => ({}));
    }
  };

  /** The page with these guests. */
  const open = async (...guests: readonly GuestView[]): Promise<void> => {
    hold(...guests);
    await visit.openLinked('#codes');
  };

  const typedDigits = async (): Promise<string> =>
    visit.page.getByLabel('Code', { exact: true }).inputValue();

  test('guests show their standing on each lock, and the digits only on request', async () => {
    await open(ANNA);
    const card = visit.person('Anna');
    await card.waitFor();
    const text = (await card.textContent()) ?? '';
    expect(text).toMatch(
      /Mon 8:00\sAM–11:00\sAM \(Europe\/Paris\)All locks, including new onesCheck 1 lock/u,
    );
    expect(text).toContain('Up to date on Front door');
    expect(text).toContain('the name is “Anne”, and the digits are different.');
    expect(await visit.page.content()).not.toContain('0417');
    await visit.choose('Show the code', 'Anna');
    expect(await seen(card.getByText('0417'))).toBe(true);
    expect(visit.inputsOf('guests.look')).toHaveLength(1);
  });

  test('guests stand for their codes on the locks, which are changed with the guest alone', async () => {
    const codeId = accessCodeId('code-7');
    hold({ ...ANNA, onLocks: [on('front', DIFFERS, { codeId })] });
    const schedule = { kind: 'always' };
    const codes = [
      { id: codeId, name: 'Anne', pinLength: 4, readOnly: false, schedule },
      { id: accessCodeId('code-8'), name: 'Cleaner', pinLength: 4, readOnly: false, schedule },
    ];
    listCodes(visit.account, () => ({ codes }));
    await visit.openLinked('#codes');
    // The second lock answers the same codes, and there neither is a guest's.
    await visit.page.getByLabel('Lock', { exact: true }).selectOption('Front door');
    expect(await seen(visit.words('1 guest, 1 code.'))).toBe(true);
    expect(await visit.person('Anne').count()).toBe(0);
    expect(await seen(visit.person('Anna').getByText('the name is “Anne”'))).toBe(true);
    await visit.push('More, all codes');
    await visit.push('Remove all codes of a lock');
    expect(await seen(visit.words('Codes of guests are removed, too.'))).toBe(true);
  });

  test('guests of a restored file wait for a yes, one by one or all at once (faults#148)', async () => {
    const proposed = ['Anna', 'Bob', 'Carl'].map((name) =>
      aGuest(name, [on('front', { kind: 'proposed' })], { id: name, isProposed: true }),
    );
    hold(...proposed);
    visit.account.answers.set('codes.proposals', () => ({
      old: { because: 'restored', at: 1, madeAt: Date.UTC(2026, 3, 14) },
    }));
    // As the plugin does: who is confirmed is proposed no longer, in every list that is read from then on.
    visit.account.answers.set('codes.confirm', (input) => {
      const { guests = ['Anna', 'Bob', 'Carl'] } = input as { readonly guests?: readonly string[] };
      visit.account.guests = visit.account.guests.map((guest) => ({
        ...guest,
        isProposed: guest.isProposed && !guests.includes(guest.id),
      }));
      return {};
    });
    await visit.openLinked('#codes');
    expect(await seen(visit.words(/restored from a backup of .*2026/u))).toBe(true);
    expect(await seen(visit.person('Anna').getByText('Confirm or remove').first())).toBe(true);
    await visit.choose('Confirm', 'Anna');
    await visit.push('Confirm all 2 guests');
    expect(await gone(visit.words(/restored from a backup/u))).toBe(true);
    expect(visit.inputsOf('codes.confirm')).toEqual([{ guests: ['Anna'] }, {}]);
  });

  test('guests whose confirmation fails are told why', async () => {
    hold(aGuest('Anna', [on('front', { kind: 'proposed' })], { isProposed: true }));
    visit.account.answers.set('codes.proposals', () => ({ old: null }));
    visit.account.answers.set('codes.confirm', () =>
      Promise.reject(new FinalError('changed-meanwhile', 'Somebody removed Anna.')),
    );
    await visit.openLinked('#codes');
    await visit.choose('Confirm', 'Anna');
    expect(await seen(visit.person('Anna').getByText('Somebody removed Anna.'))).toBe(true);
  });

  test('guests leave a difference to a person, who keeps it or not', async () => {
    await open(ANNA);
    await visit.push('Keep the app’s version, Anna, Back door');
    await expect.poll(() => visit.inputsOf('guests.settle')).toHaveLength(1);
    await visit.push('Use the guest’s, Anna, Back door');
    const asked = { guest: 'g1', lock: BACK, revision: 7 };
    await expect
      .poll(() => visit.inputsOf('guests.settle'))
      .toEqual([
        { ...asked, choice: 'keep' },
        { ...asked, choice: 'overwrite' },
      ]);
  });

  test('guests are updated by an event, with the standing on each lock', async () => {
    await open(ANNA);
    await visit.person('Anna').waitFor();
    const words = 'The lock is offline. This is done when it is back.';
    visit.account.guests = [
      {
        ...ANNA,
        onLocks: [
          on('front', { kind: 'removed-elsewhere' }),
          on('back', { kind: 'waiting', words: message(words), retryAt: null }),
        ],
      },
    ];
    visit.account.publish({ type: 'guests' });
    expect(await seen(visit.words(words))).toBe(true);
    expect(await visit.button(/Try again/u).count()).toBe(0);
    await visit.push('Add it again, Anna, Front door');
    await expect
      .poll(() => visit.inputsOf('guests.settle'))
      .toMatchObject([{ choice: 'overwrite', lock: FRONT }]);
  });

  test('guests are added with a good code, on all locks or on some', async () => {
    await open();
    await visit.push('Add a guest');
    await visit.fill('Name', 'Anna');
    await visit.push('Suggest a code');
    expect(await typedDigits()).toMatch(/^\d{4}$/u);
    await visit.fill('Code', '4711');
    await visit.page.getByLabel('Only these').check();
    await visit.page.getByLabel('Back door').uncheck();
    await visit.push('Add the guest');
    const draft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
    await expect.poll(() => visit.inputsOf('guests.add')).toEqual([{ draft, locks: [FRONT] }]);
  });

  test('a guest’s digits are shown large after saving, to be copied, and gone when the sheet is closed', async () => {
    await open();
    visit.account.answers.set('guests.add', () => ({ kind: 'saved', guest: ANNA }));
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.push('Add a guest');
    await visit.fill('Name', 'Anna');
    await visit.fill('Code', '4711');
    await visit.push('Add the guest');
    const shown = visit.page.getByRole('dialog').getByText('4711', { exact: true });
    expect(await seen(shown)).toBe(true);
    expect(await axeFaults(visit.page)).toEqual([]);
    await visit.push('Copy digits');
    expect(await seen(visit.words('Digits copied.'))).toBe(true);
    expect(await visit.page.evaluate(async () => navigator.clipboard.readText())).toBe('4711');
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    expect(await gone(shown)).toBe(true);
  });

  /** Of the first lock and of the second: the one length that it takes; null: none is known. */
  const lengths = (front: number | null, back: number | null): void => {
    listCodes(visit.account, (lock) => {
      const isFront = lock === FRONT;
      return { pinLength: null, knownLength: isFront ? front : back, refusedLengths: isFront ? [] : [6] };
    });
  };

  test.each([
    ['of four digits where no length is known', null, null, /^\d{4}$/u],
    ['of the length that the other lock takes', null, 5, /^\d{5}$/u],
  ])('guests get a suggested code %s', async (_, front, back, suggested) => {
    hold();
    lengths(front, back);
    await visit.openLinked('#codes');
    await visit.push('Add a guest');
    await visit.push('Suggest a code');
    expect(await typedDigits()).toMatch(suggested);
  });

  test('guests have their form at once, however long the locks take to answer', async () => {
    hold();
    listCodes(visit.account, () => ({}));
    const rules = visit.account.answers.get('codes.rules');
    visit.account.answers.set('codes.rules', async (input) => {
      const known = (await rules?.(input)) as object[];
      return known.map((one) => Object.assign(one, { knownLength: null, isRecent: false }));
    });
    await visit.openLinked('#codes');
    visit.account.answers.set('codes.list', async () => new Promise(() => {}));
    await visit.push('Add a guest');
    await visit.fill('Name', 'Anna');
    expect(await seen(visit.button('Suggest a code'))).toBe(true);
  });

  test('guests of any script have the name on the lock beside theirs, in the form, after saving and in the list', async () => {
    const hao = aGuest('王小明', [on('front', { kind: 'up-to-date' })], { id: 'g2', nameOnLock: 'Guest B' });
    await open({ ...ANNA, name: 'Анна', nameOnLock: 'Guest' });
    visit.account.answers.set('guests.add', () => {
      visit.account.guests = [...visit.account.guests, hao];
      return { kind: 'saved', guest: hao };
    });
    expect(await visit.person('Анна').textContent()).toContain('“Guest” on the lock');
    await visit.push('Add a guest');
    await visit.fill('Name', '王小明');
    expect(await seen(visit.words('“Guest B” on the lock'))).toBe(true);
    await visit.fill('Code', '0815');
    expect(await axeFaults(visit.page)).toEqual([]);
    await visit.push('Add the guest');
    await expect.poll(() => visit.inputsOf('guests.add')).toMatchObject([{ draft: { name: '王小明' } }]);
    const sheet = visit.page.getByRole('dialog');
    await sheet.getByText('0815').waitFor();
    expect(await sheet.textContent()).toContain('“Guest B” on the lock');
    await sheet.getByText('Close', { exact: true }).click();
    await expect.poll(async () => visit.person('王小明').textContent()).toContain('“Guest B” on the lock');
  });

  test('guests get a hint where no length fits all locks, and a suggested code for fewer', async () => {
    await open();
    lengths(4, 5);
    await visit.push('Add a guest');
    expect(await seen(visit.words('No number of digits fits all of these locks.'))).toBe(true);
    expect(await visit.button('Suggest a code').count()).toBe(0);
    await visit.page.getByLabel('Only these').check();
    await visit.page.getByLabel('Back door').uncheck();
    await visit.push('Suggest a code');
    expect(await typedDigits()).toMatch(/^\d{4}$/u);
  });

  test('guests have a button for another try only where it can help, and not with digits whose number the lock refuses', async () => {
    const [full, tooLong] = [codeFailure('code-not-added'), codeFailure('code-length-out-of-range')];
    await open({
      ...ANNA,
      onLocks: [
        on('front', { kind: 'refused', failure: full }, { mayRetry: true }),
        on('back', { kind: 'refused', failure: tooLong }),
      ],
    });
    expect(await seen(visit.words('The lock does not take codes of this length.'))).toBe(true);
    expect(await visit.button(/Try again/u).count()).toBe(1);
    expect(await visit.button('Try again, Anna, Front door').count()).toBe(1);
    await visit.push('More, Anna');
    expect(await seen(visit.button('Change, Anna'))).toBe(true);
  });

  test('guests are removed after a question', async () => {
    await open(ANNA);
    await visit.choose('Remove', 'Anna');
    expect(visit.inputsOf('guests.remove')).toEqual([]);
    await visit.confirm('Remove', 'Anna');
    await expect.poll(() => visit.inputsOf('guests.remove')).toEqual([{ guest: 'g1' }]);
  });

  test('guests that another person changed meanwhile are shown in both versions, and keep untouched members (faults#119)', async () => {
    await open(ANNA);
    const words =
      'Nothing was changed: somebody else changed this meanwhile. Now: "Anna", always, on Front door. Yours: "Anna B". Try again to use yours.';
    visit.account.answers.set('guests.update', (input) => {
      const isStale = (input as { readonly revision: number }).revision === 3;
      visit.account.guests = [{ ...ANNA, locks: [FRONT], schedule: { kind: 'always' }, revision: 4 }];
      return isStale
        ? Promise.reject(new FinalError('changed-meanwhile', words))
        : { kind: 'saved', guest: ANNA };
    });
    await visit.choose('Change', 'Anna');
    await visit.fill('Name', 'Anna B');
    await visit.push('Save');
    expect(await seen(visit.words(words))).toBe(true);
    await visit.push('Save');
    const changes = { name: 'Anna B' };
    await expect
      .poll(() => visit.inputsOf('guests.update'))
      .toEqual([
        { guest: 'g1', changes, revision: 3 },
        { guest: 'g1', changes, revision: 4 },
      ]);
  });

  test('guests who are being removed show the remaining steps', async () => {
    const refused = codeFailure('code-not-deleted');
    await open({
      ...ANNA,
      isLeaving: true,
      onLocks: [
        on('front', { kind: 'refused', failure: refused }, { isLeaving: true, mayRetry: true }),
        on('back', ANNE, { isLeaving: true }),
      ],
    });
    expect(await seen(visit.words('being removed'))).toBe(true);
    await visit.push('More, Anna');
    expect(await seen(visit.button('Show the code, Anna'))).toBe(true);
    expect(await visit.button('Change, Anna').count()).toBe(0);
    await visit.push('Try again, Anna, Front door');
    await visit.push('Remove it, Anna, Back door');
    await expect
      .poll(() => visit.inputsOf('guests.settle'))
      .toMatchObject([{ choice: 'retry' }, { choice: 'overwrite' }]);
  });

  test('guests who were removed are shown with the code that is still there, and the locks that they wait for (faults#116)', async () => {
    const cottage = lockId('cottage');
    await open({
      ...ANNA,
      isLeaving: true,
      onLocks: [
        on('front', ANNE, { isLeaving: true }),
        on('back', { ...ANNE, isLeft: true }, { isLeaving: true }),
        onLock(aLock('Cottage', { id: cottage }), { kind: 'away', name: 'Cottage' }, { isLeaving: true }),
      ],
    });
    const card = visit.person('Anna');
    await card.waitFor();
    const text = (await card.textContent()) ?? '';
    expect(text).toContain(
      'Front doorRemoved, but there is a code called “Anne” with the same digits on this lock. Remove it?',
    );
    expect(text).toContain('Back doorYou left a code called “Anne” with the same digits on this lock.');
    expect(text).toContain(
      'CottageWaiting for Cottage: the account doesn’t list it, and the code may still open it.',
    );
    await visit.push('Leave it, Anna, Front door');
    await visit.push('Remove it, Anna, Back door');
    await visit.push('Stop waiting, Anna, Cottage');
    await expect
      .poll(() => visit.inputsOf('guests.settle'))
      .toMatchObject([
        { lock: FRONT, choice: 'keep' },
        { lock: BACK, choice: 'overwrite' },
        { lock: cottage, choice: 'keep' },
      ]);
  });
});
