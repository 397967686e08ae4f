// The feed of a calendar on the panel, in a real browser: made, copied, shown once, and withdrawn.
import { describe, expect, test } from 'vitest';
import { FinalError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar } from '../stand-ins/account/stays.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

const PATH = `/stays/${'a'.repeat(43)}.ics`;
const ADDRESSES = [`https://locks.example${PATH}`, `http://192.168.1.20:18582${PATH}`];

describe.skipIf(CHROMIUM === undefined)('the feed of a calendar on the panel', () => {
  const visit = panelVisits();

  const hold = (hasFeed: boolean): void => {
    const show = (has: boolean): void => {
      visit.account.stays = { calendars: [aCalendar({ hasFeed: has })], stays: [] };
    };
    visit.account.hold(aLock('Front door'));
    show(hasFeed);
    visit.account.answers.set('stays.make-feed', () => {
      show(true);
      return { addresses: ADDRESSES };
    });
    visit.account.answers.set('stays.withdraw-feed', () => {
      show(false);
      return {};
    });
  };

  const address = () => visit.page.getByLabel('Address', { exact: true });

  test('an address is made, copied and not shown again, and the calendar says that there is one', async () => {
    hold(false);
    await visit.openLinked('#stays');
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.choose('Share the stays', 'Garden flat');
    expect(await seen(visit.words('It has names and hours, but no codes and no phone numbers.'))).toBe(true);
    expect(visit.inputsOf('stays.make-feed')).toEqual([]);
    await visit.push('Make an address');
    await expect.poll(async () => address().inputValue()).toBe(ADDRESSES[0]);
    await visit.page.getByLabel('Reached at').selectOption({ label: '192.168.1.20:18582' });
    await visit.push('Copy');
    expect(await seen(visit.words('Address copied.'))).toBe(true);
    expect(await visit.page.evaluate(async () => navigator.clipboard.readText())).toBe(ADDRESSES[1]);
    await visit.push('Close');
    expect(await seen(visit.words('Others can read its stays at a secret address.'))).toBe(true);
    await visit.choose('Share the stays', 'Garden flat');
    expect(await seen(visit.words('It cannot be shown again'))).toBe(true);
    expect(await address().count()).toBe(0);
    expect(await visit.page.content()).not.toContain('aaaaaaaa');
    expect(visit.inputsOf('stays.make-feed')).toEqual([{ calendar: 'page:1' }]);
  });

  test('an address is withdrawn with one press, and the calendar no longer says that there is one', async () => {
    hold(true);
    await visit.openLinked('#stays');
    await visit.choose('Share the stays', 'Garden flat');
    await visit.push('Withdraw');
    expect(await seen(visit.words('Withdrawn. The address no longer answers.'))).toBe(true);
    expect(visit.inputsOf('stays.withdraw-feed')).toEqual([{ calendar: 'page:1' }]);
    await visit.push('Close');
    expect(await gone(visit.words('Others can read its stays at a secret address.'))).toBe(true);
  });

  test('where no server could answer, the sheet says why', async () => {
    hold(false);
    visit.account.answers.set('stays.make-feed', () => {
      throw new FinalError('bad-configuration', 'The dashboard is off. Turn on "Serve the dashboard".');
    });
    await visit.openLinked('#stays');
    await visit.choose('Share the stays', 'Garden flat');
    await visit.push('Make an address');
    expect(await seen(visit.words('The dashboard is off.'))).toBe(true);
    expect(await address().count()).toBe(0);
  });
});
