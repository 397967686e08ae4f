// Links the account of a running plugin as a person does: the authorize page in a browser, and back with the code.
import { z } from 'zod';
import { accountPlace } from '../../src/installation/place.ts';
import { PanelClient } from '../../src/panel/socket/panel-client.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { consent } from '../stand-ins/service/simulated.ts';

/** The plugin takes the account and opens its socket within this time after its bridge is published. */
const OWNED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;

const started = z.object({ authorizeUrl: z.url() });
const finished = z.object({ link: z.literal('linked') });

/** `name`: the name of the platform block. Resolves when the plugin reports the link. */
export async function linkAccount(storeFolder: string, name: string): Promise<void> {
  const owner = await PanelClient.connect(await ownerOf(storeFolder, name));
  try {
    const { authorizeUrl } = started.parse(await owner.call('link.start'));
    const redirectedUrl = await consent(authorizeUrl);
    finished.parse(await owner.call('link.finish', { redirectedUrl }));
  } finally {
    await owner.close();
  }
}

/** Where the process that owns the account listens to the command line and to pages. */
export async function ownerOf(storeFolder: string, name: string) {
  const path = await socketOf(accountPlace(storeFolder, { name, storagePath: null }).databaseFile);
  return { path, clock: systemClock, log: silentLog };
}

async function socketOf(databaseFile: string): Promise<string> {
  const storage = openStorage({
    path: databaseFile,
    clock: systemClock,
    log: silentLog,
  });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const startedAt = performance.now();
    const look = setInterval(() => {
      const holder = storage.owner.announced();
      if (holder) {
        resolve(holder.socketPath);
      } else if (performance.now() - startedAt > OWNED_WITHIN_MS) {
        reject(new Error('No process took the account'));
      }
    }, LOOK_EVERY_MS);
    return await promise.finally(() => {
      clearInterval(look);
    });
  } finally {
    storage.close();
  }
}
