// The overview, in a real browser: every door live, the activity, and the actions.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import type { ActivityDetail } from '../../src/panel/views/activity.ts';
import { RetryError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, PHONE, seen } from './visitor.ts';

const FRONT = aLock('Front door');
const BACK = aLock('Back door');

/** Beside them the front door is one of many. */
const OTHERS = Array.from({ length: 29 }, (_, index) => aLock(`Apartment ${String(index + 1)}`));

const WHY_NOT_LOCKED = 'Couldn’t lock: the lock is offline. Check the door.';

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

    test.each([
      ['one of a few locks', [BACK]],
      ['one of many locks', OTHERS],
    ])(
      'shows how long %s was left unlocked, until it is locked, and the age of an old report alone',
      async (_, others) => {
        visit.account.hold(FRONT, aLock('Cellar', { confirmedAt: Date.now() - 3_605_000 }), ...others);
        await visit.openLinked();
        await visit.card('Front door').getByText('Locked', { exact: true }).waitFor();
        expect(await seen(visit.card('Cellar').getByText('Updated 1 hour ago'))).toBe(true);
        expect(await visit.page.getByRole('article').getByText('Updated').count()).toBe(1);
        visit.account.emit(FRONT.id, { bolt: 'unsecured' });
        expect(await seen(visit.card('Front door').getByText('Unlocked', { exact: true }))).toBe(true);
        visit.account.emit(FRONT.id, { leftUnlockedSince: Date.now() - 185_000 });
        expect(await seen(visit.card('Front door').getByText('Left unlocked for 3 minutes'))).toBe(true);
        expect(await visit.words('Left unlocked').count()).toBe(1);
        visit.account.emit(FRONT.id, { bolt: 'secured', leftUnlockedSince: null });
        expect(await seen(visit.card('Front door').getByText('Locked', { exact: true }))).toBe(true);
        expect(await gone(visit.words('Left unlocked'))).toBe(true);
      },
    );

    test('a pause of days is named, ends where "Try now" succeeds, and stays with the reason where it fails (faults#142)', async () => {
      visit.account.hold(FRONT);
      visit.account.longPauseMs = 3 * 86_400_000;
      visit.account.answers.set('try-now', () => {
        throw new RetryError('unreachable', message('The service could not be reached.'));
      });
      await visit.openLinked();
      const pause = visit.words('The lock service asked for a pause of 3 days, perhaps by mistake.');
      expect(await seen(pause)).toBe(true);
      await visit.push('Try now');
      expect(await seen(visit.words('The service could not be reached.'))).toBe(true);
      expect(await seen(pause)).toBe(true);
      visit.account.answers.set('try-now', () => {
        visit.account.longPauseMs = null;
        return visit.account.status();
      });
      await visit.push('Try now');
      expect(await gone(pause)).toBe(true);
      expect(visit.inputsOf('try-now')).toHaveLength(2);
    });

    test('a certificate that ends soon, or that is not taken, is named with what helps; a good one is not (faults#182)', async () => {
      const until = Date.now() + 9.5 * 86_400_000;
      const certificate = { option: 'panel.tls', validFrom: 0, validUntil: until, refused: null } as const;
      visit.account.certificates = [
        { ...certificate, state: 'ending', daysLeft: 9 },
        { ...certificate, option: 'webhooks.tls', state: 'good', daysLeft: 99 },
      ];
      await visit.openLinked('#overview');
      expect(await seen(visit.words('The certificate of panel.tls ends in 9 days'))).toBe(true);
      expect(await seen(visit.words('Renew it.'))).toBe(true);
      await expect.poll(async () => visit.words('webhooks.tls').count()).toBe(0);
    });

    test('never calls a lock that cannot be reached locked', async () => {
      visit.account.hold(aLock('Front door', { presence: 'offline' }));
      await visit.openLinked();
      expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
      await expect.poll(async () => visit.card('Front door').getAttribute('data-bolt')).toBe('unknown');
    });

    test('locks a door, and shows it as locked only when the lock does', async () => {
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
      expect(visit.inputsOf('lock')).toEqual([{ lock: FRONT.id }]);
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
        'This account can only view the lock. Ask its owner for access.',
      ],
      [{ kind: 'failed', disposition: 'wait', message: 'The lock is busy.' }, 'The lock is busy.'],
      [{ kind: 'uncertain' }, 'The result is unknown.'],
      [{ kind: 'already' }, 'Already locked.'],
    ] as const)('shows the result of a request: %j', async (answer, said) => {
      visit.account.hold(aLock('Front door', { bolt: 'unsecured' }));
      visit.account.answers.set('lock', () => answer);
      await visit.openLinked();
      await visit.push('Lock, Front door');
      expect(await seen(visit.words(said))).toBe(true);
    });

    test('shows on the card why a lock could not be locked, until the next change', async () => {
      visit.account.hold(aLock('Front door', { bolt: 'unsecured', presence: 'offline' }), BACK);
      const lock = { id: FRONT.id, name: 'Front door' };
      const tell = (number: number, detail: ActivityDetail): void =>
        visit.account.publish({ type: 'activity', activity: { number, at: Date.now(), lock, detail } });
      await visit.openLinked();
      await visit.card('Front door').waitFor();
      const sentAt = Date.now() - 35_000;
      visit.account.emit(FRONT.id, { lastCommand: { target: 'secured', sentAt, movesUntil: Date.now() } });
      const said = visit.card('Front door').getByText(WHY_NOT_LOCKED, { exact: true });
      expect(await seen(said)).toBe(true);
      tell(1, { type: 'command', target: 'secured', outcome: { kind: 'uncertain', reason: 'lock-silent' } });
      expect(await seen(said)).toBe(true);
      visit.account.emit(FRONT.id, { bolt: 'secured', presence: 'reachable' });
      tell(2, { type: 'bolt', bolt: 'secured', move: null });
      expect(await gone(said)).toBe(true);
    });

    test('shows mover and time first', async () => {
      const by = { method: 'access-code', id: null, name: 'Anna' } as const;
      const lastMove = { to: 'unsecured', by, at: Date.now() - 3_600_000 } as const;
      visit.account.hold(aLock('Front door', { bolt: 'unsecured', lastMove }));
      await visit.openLinked();
      await expect
        .poll(async () => visit.card('Front door').locator('p').first().innerText())
        .toMatch(/^Unlocked by Anna \(a code\), .*\d+:\d\d/u);
    });

    test('offers to lock only doors that may be open; others have it behind a menu', async () => {
      visit.account.hold(FRONT, aLock('Shed', { presence: 'offline', bolt: 'unsecured' }));
      visit.account.answers.set('lock', () => ({ kind: 'accepted' }));
      await visit.openLinked();
      await visit.card('Front door').waitFor();
      expect(await visit.button(/^Lock, /u).count()).toBe(0);
      for (const name of ['Front door', 'Shed']) {
        await visit.push(`More, ${name}`);
        await visit.push(`Lock, ${name}`);
        await visit.push(`More, ${name}`);
      }
      await expect.poll(() => visit.account.count('lock')).toBe(2);
    });

    test('offers no more than that while the page is disconnected', async () => {
      visit.account.hold(aLock('Front door', { bolt: 'unsecured' }), BACK);
      await visit.openLinked();
      visit.account.become('revoked');
      expect(await seen(visit.card('Back door').getByText('Was locked'))).toBe(true);
      expect(await seen(visit.button('More, Back door'))).toBe(true);
      expect(await visit.button('Lock, Back door').count()).toBe(0);
      expect(await visit.button('Lock, Front door').getAttribute('aria-disabled')).toBe('true');
    });

    test('shows only the locks behind a chosen count, the open ones first', async () => {
      visit.account.hold(
        ...OTHERS,
        aLock('Shed', { presence: 'offline' }),
        aLock('Garage', { bolt: 'unsecured' }),
        aLock('Cellar', { bolt: 'unsecured', battery: { grade: 'low', percent: 12 } }),
      );
      await visit.openLinked();
      const names = async (): Promise<readonly string[]> =>
        visit.page.getByRole('article').getByRole('heading').allInnerTexts();
      await visit.card('Garage').waitFor();
      expect((await names()).slice(0, 3)).toEqual(['Cellar', 'Garage', 'Shed']);
      await visit.push('2 unlocked');
      expect(await names()).toEqual(['Cellar', 'Garage']);
      await visit.push('1 offline');
      expect(await names()).toEqual(['Shed']);
      await visit.push('1 low battery');
      expect(await names()).toEqual(['Cellar']);
      await visit.push('1 low battery');
      await expect.poll(async () => (await names()).length).toBe(32);
    });

    test('locks all that are unlocked by one press, with five seconds to undo', async () => {
      const reader = { ...FRONT.description, name: 'Cellar', role: 'reader' } as const;
      visit.account.hold(
        aLock('Front door', { bolt: 'unsecured' }),
        aLock('Garage', { bolt: 'unsecured' }),
        aLock('Shed', { bolt: 'unsecured', presence: 'offline' }),
        aLock('Cellar', { bolt: 'unsecured', description: reader }),
        BACK,
      );
      visit.account.answers.set('lock', (input) => {
        if (JSON.stringify(input).includes('Garage')) {
          return { kind: 'uncertain' };
        }
        throw new RetryError('unreachable', 'The lock service can’t be reached.');
      });
      await visit.openLinked();
      await visit.push('Lock all, 2 unlocked');
      expect(await seen(visit.words('Locking in 5 seconds: Front door and Garage'))).toBe(true);
      expect(visit.account.count('lock')).toBe(0);
      await visit.push('Undo');
      await visit.push('Lock all, 2 unlocked');
      // A page that is left does at once what it was about to do.
      await visit.show('History');
      await expect.poll(() => visit.account.count('lock')).toBe(2);
      await visit.show('Overview');
      await visit.push('Lock all, 2 unlocked');
      expect(await seen(visit.words('Garage: The result is unknown.'))).toBe(true);
      expect(await seen(visit.words('Front door: The lock service can’t be reached.'))).toBe(true);
      expect(visit.inputsOf('lock').slice(-2)).toEqual([{ lock: FRONT.id }, { lock: aLock('Garage').id }]);
    });

    test('has activity beside the list on a wide screen, and below it on a phone', async () => {
      visit.account.hold(FRONT, BACK);
      await visit.openLinked();
      const edges = async (): Promise<readonly number[]> =>
        Promise.all(
          [
            visit.page.getByRole('region', { name: 'Locks' }),
            visit.page.getByRole('region', { name: 'Activity' }),
          ].map(async (part) => Math.round((await part.boundingBox())?.y ?? Number.NaN)),
        );
      const [list, beside] = await edges();
      expect(beside).toBe(list);
      await visit.page.setViewportSize(PHONE);
      const [top = 0, below] = await edges();
      expect(below).toBeGreaterThan(top + 200);
    });

    test('turns a simulated bolt by hand in the demo, and in no other account', async () => {
      visit.account.hold(FRONT);
      visit.account.demo = { doorsUrl: 'http://127.0.0.1:4711' };
      visit.account.answers.set('demo.turn', () => {
        visit.account.emit(FRONT.id, { bolt: 'unsecured' });
        return { turned: FRONT.id };
      });
      await visit.openLinked();
      await visit.push('Turn by hand, Front door');
      expect(await seen(visit.card('Front door').getByText('Unlocked', { exact: true }))).toBe(true);
      await visit.push('Turn by hand, Front door');
      expect(visit.inputsOf('demo.turn')).toEqual([
        { lock: FRONT.id, to: 'unsecured' },
        { lock: FRONT.id, to: 'secured' },
      ]);
      visit.account.demo = null;
      await visit.page.reload();
      await visit.card('Front door').waitFor();
      expect(await visit.page.getByRole('button', { name: /^Turn by hand/u }).count()).toBe(0);
    });

    test('lists activity, the newest first and a hundred at most, and corrects an entry', async () => {
      const lock = { id: FRONT.id, name: 'Front door' };
      visit.account.activity = Array.from({ length: 100 }, (_, index) => ({
        number: index + 1,
        at: Date.now(),
        lock,
        detail: { type: 'alert', alert: index % 2 === 0 ? 'wrong-code' : 'alarm' },
      }));
      await visit.openLinked();
      const entries = visit.page.locator('.activity li');
      await expect.poll(async () => entries.count()).toBe(100);
      const move = {
        to: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Dog walker' },
        at: Date.now(),
      } as const;
      const detail = { type: 'bolt', bolt: 'unsecured', move: null } as const;
      visit.account.publish({ type: 'activity', activity: { number: 101, at: Date.now(), lock, detail } });
      await entries.first().getByText('Unlocked').waitFor();
      visit.account.publish({
        type: 'activity',
        activity: { number: 101, at: Date.now(), lock, detail: { ...detail, move } },
      });
      await entries.first().getByText('Unlocked by Dog walker (a code)').waitFor();
      await expect.poll(async () => entries.count()).toBe(100);
    });

    test('groups activity by day, repeats nothing, and can be narrowed to problems or one lock', async () => {
      const front = { id: FRONT.id, name: 'Front door' };
      const back = { id: BACK.id, name: 'Back door' };
      const today = Date.now();
      const moved = { type: 'bolt', bolt: 'secured', move: null } as const;
      const command = { type: 'command', target: 'secured', outcome: { kind: 'moved' } } as const;
      const alert = { type: 'alert', alert: 'wrong-code' } as const;
      visit.account.activity = [
        { number: 1, at: today - 3 * 86_400_000, lock: back, detail: moved },
        { number: 2, at: today, lock: front, detail: command },
        { number: 3, at: today, lock: front, detail: moved },
        { number: 4, at: today, lock: back, detail: alert },
        { number: 5, at: today, lock: back, detail: alert },
      ];
      await visit.openLinked();
      const entries = visit.page.locator('.activity li');
      await expect.poll(async () => entries.allInnerTexts()).toHaveLength(3);
      expect(await visit.page.locator('.activity h4').allInnerTexts()).toEqual(['Today', expect.any(String)]);
      await expect.poll(async () => entries.first().innerText()).toMatch(/wrong code.*\(2 times\)/u);
      await visit.page.getByLabel('Show').selectOption('Problems only');
      await expect.poll(async () => entries.count()).toBe(1);
      await visit.page.getByLabel('Show').selectOption('Front door');
      await expect.poll(async () => entries.first().innerText()).toMatch(/Front door Locked/u);
    });

    test('announces a changed bolt to a screen reader, forgets a lock after a question, and never loses the focus to the body', async () => {
      visit.account.hold(FRONT, aLock('Back door', { presence: 'missing' }));
      visit.account.answers.set('forget', () => {
        visit.account.hold(FRONT);
        return { forgotten: true };
      });
      await visit.openLinked();
      await visit.card('Front door').waitFor();
      await expect.poll(async () => visit.page.title()).toBe('Overview · Latchkey');
      visit.account.emit(FRONT.id, { bolt: 'unsecured' });
      await visit.page
        .getByRole('status')
        .filter({ hasText: 'Front door: Unlocked' })
        .waitFor({ state: 'attached' });
      await visit.push('Forget this lock, Back door');
      await visit.words('It leaves Home with its room and automations.').waitFor();
      expect(visit.account.count('forget')).toBe(0);
      await visit.push('Forget this lock');
      expect(await gone(visit.card('Back door'))).toBe(true);
      expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Overview');
    });

    test('says for how long the service has not answered', async () => {
      visit.account.failing = {
        forMs: 240_000,
        message: message('The lock service could not be reached.'),
        code: 'unreachable',
        retryInMs: 30_000,
      };
      await visit.openLinked();
      expect(await seen(visit.words('The lock service could not be reached.'))).toBe(true);
      expect(await seen(visit.words(/Retrying in \d+ seconds\./u))).toBe(true);
    });

    test('reports in one banner that the service no longer answers, and clears it by itself', async () => {
      visit.account.hold(FRONT);
      await visit.openLinked();
      await visit.card('Front door').getByText('Locked', { exact: true }).waitFor();
      const banner = visit.words('The lock service isn’t answering.');
      visit.account.unansweredMs = 1_700;
      await banner.waitFor();
      expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
      // A lock that was locked is not offered to be locked while nobody can tell.
      expect(await visit.button('Lock, Front door').count()).toBe(0);
      visit.account.unansweredMs = null;
      expect(await gone(banner)).toBe(true);
      expect(await seen(visit.card('Front door').getByText('Locked', { exact: true }))).toBe(true);
    });

    test('leads to the credentials where the service refuses them', async () => {
      const refusal = 'The service accepts none of the subscription keys.';
      visit.account.failing = {
        forMs: 1_000,
        message: message(refusal),
        code: 'bad-configuration',
        retryInMs: 1_000,
      };
      visit.account.hold(FRONT);
      await visit.openLinked();
      await visit.words(refusal).waitFor();
      await expect.poll(async () => visit.words(refusal).count()).toBe(1);
      await visit.push('Edit credentials');
      expect(await seen(visit.words('Service details'))).toBe(true);
    });

    test('asks for nothing while it is hidden, and only whether the locks have changed while it is visible', async () => {
      visit.account.hold(FRONT);
      await visit.openLinked();
      await visit.card('Front door').waitFor();
      /** The requests during so many heartbeats of the server. */
      const during = async (
        heartbeats: number,
        visibility: 'hidden' | 'visible',
      ): Promise<readonly string[]> => {
        const before = visit.account.calls.length;
        visit.spoil();
        await visit.page.evaluate(
          async ([value, beats]) => {
            Object.defineProperty(document, 'visibilityState', { value, configurable: true });
            const stream = new EventSource('api/events');
            for (let beat = 0; beat < beats; beat += 1) {
              await new Promise((resolve) => {
                stream.addEventListener('heartbeat', resolve, { once: true });
              });
            }
            stream.close();
          },
          [visibility, heartbeats] as const,
        );
        return visit.account.calls.slice(before).map(([name]) => name);
      };
      // What was read at the start is over by then.
      await during(1, 'visible');
      // Longer than between two looks.
      const inSight = await during(3, 'visible');
      // A look that was on its way when the page was hidden is over by then.
      await during(1, 'hidden');
      const outOfSight = await during(3, 'hidden');
      expect(new Set(inSight)).toEqual(new Set(['watch']));
      expect(outOfSight).toEqual([]);
    });

    test('hands the diagnostics out as a file', async () => {
      visit.account.answers.set('diagnostics', () => ({ version: '0.1.0' }));
      await visit.openLinked();
      const download = visit.page.waitForEvent('download');
      await visit.words('All is well').click();
      await visit.push('Download diagnostics');
      const file = await download;
      expect(file.suggestedFilename()).toBe('latchkey-diagnostics.json');
      expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual({ version: '0.1.0' });
    });
  });
});
