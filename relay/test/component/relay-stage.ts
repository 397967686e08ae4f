// A relay before a real broker with rights for each home, as relay/README.md sets them up, on one machine.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { type Mosquitto, startMosquitto } from '../../../test/harness/mosquitto.ts';
import { documentBlock } from '../../../test/support/document-block.ts';
import { type EnrolledHome, enrolHome } from '../../src/enrol-home.ts';
import type { RelayConfig } from '../../src/relay-config.ts';
import { RELAY, startRelay } from './open-relay.ts';

/** The files of relay/README.md for mosquitto, word for word. */
export function documentedFiles(): { readonly conf: string; readonly rights: string } {
  const fences = documentBlock('relay/README.md', 'mosquitto').matchAll(/```\n(?<text>.*?)```/gsu);
  const [conf = '', rights = ''] = [...fences].map(({ groups }) => groups?.['text'] ?? '');
  return { conf, rights };
}

/** What a listener of loopback without TLS, in a folder of its own, has in place of theirs. */
const OF_THE_PLACE = /^(?:listener|certfile|keyfile|persistence_location|allow_anonymous|\w+_file)\b/u;

export const BROKER_LINES = documentedFiles()
  .conf.split('\n')
  .filter((line) => line !== '' && !OF_THE_PLACE.test(line));

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
  writeFileSync(rights, documentedFiles().rights);
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
