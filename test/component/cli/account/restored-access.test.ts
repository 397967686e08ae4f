// A restore over an account in use: what was withdrawn here since the backup stays withdrawn.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KeptFeeds } from '../../../../src/features/stays/account/kept-feeds.ts';
import { accountPlace } from '../../../../src/installation/place.ts';
import { sessionArchive } from '../../../../src/panel/sessions/archive.ts';
import { SessionStore } from '../../../../src/panel/sessions/store.ts';
import { openStorage, type Storage } from '../../../../src/storage/storage.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { platformBlock } from '../../../homes/simulated-home.ts';
import { configOf } from '../../../support/checked-config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { begin, linkedHome, writeConfig } from '../terminal.ts';

const CALENDARS = ['flat', 'loft', 'barn'].map((id) => ({ id }));

it('a login and the address of a feed that were ended after the backup let nobody in after its restore (faults#148)', async () => {
  const home = await linkedHome();
  await home.app.dispose();
  const { clock, folder } = home;
  writeConfig(home, {});
  const path = join(accountPlace(folder, configOf(platformBlock(home.simulator))).folder, 'latchkey.db');
  const opened = <T>(work: (storage: Storage) => T): T => {
    const storage = openStorage({ path, clock, log: silentLog });
    try {
      return work(storage);
    } finally {
      storage.close();
    }
  };
  const feedsOf = ({ secrets }: Storage): KeptFeeds => new KeptFeeds(secrets, clock);
  const loginsOf = ({ settings }: Storage): SessionStore => {
    const shelf = {
      read: () => settings.read('dashboard.sessions'),
      write: (sessions: object) => settings.write('dashboard.sessions', sessions),
    };
    return new SessionStore(clock, sessionArchive(shelf, silentLog));
  };
  const run = async (...words: readonly string[]): Promise<void> => {
    const environment = { LATCHKEY_PASSPHRASE: 'correct horse battery' };
    expect(await begin(home, words, clock, { environment }).ended).toMatchObject({ status: 0 });
  };
  const file = join(temporaryFolder(), 'house.latchkey');
  const before = opened((storage) => {
    const feeds = feedsOf(storage);
    const logins = loginsOf(storage);
    const login = logins.exchange(logins.mint());
    return {
      flat: feeds.make('flat'),
      loft: feeds.make('loft'),
      barn: feeds.make('barn'),
      id: login?.id ?? null,
    };
  });
  await run('backup', file);
  opened((storage) => {
    feedsOf(storage).withdraw('flat');
    feedsOf(storage).make('loft');
    loginsOf(storage).endAll();
  });
  await run('restore', file, '--force');
  opened((storage) => {
    const found = (secret: string): string | undefined => feedsOf(storage).of(secret, CALENDARS)?.id;
    expect([found(before.flat), found(before.loft), found(before.barn)]).toEqual([
      undefined,
      undefined,
      'barn',
    ]);
    expect(loginsOf(storage).find(before.id)).toBeNull();
  });
});
