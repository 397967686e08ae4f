// A home behind a relay as a process that a test may kill: its ledger on a disk, and a line in a file for every effect.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openRelayInbox } from '../../../src/app/webhooks/relay-connection.ts';
import { ServiceTime } from '../../../src/cloud/http/service-time.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { hastyClock } from '../../../test/harness/hasty-clock.ts';

const [folder = '', line = '', keyFile = ''] = process.argv.slice(2);
const path = join(folder, 'home.db');
const effects = join(folder, 'effects');
const storage = openStorage({
  path,
  clock: systemClock,
  log: silentLog,
  service: 'test',
});
const database = new DatabaseSync(path, { readOnly: true });
const known = new Set(
  database
    .prepare('SELECT event_id FROM received_event')
    .all()
    .map((row) => String(row['event_id'])),
);
database.close();
const reading = readConfig({
  partner: { allowInsecureLoopback: true },
  webhooks: { enabled: true, via: 'relay', enrolment: line },
});
const webhooks = reading.ok ? reading.config.webhooks : null;
const enrolment = webhooks?.relay ?? null;
if (webhooks === null || enrolment === null) {
  throw new Error('The enrolment line cannot be read');
}
const keys = [readFileSync(keyFile, 'utf8')];
// As a Homebridge does: the timers of a lost connection alone would not keep the process alive.
setInterval(() => {}, 60_000);
const open = async (): Promise<void> => {
  const inbox = await openRelayInbox(
    {
      webhooks,
      clients: {
        signingKeys: { keys: () => keys, refresh: async () => Promise.resolve('current' as const) },
        serviceTime: new ServiceTime(systemClock),
      },
      storage,
      linking: {
        callback: {
          redirectUri: 'http://127.0.0.1/',
          answer: async () => Promise.reject(new Error('Unused')),
        },
      },
      clock: hastyClock,
      log: silentLog,
    },
    enrolment,
  );
  inbox.feed.subscribe(({ event }) => {
    // An event whose row was there before this process began must have no second effect.
    appendFileSync(
      effects,
      `${known.has(event.eventId) ? 'again' : 'first'} ${String(process.pid)} ${event.eventId}\n`,
    );
  });
};
for (;;) {
  try {
    await open();
    process.stdout.write('up\n');
    break;
  } catch {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
