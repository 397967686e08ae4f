// `latchkey history`: all locks or one, filtered, on the clocks of the locks, into files, and followed.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSince, parseUntil } from '../../../../src/cli/history/times.ts';
import { systemClock } from '../../../../src/support/clock.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import { begin, containing, endedWith, latchkey, linkedHome } from '../terminal.ts';

const AT = Date.UTC(2026, 3, 14, 12, 15, 30);

async function homeWithHistory(): Promise<SimulatedHome> {
  const home = await linkedHome();
  const walker = { id: 'a71e', friendlyName: '=Dog walker', accessType: 'AccessCode' };
  const write = async (lock: string, body: Readonly<Record<string, unknown>>): Promise<void> => {
    await home.control(`locks/${encodeURIComponent(lock)}/write-history`, body);
  };
  await write('Front door', { eventCode: 'UnlockedByKeypad', at: AT, accessor: walker });
  await write('Front door', { eventCode: 'FirmwareUpdated', at: AT + 60_000 });
  await write('Garage', { eventCode: 'LockedByThumbturn', at: AT + 120_000 });
  return home;
}

it('latchkey history prints all locks by time, or one lock, on the clocks of the lock', async () => {
  const home = await homeWithHistory();
  expect(await latchkey(home, 'history', '--since', '2026-04-13', '--until', '2026-04-15')).toEqual({
    status: 0,
    err: '',
    out: containing(
      /^2026-04-14 08:17:30 -04:00 {2}Garage {6}locked.*\n2026-04-14 08:16:30 -04:00 {2}Front door {2}the firmware was updated\n2026-04-14 08:15:30 -04:00 {2}Front door {2}unlocked by =Dog walker \(a code\)\n$/u,
    ),
  });
  const words = ['front', '--since', '2026-04-13', '--person', '=dog WALKER', '--json'];
  const one = await latchkey(home, 'history', ...words);
  expect(JSON.parse(one.out)).toMatchObject([
    {
      time: '2026-04-14T08:15:30.000-04:00',
      event: 'unsecured',
      person: '=Dog walker',
      method: 'access-code',
    },
  ]);
  const byHand = await latchkey(home, 'history', '--until', '2026-04-15', '--method', 'hand', 'app');
  expect(byHand.out).not.toContain('unlocked');
  expect(await latchkey(home, 'history', 'garage', '--person', 'Cleo')).toEqual({
    status: 0,
    out: '',
    err: 'No recorded activity for Garage.\n',
  });
});

it('latchkey history writes a CSV or JSON file that only its owner may read, and overwrites none', async () => {
  const home = await homeWithHistory();
  const file = join(home.folder, 'history.csv');
  expect(await latchkey(home, 'history', '--export', file)).toMatchObject({
    status: 0,
    out: `Written: ${file}\n`,
  });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain("2026-04-14T08:15:30.000-04:00,Front door,unsecured,'=Dog walker,access-code");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await latchkey(home, 'history', '--export', file)).toMatchObject(
    endedWith(1, 'The file cannot be created: it is there already.'),
  );
  expect(readFileSync(file, 'utf8')).toBe(text);
  const json = join(home.folder, 'history.json');
  await latchkey(home, 'history', '--export', json, '--person', '=Dog walker');
  expect(JSON.parse(readFileSync(json, 'utf8'))).toHaveLength(1);
  // A file of what goes on would never be whole.
  expect(
    await latchkey(home, 'history', '--follow', '--export', join(home.folder, 'more.csv')),
  ).toMatchObject({ status: 2, out: '' });
  expect(await latchkey(home, 'history', '--export', join(home.folder, 'history.txt'))).toMatchObject(
    endedWith(2, 'Name a file that ends in .csv or .json.'),
  );
});

it('latchkey history --follow prints each new entry once, the oldest first, until Ctrl-C', async () => {
  const home = await linkedHome();
  await home.control('locks/Front%20door/write-history', {
    eventCode: 'FirmwareUpdated',
    at: home.clock.now() - 1_000,
  });
  const stop = new AbortController();
  const run = begin(home, ['history', 'front', '--follow', '--json'], systemClock, { stopped: stop.signal });
  const events = (): readonly (string | undefined)[] =>
    run.said.out.split('\n').map((line) => /"event":"([^"]+)"/.exec(line)?.[1]);
  await expect.poll(events).toContain('firmware-updated');
  await home.clock.advance(5_000);
  await home.control('locks/Front%20door/turn-thumbturn');
  await home.clock.advance(31_000);
  await expect.poll(events).toContain('unsecured');
  await home.clock.advance(31_000);
  expect(events().filter((event) => event === 'unsecured')).toHaveLength(1);
  stop.abort();
  expect(await run.ended).toMatchObject({ status: 0 });
});

it('latchkey history --follow leaves out nothing of what comes all at once, as after an outage of the service', async () => {
  const home = await linkedHome();
  const doors = ['Front door', 'Garage', 'Back door'];
  const write = async (door: string, eventCode: string, at: number): Promise<void> => {
    await home.control(`locks/${encodeURIComponent(door)}/write-history`, { eventCode, at });
  };
  const now = home.clock.now();
  await write('Front door', 'FirmwareUpdated', now - 1_000);
  const stop = new AbortController();
  const run = begin(home, ['history', '--follow', '--json'], systemClock, { stopped: stop.signal });
  const count = (event: string): number => run.said.out.split(`"event":"${event}"`).length - 1;
  await expect.poll(() => count('firmware-updated')).toBe(1);
  for (let minute = 1; minute <= 80; minute += 1) {
    await Promise.all(doors.map(async (door) => write(door, 'BatteriesReplaced', now + minute * 60_000)));
  }
  for (const door of doors) {
    await home.control(`locks/${encodeURIComponent(door)}/turn-thumbturn`);
  }
  await home.clock.advance(31_000);
  await expect.poll(() => count('batteries-replaced'), { timeout: 20_000 }).toBe(240);
  stop.abort();
  await run.ended;
}, 60_000);

it('latchkey history explains the forms of a time after --since that is none, and ends with 2', async () => {
  const home = await linkedHome();
  for (const since of ['yesterday', '2026-02-31', '2026-13-01', '5y', '', '2026-04-14T25:00']) {
    expect([since, await latchkey(home, 'history', '--since', since)]).toMatchObject([
      since,
      endedWith(2, 'Use 2026-04-14'),
    ]);
  }
});

it('latchkey history reads times: ago, a whole day, and an instant', () => {
  const midnight = new Date(2026, 3, 14).getTime();
  expect([parseSince('12h', AT), parseSince('2026-04-14', AT), parseUntil('2026-04-14', AT)]).toEqual([
    AT - 12 * 3_600_000,
    midnight,
    new Date(2026, 3, 15).getTime(),
  ]);
  expect(parseUntil('2026-04-14T12:15:30Z', 0)).toBe(AT);
});

it('latchkey history erase erases one person or one lock for good, and says what goes and what stays', async () => {
  const home = await homeWithHistory();
  const erase = async (...words: readonly string[]) => latchkey(home, 'history', 'erase', ...words);
  await latchkey(home, 'history');
  expect(await erase('Nobody', '--yes')).toMatchObject({
    status: 0,
    out: 'Nothing is kept here of Nobody.\n',
  });
  expect(await erase('=dog WALKER', '--yes')).toEqual({
    status: 0,
    out: 'Erased: 1 entry of =dog WALKER.\n',
    err: 'What stays: the service’s own log and the lock’s app, for as long as they keep it; exports, and backups that were made before.\n',
  });
  // Nobody is there to answer.
  expect(await erase('front door', '--lock')).toMatchObject({
    status: 1,
    err: containing(/^Nothing was erased\. ".*" was not answered\.$/mu),
  });
  // The service still lists it.
  const listed = await latchkey(home, 'history');
  expect(listed.out).toContain('the firmware was updated');
  expect(listed.out).not.toContain('Dog walker');
  expect((await erase('garage', '--yes', '--quiet')).status).toBe(0);
  const left = await latchkey(home, 'history');
  expect([left.out.includes('Garage'), left.out.includes('the firmware was updated')]).toEqual([false, true]);
  expect(await erase('front door', '--lock')).toMatchObject({
    status: 1,
    err: containing(/would be erased here for good/u),
  });
});
