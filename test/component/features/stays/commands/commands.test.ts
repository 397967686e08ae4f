// `latchkey stays` beside a running plugin, over the calendars of the simulated portal.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../src/support/clock.ts';
import { freePort } from '../../../../harness/free-port.ts';
import { TestCalendar } from '../../../../harness/test-calendar.ts';
import type { SimulatedHome } from '../../../../homes/simulated-home.ts';
import { control } from '../../../../stand-ins/service/simulated.ts';
import { begin, containing, during, inTime, linkedHome, type Ran } from '../../../cli/terminal.ts';

const MINUTE_MS = 60_000;

/** It is noon of 14 April 2026 (UTC); the portal has three bookings. */
async function home(
  away?: string,
  sinceStartMs = 6_000,
): Promise<{ readonly at: SimulatedHome; readonly portal: TestCalendar }> {
  const at = await linkedHome();
  if (away !== undefined) {
    at.simulator.world.cutWifi(at.idOf(away), 0);
  }
  await at.clock.advance(sinceStartMs);
  const portal = TestCalendar.of(at.simulator);
  const locks = ['Front door', 'Back door'].map((name) => at.idOf(name));
  const calendar = { name: 'Flat', address: portal.url, locks };
  expect(await at.app.operations['stays.add-calendar'](calendar)).toMatchObject({ kind: 'saved' });
  return { at, portal };
}

/** Runs the command. Time stands still while a calendar is read, and goes on while the locks work. */
async function latchkey(at: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  const clock = { ...systemClock, now: () => at.clock.now() };
  const { said, ended } = begin(at, words, clock);
  return during(at, ended, () => (said.err.includes('The locks are working') ? 250 : 0));
}

const stays = async (at: SimulatedHome, ...words: readonly string[]): Promise<Ran> =>
  latchkey(at, 'stays', ...words);

const SECOND = '  Apr 15 – 18, Flat         2026-04-15 15:00 to 2026-04-18 11:00  Code ready on every lock\n';
const ON_BOTH = '    Front door: Up to date\n    Back door: Up to date\n';

/** The digits of a stay, as the command shows them to a person who asks. */
async function pinOf(at: SimulatedHome, wanted = 'Stay 15-18 Apr'): Promise<string> {
  const { out } = await stays(at, 'list', '--reveal', '--json');
  const { stays: all } = JSON.parse(out) as { stays: readonly { name: string; code?: string }[] };
  return all.find(({ name }) => name === wanted)?.code ?? '';
}

describe('latchkey stays', () => {
  it('puts the codes on the locks also right after the account was taken, as without a plugin', async () => {
    const { at } = await home(undefined, 0);
    const synced = await stays(at, 'sync');
    expect([synced.status, synced.out]).toEqual([0, containing(SECOND + ON_BOTH)]);
  });

  it('checks a calendar without changing anything, then takes it up and waits for the locks', async () => {
    const { at } = await home();
    expect(await stays(at, 'check')).toMatchObject({
      status: 0,
      out: 'Flat: The calendar can be read: 3 stays. It would change: 3 new.\n',
    });
    expect((await stays(at, 'list')).out).toBe('Flat: Front door, Back door; never read\n');
    const synced = await stays(at, 'sync', 'fl');
    expect(synced.status).toBe(0);
    expect(synced.out).toContain('Flat: Front door, Back door; read ');
    expect(synced.out).toContain(SECOND + ON_BOTH);
    expect(synced.out).toContain('2026-04-23 15:00 to 2026-04-27 11:00  Code from Thu, Apr 16, 15:00\n');
    expect((await stays(at, 'check', 'flat')).out).toBe(
      'Flat: The calendar can be read: 3 stays. Nothing would change.\n',
    );
    expect((await stays(at, 'check', 'house')).status).toBe(2);
  });

  it('prints the message to a guest with the code, in the language that is asked for', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const pin = await pinOf(at);
    const said = await stays(at, 'message', 'Apr 15 – 18, Flat');
    expect(said).toMatchObject({ status: 0, err: '' });
    expect(said.out).toBe(
      [
        'Hello,',
        '',
        `Your code for Front door and Back door: ${pin}`,
        'It opens from Wed, Apr 15, 15:00 to Sat, Apr 18, 11:00.',
        'Touch the keypad, then type the digits one after the other.',
        '',
      ].join('\n'),
    );
    const german = await stays(at, 'message', 'stay 15', '--language', 'de');
    expect(german.out).toContain(pin);
    expect(german.out).toContain('Mi., 15. Apr.');
    expect((await stays(at, 'message', 'stay 15', '--language', 'xx')).status).toBe(1);
    expect((await stays(at, 'message', 'nobody')).status).toBe(2);
  });

  it('takes the name that a list shows, from its beginning, with the dash of a keyboard', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const { out } = await stays(at, 'message', 'stay 15');
    for (const name of ['Apr 15', 'apr 15-18', 'Apr 15 - 18, Flat', 'Apr 15 – 18']) {
      expect(await stays(at, 'message', name)).toMatchObject({ status: 0, out });
    }
    for (const name of ['Apr', 'Apr 1', '', ' ']) {
      expect((await stays(at, 'message', name)).status).toBe(2);
    }
  });

  it('says in the message, and by its status, on which lock a code is not', async () => {
    const { at } = await home('Back door');
    await stays(at, 'sync');
    const said = await stays(at, 'message', 'stay 15');
    expect(said.status).toBe(1);
    expect(said.out).toContain('The code does not work yet at: Back door. Please wait until I write again.');
    expect(said.err).toContain('The code is not on Back door yet. The message says so.');
  });

  it('checks a guest out, and lets them in again', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const early = await stays(at, 'checkout', 'stay 15');
    expect([early.status, early.err]).toEqual([1, containing('Only a guest who is staying now')]);
    at.clock.standStill(40 * 60 * MINUTE_MS);
    await at.clock.advance(MINUTE_MS);
    const out = await stays(at, 'checkout', 'Apr 15 – 18, Flat');
    expect(out).toMatchObject({ status: 0, out: containing('Checked out, code gone ') });
    expect((await stays(at, 'checkout', 'stay 15')).status).toBe(2);
    const back = await stays(at, 'checkout', 'stay 15', '--undo');
    expect(back).toMatchObject({ status: 0, out: containing('Front door: Up to date') });
  });

  it('adds a guest whose code works only between stays, shows the next hours, and changes them', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const environment = { LATCHKEY_CODE: '4711' };
    const guests = async (...words: readonly string[]): Promise<Ran> =>
      inTime(at, ['guests', ...words], { environment });
    const add = ['add', 'Cleaning', '--between-stays', 'flat'];
    expect(await guests(...add, '--on', 'front')).toMatchObject({
      status: 1,
      err: containing('"--between-stays" gives the hours and the locks'),
    });
    expect((await guests(...add, '--until', '6pm')).err).toContain('for example 15:00');
    expect((await guests('add', 'C', '--between-stays', 'house')).status).toBe(2);
    // From the check-out of 15 April to the check-in of the same day.
    const next = 'Next: 2026-04-15 11:00 to 2026-04-15 15:00';
    const added = await guests(...add, '--until', '18:00', '--zone', 'America/New_York');
    expect(added).toMatchObject({ status: 0, out: containing(ON_BOTH.replaceAll('    ', '  ')) });
    // The zone that the advice asks for is kept for the locks of the calendar, where it was not known.
    const rules = await at.app.operations['codes.rules']({});
    const isOfCalendar = ({ lockId }: { readonly lockId: string }): boolean => lockId !== at.idOf('Garage');
    expect(rules.filter(({ zoneFrom }) => zoneFrom === 'option')).toEqual(rules.filter(isOfCalendar));
    expect(added.out).toContain(`Cleaning  ••••  Between stays, until 18:00 at the latest. ${next}`);
    expect(at.simulator.world.typeCode(at.idOf('Back door'), '4711')).toBe('refused');
    const changed = await guests('update', 'cleaning', '--until', '13:00');
    expect(changed).toMatchObject({ status: 0, out: containing('2026-04-15 11:00 to 2026-04-15 13:00') });
    const refused = await guests('update', 'cleaning', '--when', 'always');
    expect(refused).toMatchObject({ status: 1, err: containing('Choose other calendars, or another hour.') });
    // The lock itself has the hours of its next gap, to the new hour.
    const { codesOnLock } = at.simulator.world.inspect(at.idOf('Front door'));
    expect(codesOnLock.find(({ name }) => name === 'Cleaning')).toMatchObject({
      code: '4711',
      scheduleDetails: { startDateTime: '20260415T11:00-04:00', endDateTime: '20260415T13:00-04:00' },
    });
  });

  it('prints the address of a feed, ends the former one, and withdraws it', async () => {
    const { at } = await home();
    const off = await stays(at, 'feed', 'flat');
    expect([off.status, off.err]).toEqual([2, containing('Turn on "Serve the dashboard"')]);
    await at.restart({ panel: { enabled: true, port: await freePort() } });
    await stays(at, 'sync');
    const addressOf = async (): Promise<string> => {
      const made = await stays(at, 'feed', 'flat');
      expect(made).toMatchObject({ status: 0, err: '' });
      return made.out.split('\n')[0] ?? '';
    };
    const [first, second] = [await addressOf(), await addressOf()];
    expect(await (await fetch(second)).text()).toContain('SUMMARY:Stay\\, Flat');
    expect((await fetch(first)).status).toBe(404);
    expect(await stays(at, 'feed', 'flat', '--withdraw')).toMatchObject({
      status: 0,
      out: 'The address is withdrawn.\n',
    });
    expect((await fetch(second)).status).toBe(404);
    expect((await stays(at, 'feed', 'house')).status).toBe(2);
  });

  it('moves stays and calendars to the lock that took the place of another', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const moved = await latchkey(at, 'locks', 'replace', 'Front door', 'Garage');
    expect(moved).toMatchObject({ status: 0, out: containing('1 calendar') });
    const synced = await stays(at, 'sync');
    expect(synced.out).toContain('Back door: Up to date');
    expect(synced.out).toContain('Garage: Up to date');
    expect((await latchkey(at, 'locks', 'replace', 'nothing', 'Garage')).status).toBe(1);
  });

  it('shows the digits of a stay only to a person who asks for them', async () => {
    const { at } = await home();
    await stays(at, 'sync');
    const pin = await pinOf(at);
    expect(pin).toMatch(/^\d{4,8}$/u);
    const hidden = await stays(at, 'list', '--json');
    expect(hidden.out).toContain('"name":"Stay 15-18 Apr"');
    expect(hidden.out + (await stays(at, 'sync')).out + at.lines.join('\n')).not.toContain(`${pin}"`);
    expect((await stays(at, 'list')).out).not.toContain('code: ');
    expect((await stays(at, 'list', '--reveal')).out).toContain(`${SECOND}    code: ${pin}\n${ON_BOTH}`);
  });

  it('says which bookings are new, moved or cancelled', async () => {
    const { at, portal } = await home();
    await stays(at, 'sync');
    await portal.add({ uid: 'far', arrival: 30, nights: 2 });
    const moved = await portal.add({ uid: 'moved', arrival: 40, nights: 2 });
    await stays(at, 'sync');
    await portal.add({ arrival: 50, nights: 2 });
    await portal.move({ booking: moved.uid, arrival: 41 });
    await portal.cancel('far');
    expect((await stays(at, 'check')).out).toBe(
      'Flat: The calendar can be read: 5 stays. It would change: 1 new, 1 moved, 1 cancelled.\n',
    );
  });

  it('changes nothing when the address answers with a web page, and ends with 1 and what to do (faults#136)', async () => {
    const { at, portal } = await home();
    await stays(at, 'sync');
    await portal.fail({ kind: 'html', often: 'always' });
    const checked = await stays(at, 'check');
    expect(checked.status).toBe(1);
    expect(checked.out).toMatch(/^Flat: \S.*\n$/u);
    const synced = await stays(at, 'sync');
    expect(synced.status).toBe(1);
    expect(synced.out).toContain('\n  ! ');
    expect(synced.out).toContain(SECOND + ON_BOTH);
    expect(checked.out + synced.out + synced.err).not.toContain(new URL(portal.url).pathname);
  });

  it('ends with 1, in words, when the portal fails right after the account was taken, as without a plugin', async () => {
    const { at, portal } = await home(undefined, 0);
    await portal.fail({ kind: 'status', status: 503, often: 'always' });
    const synced = await stays(at, 'sync');
    expect(synced.status).toBe(1);
    expect(synced.out).toContain('never read\n  ! The portal has a problem (HTTP 503).');
  });

  it('doubts a calendar that is suddenly empty, and keeps the codes (faults#136)', async () => {
    const { at, portal } = await home();
    await stays(at, 'sync');
    await portal.fail({ kind: 'entries-gone', share: 1, often: 'always' });
    const doubt = 'This is believed once several readings over some hours say the same.';
    expect((await stays(at, 'check')).out).toBe(
      `Flat: The calendar can be read: 0 stays. Nothing would change. 2 stays that were to come are missing from the calendar. ${doubt}\n`,
    );
    const synced = await stays(at, 'sync');
    expect(synced.status).toBe(1);
    expect(synced.out).toContain(doubt);
    expect(synced.out).toContain('  ! If that goes on, it is believed from 2026-04-14 ');
    expect(synced.out).toContain(SECOND + ON_BOTH);
  });

  it('ends with 4 while a lock is away, and names it', async () => {
    const { at } = await home('Back door');
    expect(await stays(at, 'sync')).toMatchObject({
      status: 4,
      out: containing(
        /Code not on every lock\n {4}Front door: Up to date\n {4}! Back door: \S.*(?:offline|did not answer)/u,
      ),
    });
  });

  it('asks what entries in the words of blocked nights are, and takes the answer', async () => {
    const { at, portal } = await home();
    await control(at.simulator.controlUrl, 'house/add-calendar', {
      name: 'Rooms',
      form: 'closed',
      timeZone: 'UTC',
    });
    const rooms = TestCalendar.of(at.simulator, 'Rooms');
    await rooms.add({ arrival: 3, nights: 2 });
    const calendar = { name: 'Rooms', address: rooms.url, locks: [at.idOf('Back door')] };
    await at.app.operations['stays.add-calendar'](calendar);
    const question = containing(
      '  ? No stay was found, but entries called "CLOSED - Not available". Are these bookings, as some portals write them, or blocked nights?\n' +
        '    latchkey stays answer "Rooms" bookings\n    latchkey stays answer "Rooms" blocked\n',
    );
    expect(await stays(at, 'check', 'rooms')).toMatchObject({ status: 0, out: question });
    expect(await stays(at, 'sync', 'rooms')).toMatchObject({ status: 0, out: question });
    expect(await stays(at, 'answer', 'rooms', 'perhaps')).toMatchObject({ status: 1, out: '' });
    const answered = await stays(at, 'answer', 'rooms', 'bookings');
    expect(answered).toMatchObject({ status: 0, out: containing('Apr 17 – 19, Rooms') });
    expect(answered.out).not.toContain('latchkey stays answer');
    const named = new URL(portal.url).pathname;
    expect(answered.out + at.lines.join('\n')).not.toContain(named);
  });

  it('says so where there is no calendar', async () => {
    const at = await linkedHome();
    expect(await stays(at, 'list')).toMatchObject({ status: 0, out: 'There are no booking calendars.\n' });
    expect((await stays(at, 'check')).out).toContain('There are no booking calendars. Add one');
    expect(await stays(at, 'sync')).toMatchObject({ status: 1, out: '' });
  });
});

it('latchkey history names the stay whose guest came in', async () => {
  const { at } = await home();
  await stays(at, 'sync');
  const pin = await pinOf(at, 'Stay 12-15 Apr');
  expect(at.simulator.world.typeCode(at.idOf('Front door'), pin)).toBe('accepted');
  await at.clock.advance(2 * MINUTE_MS);
  const history = await latchkey(at, 'history', 'front');
  expect(history.out).toMatch(/unlocked by Stay 12-15 Apr \(a code\)/u);
  // The home's time goes on while commands work: how far depends on the machine.
  const [, arrivedAt = 'never'] = /^2026-04-14 (\d\d:\d\d):\d\d .*unlocked by Stay/mu.exec(history.out) ?? [];
  expect(history.out).not.toContain(pin);
  expect((await stays(at, 'list')).out).toContain(`2026-04-15 11:00  Arrived Tue, Apr 14, ${arrivedAt}\n`);
  expect(at.lines.join('\n')).toContain(
    'Calendar "Flat", Stay 12-15 Apr: the code was used for the first time.',
  );
});
