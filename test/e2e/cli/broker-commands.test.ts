// The commands of docs/operate/mqtt.md for a broker on Debian, run as they stand there, and a service that uses that broker.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { hasMosquitto } from '../../harness/mosquitto.ts';
import { hasOpenssl } from '../../harness/openssl.ts';
import { Household, Running } from './household.ts';

/** The folders of Debian's package are covered by empty ones, which nobody else on this machine sees. */
const canCover =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0 &&
  hasOpenssl;

const COVERED = ['/etc/mosquitto', '/var/lib/mosquitto', '/var/log/mosquitto'];

/** What a machine of its own would do: rights are there, packages are installed, systemd starts the broker, a person types. */
const STAND_INS = {
  sudo: 'for last; do :; done; if [ "$1" = mosquitto_passwd ]; then yes "$last-word" | "$@"; else exec "$@"; fi',
  'apt-get': 'shift 2; exec dpkg -s "$@" > /dev/null',
  // It returns once the broker listens, as Debian's unit does (Type=notify).
  systemctl: [
    '[ "$*" = "restart mosquitto" ] && /usr/sbin/mosquitto -d -c /etc/mosquitto/mosquitto.conf || exit 1',
    'until grep -q "mosquitto version .* running" /var/log/mosquitto/mosquitto.log; do sleep 0.1; done',
  ].join('\n'),
} as const;

/** Debian's own file, as its package writes it. */
const DEBIAN = [
  'persistence true',
  'persistence_location /var/lib/mosquitto/',
  'log_dest file /var/log/mosquitto/mosquitto.log',
  'pid_file /var/log/mosquitto/mosquitto.pid',
  'include_dir /etc/mosquitto/conf.d',
];

/** The commands that the document shows first under this heading. */
function commandsUnder(heading: string): readonly string[] {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/operate/mqtt.md'), 'utf8');
  const block = document.split(`## ${heading}\n`)[1]?.split('```sh\n')[1]?.split('\n```')[0];
  return block?.split('\n') ?? [];
}

describe.runIf(hasMosquitto && canCover)('a broker that the document sets up', () => {
  let folder: string;
  let household: Household;
  let broker: Running | null = null;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-debian-'));
    // The broker becomes a user of its own, as on Debian.
    chmodSync(folder, 0o755);
    household = await Household.open();
  });

  afterEach(async () => {
    broker?.child.kill('SIGKILL');
    const pidFile = join(folder, 'log-mosquitto', 'mosquitto.pid');
    if (existsSync(pidFile)) {
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    }
    await household.leave();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the commands with the folders of the package covered. */
  function run(commands: readonly string[]): Running {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const [name, lines] of Object.entries(STAND_INS)) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    }
    const covers = COVERED.map((path) => {
      const own = join(folder, path.split('/').slice(2).join('-'));
      mkdirSync(own);
      return `chown mosquitto: ${own} && mount --bind ${own} ${path}`;
    });
    const etc = join(folder, 'mosquitto');
    mkdirSync(join(etc, 'conf.d'));
    writeFileSync(join(etc, 'mosquitto.conf'), `${DEBIAN.join('\n')}\n`);
    const script = ['set -e', ...covers, ...commands].join('\n');
    return new Running('unshare', ['--mount', 'bash', '-c', script], {
      ...process.env,
      PATH: `${programs}:/usr/sbin:${process.env['PATH'] ?? ''}`,
    });
  }

  it('a broker set up by the documented commands accepts the login, the certificate and the commands of a service, and no other client', async () => {
    const commands = commandsUnder('A broker on Debian');
    expect(commands.length).toBeLessThanOrEqual(10);
    broker = run(commands.map((line) => line.replace('<its password>', 'homeassistant-word')));
    const log = (): string => readFileSync(join(folder, 'log-mosquitto', 'mosquitto.log'), 'utf8');
    // The last command stays connected. Where one of them fails, what it said is the finding.
    const ended = broker.ended.then(() => `The commands ended: ${broker?.err ?? ''}`);
    await expect
      .poll(async () => Promise.race([ended, Promise.resolve(log())]), { timeout: 100_000 })
      .toContain("u'homeassistant'");
    const certificate = join(folder, 'mosquitto', 'broker.crt');
    household.write({
      panel: { port: await freePort() },
      webhooks: { port: await freePort() },
      mqtt: {
        url: 'mqtts://localhost:8883',
        clientId: 'our-own-name',
        ca: certificate,
        username: 'latchkey',
        password: 'latchkey-word',
        homeAssistant: true,
      },
    });
    const config = join(household.folder, 'config.json');
    const service = household.latchkey('serve', '--demo', '--config', config, '--status-port', '0');
    const topic =
      (await broker.line(/^latchkey\/\S+\/state .*"Demo front door".*"state":"locked"/u)).split(
        '/state ',
      )[0] ?? '';
    const access = ['-V', 'mqttv5', '-h', 'localhost', '-p', '8883', '--cafile', certificate];
    const login = ['-u', 'homeassistant', '-P', 'homeassistant-word'];
    const message = JSON.stringify({ action: 'unlock', at: Date.now() });
    spawnSync('mosquitto_pub', [...access, ...login, '-t', `${topic}/set`, '-m', message]);
    await broker.line(/^latchkey\/\S+\/state .*"Demo front door".*"state":"unlocked"/u);
    expect(log()).toContain('as our-own-name ');
    service.child.kill('SIGTERM');
    expect(await service.status()).toBe(0);
    const stranger = spawnSync('mosquitto_sub', [...access, '-t', '#', '-W', '2'], { encoding: 'utf8' });
    expect(stranger.stderr).toContain('Not authorized');
  });
});
