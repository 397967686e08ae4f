// The commands and configurations of docs/operate/serve.md, run as they stand there, in folders that nobody else on this machine sees.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { consent, partnerOptions } from '../../stand-ins/service/simulated.ts';
import { Household, Running } from './household.ts';

const canCover =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/operate/serve.md'), 'utf8');

/**
 * What a machine of its own would do: rights are there, npm puts the program on the path, and systemd runs the unit's command
 * as a user of its own, in its own folder, and again after an end that is not final.
 */
const STAND_INS = {
  sudo: 'exec "$@"',
  npm: `case "$*" in
    "root --global") echo "$HERE/lib";;
    "install --global homebridge-latchkey") ln -s "$HERE/lib/homebridge-latchkey/dist/cli/main.js" "$HERE/bin/latchkey";;
    *) exit 64;;
  esac`,
  systemctl: `value() { sed -n "s/^$1=//p" /etc/systemd/system/latchkey.service; }
  run() {
    umask "$(value UMask)"
    while :; do
      setpriv --reuid 65534 --regid 65534 --clear-groups $(value ExecStart) >> "$HERE/log" 2>&1 &
      echo $! > "$HERE/pid"
      wait $!
      case $? in 0 | "$(value RestartPreventExitStatus)") return;; esac
    done
  }
  folder=/var/lib/$(value StateDirectory)
  case "$*" in
    "enable --now latchkey")
      mkdir -m "$(value StateDirectoryMode)" "$folder" && chown 65534:65534 "$folder";;
    "restart latchkey")
      kill "$(cat "$HERE/pid")" && tail --pid "$(cat "$HERE/pid")" -f /dev/null;;
    *) exit 64;;
  esac
  run > /dev/null 2>&1 &`,
} as const;

/** The first block of code of a language under a heading. */
function blockUnder(heading: string, language = ''): string {
  const block = DOCUMENT.split(`## ${heading}\n`)[1]?.split(`\`\`\`${language}\n`)[1]?.split('```')[0];
  return block?.replaceAll(/^ {3}/gmu, '').trim() ?? expect.fail(`There is no such block under ${heading}`);
}

/** A command within a sentence. */
function inSentence(start: string): string {
  return DOCUMENT.split('`').find((part) => part.startsWith(start)) ?? expect.fail(`Nothing says ${start}`);
}

describe.runIf(canCover)('a service that the document sets up', () => {
  let here: string;
  let household: Household;
  /** Holds the covered folders until its input ends. */
  let machine: Running;

  beforeEach(async () => {
    here = mkdtempSync(join(tmpdir(), 'latchkey-service-'));
    chmodSync(here, 0o755);
    for (const name of ['bin', 'lib', 'etc', 'var-lib']) {
      mkdirSync(join(here, name));
    }
    for (const [name, lines] of Object.entries(STAND_INS)) {
      writeFileSync(join(here, 'bin', name), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
    }
    household = await Household.open();
    const covers = [
      `mount --bind ${inject('packed').pluginsFolder} ${here}/lib`,
      `cp -a /etc/. ${here}/etc && mkdir -p ${here}/etc/systemd/system && mount --bind ${here}/etc /etc`,
      `mount --bind ${here}/var-lib /var/lib`,
    ];
    const script = ['set -e', ...covers, 'echo ready', 'exec cat'].join('\n');
    machine = new Running('unshare', ['--mount', 'bash', '-c', script]);
    await machine.line(/^ready$/u);
  });

  afterEach(async () => {
    machine.child.stdin?.end();
    await machine.status();
    await household.leave();
    rmSync(here, { recursive: true, force: true });
  });

  /** Types lines into a shell of that machine, in a folder with the person's own files. */
  function type(lines: string): Running {
    const target = ['--target', String(machine.child.pid), '--mount', `--wd=${here}`];
    const running = new Running('nsenter', [...target, 'bash', '-c', `set -e\n${lines}`], {
      ...process.env,
      HERE: here,
      PATH: `${join(here, 'bin')}:${process.env['PATH'] ?? ''}`,
    });
    household.said.push(running);
    return running;
  }

  async function typed(lines: string): Promise<string> {
    const running = type(lines);
    const status = await running.status();
    expect(`${running.out}${running.err} status ${String(status)}`).toContain('status 0');
    return running.out;
  }

  /** The document's configuration with the service's values for a person. */
  async function filledIn(block: string): Promise<string> {
    const { authUrl, baseUrl, redirectUri, clientId, clientSecret, subscriptionKeys } = partnerOptions(
      household.simulator,
    );
    const port = String(await freePort());
    return block
      .replace('https://auth.example.net', authUrl)
      .replace('https://api.example.net', baseUrl)
      .replace('http://127.0.0.1:18582/callback', String(redirectUri))
      .replace(/(clientId"?: )"\.\.\."/u, `$1"${String(clientId)}"`)
      .replace(/(clientSecret"?: )"\.\.\."/u, `$1"${String(clientSecret)}"`)
      .replace(/\["\.\.\."\]/u, JSON.stringify(subscriptionKeys))
      .replace(/^( *)"authUrl"/mu, '$1"allowInsecureLoopback": true,\n$&')
      .replace(/^( *)authUrl/mu, '$1allowInsecureLoopback: true\n$&')
      .replace('"enabled": true', `$&, "port": ${port}`)
      .replace(/^( *)enabled: true/mu, `$&\n$1port: ${port}`);
  }

  async function link(command: string): Promise<void> {
    const running = type(command);
    running.type(`${await consent(await running.line(/^http/u))}\n`);
    expect(await running.status()).toBe(0);
  }

  it.each([
    ['json', 'config.json'],
    ['yaml', 'latchkey.yaml'],
  ])(
    'latchkey serve, started by hand from its configuration in %s, is linked and answers',
    async (language, name) => {
      await typed(inSentence('npm install --global'));
      mkdirSync(join(here, 'var-lib/latchkey'), { mode: 0o700 });
      const configuration = await filledIn(blockUnder('With an account', language));
      writeFileSync(join(here, 'var-lib/latchkey', name), configuration);
      const service = type(`exec ${inSentence('latchkey serve --storage')}`);
      await service.line(/Health, readiness and figures/u);
      await service.line(/The dashboard is at/u);
      await link(inSentence('latchkey link'));
      expect(await typed('latchkey locks')).toMatch(/Front door.*locked/u);
      service.child.kill('SIGTERM');
      expect(await service.status()).toBe(0);
    },
  );

  it('latchkey serve under systemd waits for its configuration, obeys root and is restarted', async () => {
    await typed(inSentence('npm install --global'));
    const commands = blockUnder('As a system service').split('\n');
    const log = (): string => readFileSync(join(here, 'log'), 'utf8');
    const [installs = ''] = commands.slice(-1);
    await typed(commands.slice(0, -1).join('\n'));
    await expect.poll(log).toContain('Write it, then start the service again.');
    writeFileSync(join(here, 'config.json'), await filledIn(blockUnder('With an account', 'json')));
    await typed(installs);
    await expect.poll(log).toContain('Health, readiness and figures');
    await link(`sudo ${inSentence('latchkey link')}`);
    expect(await typed(inSentence('sudo latchkey locks'))).toMatch(/Front door.*locked/u);
    await typed(inSentence('sudo systemctl restart'));
    await expect.poll(() => log().split('Health, readiness and figures').length).toBe(3);
    // A position is unknown until the first list after the restart.
    await expect.poll(async () => typed(inSentence('sudo latchkey locks'))).toMatch(/Front door.*locked/u);
    await typed('kill "$(cat "$HERE/pid")"');
  });
});
