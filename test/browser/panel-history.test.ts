// The history page in a real browser: a live timeline in pages, filters, the week, and files.
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { lockId } from '../../src/domain/locks/lock.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { DESKTOP, gone, PHONE, seen } from './visitor.ts';

const DAY_MS = 86_400_000;

describe.skipIf(CHROMIUM === undefined)('the history page', () => {
  const visit = panelVisits();

  const open = async (): Promise<void> => {
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openLinked();
    await visit.show('History');
    await visit.page.getByRole('heading', { name: 'Timeline' }).waitFor();
  };

  const lines = (): Locator => visit.page.locator('.activity li');
  const lastAsked = (operation: Parameters<typeof visit.inputsOf>[0]): unknown =>
    visit.inputsOf(operation).at(-1);
  const scrollToEnd = async (): Promise<void> => {
    await visit.page.evaluate(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
    });
  };
  /** A day this many days ago, as the locks of this history have it: on UTC. */
  const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

  let happened = 0;
  /** An event at a lock, which every page gets. */
  const happen = (by = 'Zoe'): void => {
    happened += 1;
    const at = Date.now();
    const accessor = { method: 'access-code', id: 'z', name: by } as const;
    const lock = { id: lockId('id-of-Front door'), name: 'Front door' };
    const place = { lock: lock.id, lockName: lock.name, offsetMinutes: 0 };
    const entry = { ...place, id: `new-${String(happened)}`, at, what: 'unsecured', by: accessor } as const;
    visit.account.history.lines = [entry, ...visit.account.history.lines];
    const move = { to: 'unsecured', by: accessor, at } as const;
    const detail = { type: 'bolt', bolt: 'unsecured', move } as const;
    visit.account.publish({ type: 'activity', activity: { number: 1_000 + happened, at, lock, detail } });
  };
  /** The opening is over: stored entries, new ones of the service, and both together. */
  const opened = async (): Promise<void> => {
    await open();
    await expect.poll(() => visit.account.count('history.look')).toBe(2);
  };

  test('the history shows who came in today, the events by day, and where there is no record', async () => {
    await open();
    expect(await seen(visit.words(/^Front door · code · twice, /u))).toBe(true);
    expect(await seen(visit.words('Unlocked by Dog walker (a code)').first())).toBe(true);
    expect(await seen(visit.words(/No record from .* to .*M$/u).first())).toBe(true);
    expect(visit.account.count('history.refresh')).toBe(1);
  });

  test('the history of a person or a lock is erased after a word on what goes and what stays', async () => {
    visit.account.answers.set('history.count', () => ({ entries: 12 }));
    visit.account.answers.set('history.erase', () => ({ entries: 12 }));
    await opened();
    await expect.poll(async () => lines().count()).toBeGreaterThan(1);
    await visit.push('Erase …');
    await visit.page.getByLabel('Of which person, code or lock').selectOption('Back door');
    expect(
      await seen(visit.words(/12 entries of Back door would be erased here for good.*service’s own log/u)),
    ).toBe(true);
    visit.account.history.lines = visit.account.history.lines.slice(0, 1);
    await visit.push('Erase');
    await expect
      .poll(() => visit.inputsOf('history.erase'))
      .toEqual([{ lock: 'id-of-Back door', person: null }]);
    await expect.poll(async () => lines().count()).toBe(1);
  });

  test('the history that is erased is that of the lock that was chosen, whatever is answered after the choice', async () => {
    const people = Promise.withResolvers<readonly string[]>();
    const former = Promise.withResolvers<{ readonly entries: number }>();
    visit.account.answers.set('history.people', async () => people.promise);
    visit.account.answers.set('history.count', async (input) =>
      (input as { readonly lock: string }).lock === 'id-of-Front door' ? former.promise : { entries: 12 },
    );
    visit.account.answers.set('history.erase', () => ({ entries: 12 }));
    await open();
    await visit.push('Erase …');
    const choice = visit.page.getByLabel('Of which person, code or lock');
    await choice.selectOption('Front door');
    await choice.selectOption('Back door');
    const words = visit.words('12 entries of Back door would be erased');
    expect(await seen(words)).toBe(true);
    people.resolve(['Anna', 'Bert']);
    former.resolve({ entries: 99 });
    await choice.getByText('Bert').waitFor({ state: 'attached' });
    expect(await seen(words)).toBe(true);
    await visit.push('Erase');
    await expect
      .poll(() => visit.inputsOf('history.erase'))
      .toEqual([{ lock: 'id-of-Back door', person: null }]);
  });

  test('the history heads the days Today and Yesterday, on the clocks of the lock', async () => {
    await open();
    const days = async (): Promise<readonly string[]> => visit.page.locator('.activity h4').allInnerTexts();
    happen();
    await expect.poll(async () => (await days()).slice(0, 2)).toEqual(['Today', 'Yesterday']);
    // The clocks of the lock were two days behind until its newest entry.
    visit.account.history.lines = visit.account.history.lines.map((line, index) =>
      index === 0 ? line : { ...line, offsetMinutes: -2 * 1_440 },
    );
    await visit.page.reload();
    await expect.poll(async () => (await days())[0]).toBe('Today');
    expect(await days()).not.toContain('Yesterday');
  });

  test('the history draws a bolt in the colours that it has on the overview', async () => {
    visit.account.hold(aLock('Front door', { bolt: 'unsecured' }), aLock('Back door'));
    await visit.openLinked();
    const toneOf = async (bolt: string): Promise<string> =>
      visit.page
        .locator(`main [data-bolt="${bolt}"] .seal`)
        .first()
        .evaluate((seal) => `${getComputedStyle(seal).color} ${getComputedStyle(seal).backgroundColor}`);
    await visit.card('Front door').waitFor();
    const overview = [await toneOf('secured'), await toneOf('unsecured')];
    await visit.show('History');
    await lines().first().waitFor();
    expect([await toneOf('secured'), await toneOf('unsecured')]).toEqual(overview);
    expect(new Set(overview).size).toBe(2);
    expect(await visit.page.locator('.activity li[data-bolt="unsecured"] .seal svg').count()).toBeGreaterThan(
      0,
    );
  });

  test('the history loads on as the end of the list comes into view, fifty lines at a time, each once', async () => {
    await open();
    await expect.poll(async () => lines().count()).toBe(50);
    await scrollToEnd();
    await expect.poll(async () => lines().count()).toBe(100);
    await scrollToEnd();
    await expect.poll(async () => lines().count()).toBe(120);
    expect(await gone(visit.page.getByRole('button', { name: 'Show older entries' }))).toBe(true);
    expect(await seen(visit.words('No older entries.'))).toBe(true);
    expect(visit.account.count('history.page')).toBe(2);
  });

  test('the history has a button for older entries, also where a browser cannot tell what is in view', async () => {
    await opened();
    visit.spoil();
    await visit.page.addInitScript(() => {
      Reflect.deleteProperty(window, 'IntersectionObserver');
    });
    await visit.page.reload();
    await visit.show('History');
    const button = visit.page.getByRole('button', { name: 'Show older entries' });
    await button.focus();
    await visit.page.keyboard.press('Enter');
    await expect.poll(async () => lines().count()).toBe(100);
    await scrollToEnd();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await visit.page.keyboard.press('Enter');
    await expect.poll(async () => lines().count()).toBe(120);
  });

  test("the history stays live after older entries, and keeps the reader's place", async () => {
    await opened();
    await scrollToEnd();
    await expect.poll(async () => lines().count()).toBe(100);
    const line = lines().nth(60);
    await line.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
    });
    const place = async (): Promise<number | undefined> => (await line.boundingBox())?.y;
    const text = await line.innerText();
    const before = await place();
    happen();
    await expect.poll(async () => lines().first().innerText()).toContain('Zoe');
    await expect.poll(async () => lines().count()).toBe(101);
    const after = await visit.page.locator('.activity li').nth(61).boundingBox();
    expect(await lines().nth(61).innerText()).toBe(text);
    expect(Math.abs((after?.y ?? Number.NaN) - (before ?? Number.NaN))).toBeLessThan(2);
  });

  test('the history asks for the filtered entries: lock, method, person and days', async () => {
    await open();
    await visit.page.getByLabel('Lock', { exact: true }).selectOption({ label: 'Back door' });
    await visit.page.getByLabel('Method').selectOption({ label: 'Access code' });
    await visit.page.getByLabel('Person or code').fill('dog w');
    await visit.page.getByLabel('Person or code').press('Tab');
    await visit.fill('From', dayAgo(2));
    await visit.fill('To', dayAgo(1));
    const filter = {
      locks: ['id-of-Back door'],
      person: 'dog w',
      methods: ['code'],
      firstDay: dayAgo(2),
      lastDay: dayAgo(1),
      since: null,
      until: null,
    };
    await expect.poll(() => lastAsked('history.look')).toEqual({ ...filter, weeksAgo: 0, limit: 50 });
    expect(await gone(visit.words('by hand').first())).toBe(true);
    expect(await gone(visit.page.getByRole('heading', { name: 'Today', exact: true }))).toBe(true);
    await visit.push('Export CSV');
    await expect.poll(() => lastAsked('history.export')).toEqual({ ...filter, format: 'csv', below: null });
  });

  test('the history jumps to a date, by the field or by a day of the week, and back to the newest', async () => {
    happen();
    await opened();
    await visit.fill('Jump to date', dayAgo(2));
    expect(await seen(visit.words('Showing entries up to'))).toBe(true);
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ lastDay: dayAgo(2), weeksAgo: 0 });
    expect(await gone(visit.page.getByRole('heading', { name: 'Yesterday' }))).toBe(true);
    await visit.fill('Jump to date', dayAgo(8));
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ lastDay: dayAgo(8), weeksAgo: 1 });
    await visit.push('Back to newest');
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ lastDay: null, weeksAgo: 0 });
    expect(await seen(visit.page.getByRole('heading', { name: 'Today', exact: true }))).toBe(true);
    await scrollToEnd();
    await visit.page.getByRole('table').getByRole('button').nth(5).click();
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ lastDay: dayAgo(1), weeksAgo: 0 });
    const heading = visit.page.getByRole('heading', { name: 'Timeline' });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ['No history yet.', false],
    ['Nothing matches.', true],
  ])('the history says "%s" of an empty list', async (words, isFiltered) => {
    visit.account.history.lines = [];
    await open();
    if (isFiltered) {
      await visit.fill('To', dayAgo(3));
    }
    expect(await seen(visit.page.locator('.timeline').getByText(words))).toBe(true);
  });

  test('the history keeps typed text while the plugin reports a change', async () => {
    await open();
    const person = visit.page.getByLabel('Person or code');
    await person.fill('Dog wal');
    const { id } = aLock('Back door');
    visit.account.emit(id, { description: aLock('Cellar').description });
    await visit.page.getByLabel('Lock', { exact: true }).getByText('Cellar').waitFor({ state: 'attached' });
    expect(await person.inputValue()).toBe('Dog wal');
  });

  test('the history shows the week as a table, and goes back week by week', async () => {
    await open();
    const table = visit.page.getByRole('table');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(25);
    expect(await table.getByText('?', { exact: true }).count()).toBe(2);
    await visit.push('Week before');
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ weeksAgo: 1 });
  });

  test('the week stands beside the list where there is room, and folded above it on a phone', async () => {
    await open();
    const table = visit.page.getByRole('table');
    const [list, week] = await Promise.all([lines().first().boundingBox(), table.boundingBox()]);
    expect(week?.x ?? 0).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? Number.NaN));
    await visit.page.setViewportSize(PHONE);
    expect(await gone(table)).toBe(true);
    await visit.page.getByText('The week').click();
    expect(await seen(table)).toBe(true);
    const [below, above] = await Promise.all([lines().first().boundingBox(), table.boundingBox()]);
    expect(below?.y ?? 0).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? Number.NaN));
  });

  test.each([
    ['a desk', DESKTOP],
    ['a phone', PHONE],
  ])(
    'the history moves next to nothing while it loads, and as a new line comes in (%s)',
    async (where, size) => {
      visit.account.hold(aLock('Front door'), aLock('Back door'));
      // The day has begun in the list: its heading moves more, and comes once a day.
      happen('Zoe');
      await visit.openLinked();
      await visit.page.setViewportSize(size);
      visit.spoil();
      await visit.page.evaluate(() => {
        const shifts: number[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            shifts.push('value' in entry ? Number(entry.value) : 0);
          }
        }).observe({ type: 'layout-shift' });
      });
      /** The sum of all, once what is changed now is drawn and noted. */
      const shift = async (): Promise<number> =>
        visit.page.evaluate(async (drawn) => {
          for (let frame = 0; frame < drawn; frame += 1) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          const shifts: unknown = Reflect.get(window, 'shifts');
          return Array.isArray(shifts)
            ? shifts.reduce((sum: number, one) => sum + Number(one), 0)
            : Number.NaN;
        }, 6);
      // Those of the new size of the page.
      const before = await shift();
      // Without a click, whose shifts would be excused.
      await visit.page.evaluate(() => {
        document.querySelector<HTMLElement>('a[href="#history"]')?.click();
      });
      await expect.poll(() => visit.account.count('history.look')).toBe(2);
      await expect.poll(async () => lines().count()).toBe(50);
      const atLoading = (await shift()) - before;
      happen('Yan');
      await expect.poll(async () => lines().first().innerText()).toContain('Yan');
      const atTop = (await shift()) - before - atLoading;
      console.info(`Layout shift, ${where}: loading ${atLoading.toFixed(4)}, a new line ${atTop.toFixed(4)}`);
      expect(Math.max(atLoading, atTop)).toBeLessThan(0.02);
    },
  );

  test.each(['CSV', 'JSON'])(
    'the history exports all matching entries as %s, over the login of the page',
    async (format) => {
      await open();
      const download = visit.page.waitForEvent('download');
      await visit.push(`Export ${format}`);
      const file = await download;
      expect(file.suggestedFilename()).toBe(`latchkey-history.${format.toLowerCase()}`);
      expect(readFileSync(await file.path(), 'utf8')).toBe('time,lock\n');
    },
  );

  test('the export shows a count, and can be stopped', async () => {
    let parts = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    visit.account.answers.set('history.export', async () => {
      parts += 1;
      if (parts === 3) {
        await held;
      }
      const next = { at: 1_000 - parts, lock: lockId('id-of-Front door'), id: 'h' };
      return { text: 'line\n', lines: 2_000, next: parts === 5 ? null : next };
    });
    await open();
    await visit.push('Export CSV');
    expect(await seen(visit.words('Exporting: 4,000 entries …'))).toBe(true);
    expect(await seen(visit.page.getByRole('progressbar', { name: 'Exporting' }))).toBe(true);
    await visit.push('Cancel');
    release();
    expect(await seen(visit.page.getByRole('button', { name: 'Export CSV' }))).toBe(true);
    expect([parts, await visit.words('Saved').count()]).toEqual([3, 0]);
    parts = 3;
    const download = visit.page.waitForEvent('download');
    await visit.push('Export JSON');
    expect((await download).suggestedFilename()).toBe('latchkey-history.json');
    expect(await seen(visit.words('Saved 4,000 entries as latchkey-history.json.'))).toBe(true);
  });

  test('who came yesterday at three is three clicks away, and the same hour again shows all of the day', async () => {
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openLinked();
    await visit.visitor.click(visit.page.getByRole('link', { name: 'History', exact: true }));
    await visit.visitor.click(visit.button('Yesterday'));
    const three = visit.page.getByRole('button', { name: /^3 PM, / });
    await visit.visitor.click(three);
    expect(visit.visitor.clicks).toBe(3);
    const yesterday = dayAgo(1);
    const since = new Date(`${yesterday}T15:00:00`).getTime();
    await expect
      .poll(() => lastAsked('history.look'))
      .toMatchObject({ firstDay: yesterday, lastDay: yesterday, since, until: since + 3_600_000 });
    expect(await three.getAttribute('aria-pressed')).toBe('true');
    await three.click();
    await expect
      .poll(() => lastAsked('history.look'))
      .toMatchObject({ firstDay: yesterday, lastDay: yesterday, since: null, until: null });
    await visit.push('Week');
    await expect
      .poll(() => lastAsked('history.look'))
      .toMatchObject({ firstDay: dayAgo(6), lastDay: dayAgo(0) });
    await visit.push('All');
    await expect.poll(() => lastAsked('history.look')).toMatchObject({ firstDay: null, lastDay: null });
  });

  test('the history says when the newest entries may be missing', async () => {
    visit.account.answers.set('history.refresh', () => ({ unanswered: 'The service cannot be reached.' }));
    await open();
    expect(await seen(visit.words('The latest entries may be missing: The service cannot be reached.'))).toBe(
      true,
    );
  });
});
