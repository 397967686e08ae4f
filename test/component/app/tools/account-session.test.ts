// The account for a tool that stays, over its changes of owner: what its listeners get of them.
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { accountPlace } from '../../../../src/app/account/place.ts';
import { AccountSession } from '../../../../src/app/tools/account-session.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

/** The version of a plugin that is newer than all of ours. */
const FUTURE_FORM = 999;

/** Makes the account's file one that cannot be opened; the returned function mends it. */
function breakFile(home: SimulatedHome): () => void {
  const write = (form: number): number => {
    const database = new DatabaseSync(accountPlace(home.folder, home.config).databaseFile);
    const before = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    database.exec(`PRAGMA user_version = ${form}`);
    database.close();
    return before;
  };
  const former = write(FUTURE_FORM);
  return () => {
    write(former);
  };
}

it('a session reports that the account is back, even when it could not be opened again at first', async () => {
  const home = await SimulatedHome.linked();
  const session = new AccountSession({
    config: home.config,
    homebridgeFolder: home.folder,
    clock: home.clock,
    log: silentLog,
    random: () => 0.5,
    signal: new AbortController().signal,
  });
  onTestFinished(async () => session.close());
  const reported: string[] = [];
  session.listen({
    onEvent: () => {},
    interrupted: () => reported.push('interrupted'),
    resumed: (locks) => reported.push(`resumed with ${locks.length} locks`),
    lost: () => reported.push('lost'),
  });
  await session.tool();
  const gone = home.app.dispose();
  await home.clock.advance(0);
  await gone;
  const mend = breakFile(home);
  await home.clock.advance(20_000);
  expect(reported).toEqual(['interrupted', 'lost']);
  await expect(session.tool()).rejects.toThrow('newer');
  mend();
  const opened = session.tool();
  await home.clock.advance(1_000);
  await opened;
  await home.clock.advance(0);
  expect(reported).toEqual(['interrupted', 'lost', 'resumed with 3 locks']);
});
