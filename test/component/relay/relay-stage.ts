// A relay before a real broker with rights for each home, as docs/relay.md sets them up, on one machine.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EnrolledHome, enrolHome } from '../../../src/relay/enrol-home.ts';
import type { RelayConfig } from '../../../src/relay/relay-config.ts';
import { freePort } from '../../harness/free-port.ts';
import { type Mosquitto, startMosquitto } from '../../harness/mosquitto.ts';
import { RELAY, startRelay } from './open-relay.ts';

/** The lines of docs/relay.md; a test holds both together. */
export const RIGHTS = [
  'user relay',
  'topic write latchkey/homes/+/events',
  'topic write latchkey/relay/barrier',
  'pattern read latchkey/homes/%u/events',
];

export const BROKER_LINES = [
  'use_username_as_clientid true',
  'persistence true',
  'autosave_on_changes true',
  'autosave_interval 1',
  'max_queued_messages 0',
  'max_inflight_messages 20',
  'set_tcp_nodelay true',
  'persistent_client_expiration 14d',
];

export interface RelayStage {
  readonly broker: Mosquitto;
  readonly config: RelayConfig;
  /** The relay's own address. */
  readonly url: string;
  enrol(home: string): EnrolledHome;
}

const RELAY_PASSWORD = 'the-password-of-the-relay';

/** Open until the test ends. `homes` may connect to the broker. */
export async function openRelayStage(folder: string, homes: readonly string[]): Promise<RelayStage> {
  const passwords = join(folder, 'passwords');
  const rights = join(folder, 'rights');
  const port = await freePort();
  writeFileSync(passwords, '');
  writeFileSync(rights, `${RIGHTS.join('\n')}\n`);
  const broker = await startMosquitto({
    folder: join(folder, 'broker'),
    closed: true,
    lines: [...BROKER_LINES, `password_file ${passwords}`, `acl_file ${rights}`],
  });
  const config: RelayConfig = {
    ...RELAY,
    port,
    publicUrl: `http://127.0.0.1:${String(port)}`,
    broker: { url: broker.url.href, username: 'relay', password: RELAY_PASSWORD },
    limits: { burst: 1_000, perMinute: 60_000, waiting: 100 },
  };
  const enrolled = new Map(
    homes.map((home) => [home, enrolHome(config, { home, generation: 1, withAddress: true })] as const),
  );
  for (const [user, password] of [
    ['relay', RELAY_PASSWORD],
    ...[...enrolled.values()].map((home) => [home.username, home.password] as const),
  ] as const) {
    spawnSync('mosquitto_passwd', ['-b', passwords, user, password]);
  }
  await broker.stop();
  await broker.start();
  const relay = await startRelay(config);
  onTestFinished(async () => {
    await relay.stop();
    await broker.stop();
  });
  return {
    broker,
    config,
    url: config.publicUrl,
    enrol: (home) => {
      const known = enrolled.get(home);
      if (known === undefined) {
        throw new Error(`No home is called ${home}`);
      }
      return known;
    },
  };
}
