// "End this account" on the page of the account: what it would undo, the locks that are waited for, and what is left.
import { describe, expect, test } from 'vitest';
import type { EndingReport, EndingView } from '../../src/panel/views/ending.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';

const PLAN: EndingView = {
  account: 'Latchkey',
  codes: [{ name: 'Anna', locks: ['Front door', 'Garage'] }],
  calendars: [{ name: 'Flat', from: 'config' }],
  webhooks: true,
  broker: 'mqtts://broker.example',
  isConnected: true,
};

const PATIENT = { timeout: 30_000 };

describe.skipIf(CHROMIUM === undefined)('the end of an account', () => {
  const visit = panelVisits();

  /** What the account answers, until a test changes it. */
  const answering = (ending: { view: EndingView; report: EndingReport }): void => {
    visit.account.answers.set('ending.show', () => ending.view);
    visit.account.answers.set('ending.begin', () => ending.view);
    visit.account.answers.set('ending.finish', () => ending.report);
  };

  const unfold = async (): Promise<void> => {
    await visit.openLinked('#link');
    await visit.page.locator('summary', { hasText: 'End this account' }).click();
    await visit.words('Use this before you remove the plugin.').waitFor();
  };

  const confirm = async (entry: string): Promise<void> => {
    await visit.push(`${entry}, Latchkey`);
    await visit.confirm(entry, 'Latchkey');
  };

  test('names everything first and changes nothing before the yes', async () => {
    answering({ view: PLAN, report: { codes: [], webhooks: false, broker: null } });
    await unfold();
    const listed = await visit.page.locator('.unfolded li').allInnerTexts();
    expect(listed).toEqual([
      'Code of Anna on Front door and Garage',
      'Booking calendar: Flat. Remove it from config.json yourself.',
      'The webhook registration at the service',
      'Devices and topics at mqtts://broker.example',
      'The sign-in',
      'The files of the account on this computer, with its history',
    ]);
    await visit.push('End this account, Latchkey');
    await visit.push('Cancel');
    expect([visit.inputsOf('ending.begin'), visit.inputsOf('ending.finish')]).toEqual([[], []]);
  });

  test('waits for the locks, and finishes once no lock has a code', async () => {
    const ending = { view: PLAN, report: { codes: [], webhooks: false, broker: null } };
    answering(ending);
    await unfold();
    await confirm('End this account');
    await visit.words('Waiting for these locks to take the codes off:').waitFor();
    expect(await visit.button('Finish, Latchkey').count()).toBe(0);
    ending.view = { ...PLAN, codes: [] };
    await visit.words('No lock has a code of a guest or stay any more.').waitFor(PATIENT);
    await visit.push('Finish, Latchkey');
    await visit.words('The account has ended. Now remove the plugin').waitFor();
    expect(visit.inputsOf('ending.finish')).toEqual([{ account: 'Latchkey', leaveCodes: false }]);
  });

  test('finishes without a lock that stays away only after a question, and names what is left', async () => {
    const left = { codes: PLAN.codes, webhooks: true, broker: 'mqtts://broker.example' };
    answering({ view: PLAN, report: left });
    await unfold();
    await confirm('End this account');
    await visit.push('Finish without them, Latchkey');
    await visit.words('These codes go on opening those locks. Finish all the same?').waitFor();
    expect(visit.inputsOf('ending.finish')).toEqual([]);
    await visit.confirm('Finish without them', 'Latchkey');
    await visit.words('Still on the lock: Code of Anna on Front door and Garage').waitFor();
    await visit.words('The webhook registration could not be removed.').waitFor();
    await visit.words('mqtts://broker.example did not answer').waitFor();
    expect(visit.inputsOf('ending.finish')).toEqual([{ account: 'Latchkey', leaveCodes: true }]);
  });
});
