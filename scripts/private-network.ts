// Runs a command where only loopback exists, so that no test can reach out and no test bridge can be seen from outside, and
// where disks may be mounted that nothing else sees.
// Where the system does not allow that, the command runs as it is.
import { spawn, spawnSync } from 'node:child_process';

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

const wanted = process.argv.slice(2);
const [program = '', ...args] = isAllowed() ? [...inside, ...wanted] : wanted;
const child = spawn(program, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on('exit', (status) => {
  process.exitCode = status ?? 1;
});
