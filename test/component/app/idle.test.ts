// The cost of an idle account: how often it wakes the machine, and when it writes to the disk.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { accountPlace } from '../../../src/installation/place.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

const HOUR_MS = 3_600_000;
const BEAT_MS = 6_000;

/** Whether something was committed to the account's database since it was asked last. */
function commitsIn(home: SimulatedHome): () => boolean {
  const database = new DatabaseSync(accountPlace(home.folder, home.config).databaseFile);
  onTestFinished(() => {
    database.close();
  });
  const read = database.prepare('PRAGMA data_version');
  let last = read.get()?.['data_version'];
  return () => {
    const before = last;
    last = read.get()?.['data_version'];
    return last !== before;
  };
}

/** When each file was written last, in the folder of Homebridge. */
function writtenIn(folder: string): ReadonlyMap<string, number> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  const files = paths.map((path) => [path, statSync(path)] as const).filter(([, stats]) => stats.isFile());
  return new Map(files.map(([path, { mtimeMs }]) => [path, mtimeMs]));
}

it('an idle account wakes the machine for its listings and every six seconds, and writes only when its token is renewed (faults#162)', async () => {
  const home = await SimulatedHome.linked();
  // Begun at an instant at which no beat is: whatever keeps its own time is out of step from then on.
  await home.clock.advance(HOUR_MS + 5_000);
  await home.restart();
  await home.clock.advance(HOUR_MS);
  home.wokenAt.clear();
  const listings = async () => (await home.requests('GET', '/devices')).length;
  const renewals = async () => (await home.requests('POST', '/token')).length;
  const before = [await listings(), await renewals()] as const;
  const hasCommitted = commitsIn(home);
  const committedAt = new Set<number>();
  const written = writtenIn(home.folder);
  home.clock.onSettled = () => {
    if (hasCommitted()) {
      committedAt.add(home.clock.monotonic());
    }
  };
  await home.clock.advance(HOUR_MS);
  expect([(await listings()) - before[0], (await renewals()) - before[1]]).toEqual([125, 1]);
  expect(committedAt.size).toBe(1);
  // And to no other file.
  const changed = [...writtenIn(home.folder)].filter(([path, at]) => written.get(path) !== at);
  expect(changed.map(([path]) => basename(path))).toEqual(['latchkey.db-wal']);
  // Once an hour the token is renewed, which keeps a connection for a moment, and the batteries are looked at.
  expect(home.wokenAt.size).toBe(125 + HOUR_MS / BEAT_MS + 2);
});
