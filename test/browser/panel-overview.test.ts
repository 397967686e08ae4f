// The overview, in a real browser: every door live, what happened, and what can be done from there.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aLock } from './pretend-account.ts';
import { PretendPanel } from './pretend-panel.ts';
import { gone, seen } from './visitor.ts';

const FRONT = aLock('Front door');
const BACK = aLock('Back door');

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('the overview', () => {
    test('follows a door live, without a reload', async () => {
      visit.account.hold(FRONT, BACK);
      await visit.openLinked();
      await visit.card('Front door').getByText('Locked', { exact: true }).waitFor();
      visit.account.emit(FRONT.id, {
        bolt: 'unsecured',
        lastMove: {
          to: 'unsecured',
          by: { method: 'access-code', id: '1', name: 'Dog walker' },
          at: Date.now(),
        },
      });
      expect(await seen(visit.card('Front door').getByText('Unlocked', { exact: true }))).toBe(true);
      expect(await seen(visit.card('Front door').getByText('Unlocked by Dog walker (a code)'))).toBe(true);
      visit.account.emit(FRONT.id, { bolt: 'jammed' });
      expect(await seen(visit.card('Front door').getByText('Jammed'))).toBe(true);
      await expect
        .poll(async () => visit.card('Back door').getByText('Locked', { exact: true }).isVisible())
        .toBe(true);
    });

    test('never calls a lock that cannot be reached locked', async () => {
      visit.account.hold(aLock('Front door', { presence: 'offline' }));
      await visit.openLinked();
      expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
      await expect.poll(async () => visit.card('Front door').getAttribute('data-bolt')).toBe('unknown');
    });

    test('locks a door, and says so only when the lock does', async () => {
      visit.account.hold(aLock('Front door', { bolt: 'unsecured' }));
      visit.account.answers.set('lock', () => {
        visit.account.emit(FRONT.id, { target: 'secured' });
        return { kind: 'accepted' };
      });
      await visit.openLinked();
      await visit.push('Lock, Front door');
      await visit.card('Front door').getByText('Locking …', { exact: true }).waitFor();
      expect(await seen(visit.words('waiting for the lock to confirm'))).toBe(true);
      visit.account.emit(FRONT.id, { bolt: 'secured', target: null });
      expect(await seen(visit.card('Front door').getByText('Locked', { exact: true }))).toBe(true);
      expect(await gone(visit.words('waiting for the lock'))).toBe(true);
      expect(visit.account.calls.filter(([name]) => name === 'lock')).toEqual([['lock', { lock: FRONT.id }]]);
    });

    test('offers to lock and never to unlock, and neither where the account may only look', async () => {
      visit.account.hold(
        FRONT,
        aLock('Cellar', { description: { ...FRONT.description, name: 'Cellar', role: 'reader' } }),
      );
      await visit.openLinked();
      await visit.card('Cellar').waitFor();
      expect(await visit.page.getByRole('button', { name: /unlock/iu }).count()).toBe(0);
      expect(await visit.card('Cellar').getByRole('button').count()).toBe(0);
    });

    test.each([
      [
        { kind: 'refused', reason: 'role-may-not-command' },
        'View only: this account can’t operate the lock.',
      ],
      [{ kind: 'failed', disposition: 'wait', message: 'The lock is busy.' }, 'The lock is busy.'],
      [{ kind: 'uncertain' }, 'The result is unknown.'],
    ] as const)('says what became of a wish: %j', async (answer, said) => {
      visit.account.hold(FRONT);
      visit.account.answers.set('lock', () => answer);
      await visit.openLinked();
      await visit.push('Lock, Front door');
      expect(await seen(visit.words(said))).toBe(true);
    });

    test('lists what happened, the newest first and a hundred at most, and corrects an entry', async () => {
      const lock = { id: FRONT.id, name: 'Front door' };
      visit.account.activity = Array.from({ length: 100 }, (_, index) => ({
        number: index + 1,
        at: Date.now(),
        lock,
        news: { type: 'alert', alert: 'wrong-code' },
      }));
      await visit.openLinked();
      const entries = visit.page.locator('.activity li');
      await expect.poll(async () => entries.count()).toBe(100);
      const move = {
        to: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Dog walker' },
        at: Date.now(),
      } as const;
      const news = { type: 'bolt', bolt: 'unsecured', move: null } as const;
      visit.account.publish({ type: 'activity', activity: { number: 101, at: Date.now(), lock, news } });
      await entries.first().getByText('Unlocked').waitFor();
      visit.account.publish({
        type: 'activity',
        activity: { number: 101, at: Date.now(), lock, news: { ...news, move } },
      });
      await entries.first().getByText('Unlocked by Dog walker (a code)').waitFor();
      await expect.poll(async () => entries.count()).toBe(100);
    });

    test('forgets a lock that left the account, after asking', async () => {
      visit.account.hold(aLock('Front door', { presence: 'missing' }));
      visit.account.answers.set('forget', () => {
        visit.account.hold();
        return { forgotten: true };
      });
      await visit.openLinked();
      await visit.push('Forget this lock, Front door');
      expect(visit.account.count('forget')).toBe(0);
      await visit.words('It leaves Home with its room and automations.').waitFor();
      await visit.push('Forget this lock');
      expect(await gone(visit.card('Front door'))).toBe(true);
    });

    test('says for how long the service has not answered', async () => {
      visit.account.failing = { forMs: 240_000, message: 'The lock service could not be reached.' };
      await visit.openLinked();
      expect(
        await seen(
          visit.words('The lock service could not be reached. For 4 minutes now; the plugin keeps asking.'),
        ),
      ).toBe(true);
    });

    test('hands the diagnostics out as a file', async () => {
      visit.account.answers.set('diagnostics', () => ({ version: '0.1.0' }));
      await visit.openLinked();
      const download = visit.page.waitForEvent('download');
      await visit.push('Download diagnostics');
      const file = await download;
      expect(file.suggestedFilename()).toBe('latchkey-diagnostics.json');
      expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual({ version: '0.1.0' });
    });

    test('is live again after the plugin was restarted, with everything read anew', async () => {
      visit.account.hold(FRONT);
      await visit.openLinked();
      await visit.words('Live').waitFor();
      visit.account.answers.set('lock', () => ({ kind: 'already' }));
      const { port } = visit.panel.server;
      await visit.panel.close();
      await visit.words('Connecting …').waitFor();
      visit.account.hold(aLock('Front door', { bolt: 'unsecured' }), BACK);
      visit.panel = await PretendPanel.start(visit.account, { port });
      expect(await seen(visit.card('Back door'))).toBe(true);
      await expect
        .poll(async () => visit.card('Front door').getByText('Unlocked', { exact: true }).isVisible())
        .toBe(true);
      // The restarted plugin has other sessions: the page learns its word without being told.
      await visit.push('Lock, Back door');
      expect(await seen(visit.words('Already locked.'))).toBe(true);
    });
  });
});
