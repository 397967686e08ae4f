// Machines for whoever follows the operator's documents: each has a network, files in /etc and /var/lib, and users of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { apartNetworks } from '../../../test/support/apart-networks.ts';
import { NATS_PROGRAM } from '../harness/nats-cluster.ts';

export interface Machine {
  readonly host: string;
  /** As root, with `sh`; what it prints. Throws for a status but 0. */
  run(script: string): string;
  write(path: string, text: string): void;
  /** What a unit's program has written. */
  logOf(unit: string): string;
  /** Its program, with `kill -9`. */
  kill(unit: string): void;
}

export interface Machines {
  readonly at: (name: string) => Machine;
  /** On the operator's own machine, which reaches the others by their names; in a folder of its own. */
  run(script: string): string;
  readonly folder: string;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Where every user of a machine may read it. */
const SOURCE = '/var/lib/source';

/** Until the test ends; null where this user may make none. `hosts`: by their whole names. */
export async function openMachines(folder: string, hosts: readonly string[]): Promise<Machines | null> {
  const networks = apartNetworks(hosts.length);
  const program = spawnSync('which', [NATS_PROGRAM ?? ''], { encoding: 'utf8' }).stdout.trim();
  if (networks === null || program === '') {
    return null;
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  copyFileSync(program, join(bin, 'nats-server'));
  chmodSync(folder, 0o755);
  const names = join(folder, 'hosts');
  writeFileSync(names, '127.0.0.1 localhost\n');
  for (const [at, host] of hosts.entries()) {
    appendFileSync(names, `${networks.hosts[at] ?? ''} ${host}\n`);
  }
  spawnSync('mount', ['--bind', names, '/etc/hosts']);
  onTestFinished(() => {
    spawnSync('umount', ['/etc/hosts']);
  });
  mkdirSync(join(folder, 'modules'));
  spawnSync('ln', ['-s', ROOT, join(folder, 'modules', 'homebridge-latchkey')]);
  for (const [name, lines] of Object.entries(STAND_INS)) {
    const text = lines.join('\n').replaceAll('FOLDER', folder);
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const path = `${bin}:${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const env = { ...process.env, PATH: path };
  const run = (words: readonly string[], script: string, cwd: string): string => {
    const all = [...words, 'sh', '-e', '-c', script];
    const done = spawnSync(all[0] ?? '', all.slice(1), { env, cwd, encoding: 'utf8' });
    if (done.status !== 0) {
      throw new Error(`${script}\nended with ${String(done.status)}: ${done.stdout}${done.stderr}`);
    }
    return done.stdout;
  };
  const machines = new Map<string, Machine>();
  for (const [at, host] of hosts.entries()) {
    const own = join(folder, host);
    mkdirSync(join(own, 'etc'), { recursive: true });
    const disks = [
      `cp -a /etc/. ${own}/etc`,
      `cp ${names} ${own}/etc/hosts`,
      `mount --bind ${own}/etc /etc`,
      'mount -t tmpfs -o mode=755 none /var/lib',
      `mkdir ${SOURCE} && mount --bind ${ROOT} ${SOURCE}`,
      '(id nats >/dev/null 2>&1 || useradd --system --user-group nats)',
      'mkdir -p /etc/systemd/system',
      `printf '%s\\n' ${DEBIAN_UNIT.map((line) => `'${line}'`).join(' ')} > /etc/systemd/system/nats-server.service`,
      'echo up',
      'exec sleep infinity',
    ].join(' && ');
    const words = [
      ...networks.before(at),
      'unshare',
      '--mount',
      'env',
      `PATH=${path}`,
      'sh',
      '-c',
      disks.replace('PROGRAM', join(bin, 'nats-server')),
    ];
    const up = spawn(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      up.kill('SIGKILL');
    });
    await Promise.race([once(up.stdout, 'data'), once(up, 'exit')]);
    const pid = String(up.pid);
    writeFileSync(join(own, 'pid'), pid);
    const inside = ['nsenter', '-t', pid, '-m', '-n', '--', 'env', `MACHINE=${own}`];
    const pidOf = (unit: string): number => Number(readFileSync(join(own, `${unit}.pid`), 'utf8'));
    const kill = (unit: string): void => {
      try {
        process.kill(pidOf(unit), 'SIGKILL');
      } catch {
        // It does not run.
      }
    };
    onTestFinished(() => {
      kill('nats-server');
      kill('latchkey-relay');
    });
    machines.set(host, {
      host,
      run: (script) => run(inside, script, '/'),
      write: (file, text) => {
        writeFileSync(`/proc/${pid}/root${file}`, text);
      },
      logOf: (unit) => readFileSync(join(own, `${unit}.log`), 'utf8'),
      kill,
    });
  }
  return {
    folder,
    run: (script) => run([], script, folder),
    at: (name) => {
      const machine = machines.get(name);
      if (machine === undefined) {
        throw new Error(`No machine is called ${name}`);
      }
      return machine;
    },
  };
}

/** What Debian's package says of user, start and reload; PROGRAM is the version under test in place of /usr/sbin/nats-server. */
const DEBIAN_UNIT = [
  '[Service]',
  'ExecStart=PROGRAM -c /etc/nats-server.conf',
  'ExecReload=/bin/kill -s HUP $MAINPID',
  'User=nats',
];

/** What a machine of its own would do: packages are installed, files are carried, systemd starts what a unit names. */
const STAND_INS = {
  latchkey: [
    `at=${SOURCE}; [ -d $at/src ] || at=${ROOT}`,
    `exec ${process.execPath.replace(ROOT, '$at')} $at/src/start/cli.ts "$@"`,
  ],
  npm: ['if [ "$1" = root ]; then echo FOLDER/modules; fi'],
  // The last word names a machine, and a folder on it.
  scp: [
    'for last; do :; done',
    'host=${last%%:*}; host=${host#root@}; place=${last#*:}',
    'root=/proc/$(cat FOLDER/$host/pid)/root',
    'while [ $# -gt 1 ]; do cp -r "$1" "$root$place"; shift; done',
  ],
  systemctl: [
    'for unit; do :; done',
    'file=/etc/systemd/system/$unit.service',
    'value() { sed -n "s/^$1=//p" "$file" | head -1; }',
    'MAINPID=$(cat $MACHINE/$unit.pid 2>/dev/null || true)',
    'if [ "$1" = reload ]; then eval "$(value ExecReload)"; exit; fi',
    'if [ -n "$MAINPID" ]; then kill $MAINPID; while kill -0 $MAINPID 2>/dev/null; do sleep 0.1; done; fi',
    'as="setpriv --reuid $(value User) --regid $(value User) --init-groups"',
    'cd /; setsid $as $(value ExecStart) >>$MACHINE/$unit.log 2>&1 </dev/null &',
    'echo $! >$MACHINE/$unit.pid',
  ],
} as const;
