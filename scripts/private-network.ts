// Runs a command where only loopback exists, so that no test can reach out and no test bridge can be seen from outside, and
// where disks may be mounted that nothing else sees.
// Where the system does not allow that, the command runs as it is. With --files-in-memory its temporary files lie in memory:
// tests write and remove tens of thousands, and wait for no disk.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES_IN_MEMORY = '--files-in-memory';

const inside: readonly string[] = [
  'unshare',
  // Root keeps its rights: only with them can a real disk be mounted.
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--net',
  '--mount',
  'sh',
  '-c',
  'ip link set lo up && exec "$@"',
  'sh',
];

function isAllowed(): boolean {
  const [program = '', ...args] = inside;
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}

const given = process.argv.slice(2);
const wanted = given.filter((argument, index) => index > 0 || argument !== FILES_IN_MEMORY);
const isPrivate = isAllowed();
/** Its name is short, because paths of sockets may have 107 letters. */
const files = isPrivate && given[0] === FILES_IN_MEMORY ? mkdtempSync(join(tmpdir(), 'l-')) : null;
const inMemory = ['sh', '-c', 'mount -t tmpfs -o mode=1777 tmpfs "$TMPDIR" && exec "$@"', 'sh'];
const [program = '', ...args] = [
  ...(isPrivate ? inside : []),
  ...(files === null ? [] : inMemory),
  ...wanted,
];
const env = { ...process.env, ...(files === null ? {} : { TMPDIR: files }) };
const child = spawn(program, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on('exit', (status) => {
  process.exitCode = status ?? 1;
  if (files !== null) {
    // It was mounted where only the command could see it; here it is empty.
    rmdirSync(files);
  }
});
