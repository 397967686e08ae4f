// The files of relay/README.md for mosquitto, run word for word: they keep each home from the sessions of others.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { SELF_SIGNED } from '../../../test/component/cloud/self-signed.ts';
import { hasMosquitto, launch } from '../../../test/harness/mosquitto.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type ClientIds, checkClientIds } from '../../src/check-home.ts';
import { enrolHome } from '../../src/enrol-home.ts';
import { RELAY } from './open-relay.ts';
import { documentedFiles } from './relay-stage.ts';

const PORT = 8_883;
const OPEN_PORT = 1_883;

/** The broker of the documents, in folders of its own; `changed`: with another order. Until the test ends. */
async function documented(changed: (conf: string) => string = (conf) => conf) {
  const folder = temporaryFolder();
  const { conf, rights } = documentedFiles();
  const put = (text: string): string =>
    text.replaceAll('/etc/mosquitto/', `${folder}/`).replaceAll('/var/lib/mosquitto/', `${folder}/stored/`);
  const path = join(folder, 'mosquitto.conf');
  mkdirSync(join(folder, 'stored'));
  // Root would become the user of that name, who may not read this folder.
  writeFileSync(path, `${process.getuid?.() === 0 ? 'user root\n' : ''}${put(changed(conf))}`);
  writeFileSync(join(folder, 'rights'), rights);
  writeFileSync(join(folder, 'broker.pem'), SELF_SIGNED.cert);
  writeFileSync(join(folder, 'broker.key'), SELF_SIGNED.key);
  const homeCaFile = join(folder, 'broker.pem');
  const config = { ...RELAY, homeCaFile, broker: { url: `mqtts://localhost:${String(PORT)}` } };
  const homes = ['blue', 'green'].map((home) =>
    enrolHome(config, { home, generation: 1, withAddress: true }),
  );
  writeFileSync(join(folder, 'passwords'), '');
  for (const [user, password] of [
    ['relay', 'the-password-of-the-relay'],
    ...homes.map((home) => [home.username, home.password]),
  ]) {
    spawnSync('mosquitto_passwd', ['-b', join(folder, 'passwords'), user ?? '', password ?? '']);
  }
  const broker = await launch({ path, port: PORT, scheme: 'mqtts' });
  onTestFinished(async () => broker.stop());
  const [blue, green] = homes;
  if (blue === undefined || green === undefined) {
    throw new Error('There are two homes');
  }
  const clientIds = async (): Promise<ClientIds> => {
    const enrolment = readEnrolment(green.line);
    if (enrolment === null) {
      throw new Error('The line cannot be read');
    }
    return checkClientIds(enrolment, { clock: systemClock, random: () => 0, log: silentLog });
  };
  return { blue, green, clientIds };
}

interface Login {
  readonly username: string;
  readonly password: string;
}

const connect = async (
  { username, password }: Login,
  session: IClientOptions,
  hears: (topic: string) => void = () => {},
): Promise<MqttClient> => {
  const client = mqtt.connect(`mqtts://localhost:${String(PORT)}`, {
    protocolVersion: 5,
    ca: SELF_SIGNED.cert,
    reconnectPeriod: 0,
    username,
    password,
    ...session,
  });
  client.on('message', hears);
  client.on('error', () => {});
  onTestFinished(() => {
    client.end(true);
  });
  await new Promise((resolve) => {
    client.once('connect', () => resolve(null));
    client.once('close', () => resolve(null));
  });
  return client;
};

/** Whether a home that takes another's client id ends what was kept for it. */
async function isSessionTaken({ blue, green }: Awaited<ReturnType<typeof documented>>): Promise<boolean> {
  const session = {
    clientId: `latchkey-home-${blue.home}`,
    clean: false,
    properties: { sessionExpiryInterval: 3_600 },
  } as const;
  const first = await connect(blue, session);
  await first.subscribeAsync(blue.topic, { qos: 1 });
  await first.endAsync();
  const relay = await connect({ username: 'relay', password: 'the-password-of-the-relay' }, {});
  await relay.publishAsync(blue.topic, 'an event', { qos: 1 });
  for (const clientId of [session.clientId, blue.username]) {
    const thief = await connect(green, { clientId, clean: true });
    await thief.endAsync();
  }
  const heard: string[] = [];
  const again = await connect(blue, session, (topic) => heard.push(topic));
  await again.subscribeAsync(blue.topic, { qos: 1 });
  await relay.publishAsync(blue.topic, 'the last event', { qos: 1 });
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  return heard.length === 1;
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    onTestFinished(() => {
      socket.destroy();
    });
  });
}

describe.skipIf(!hasMosquitto)('mosquitto with the files of relay/README.md', () => {
  it('gives no home the session of another, and opens no other port (faults#178)', async () => {
    const stage = await documented();
    expect(await answers(OPEN_PORT)).toBe(false);
    expect(await isSessionTaken(stage)).toBe(false);
    expect(await stage.clientIds()).toBe('own');
  });

  it('is found out by the check when the line stands above the listener (faults#178)', async () => {
    const line = 'use_username_as_clientid true\n';
    const stage = await documented((conf) => line + conf.replace(line, ''));
    expect(await stage.clientIds()).toBe('chosen');
    expect(await answers(OPEN_PORT)).toBe(true);
    expect(await isSessionTaken(stage)).toBe(true);
  });
});
