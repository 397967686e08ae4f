// Where the local socket stands: private, short enough, and never in a successor's way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { newSocketPath, removeStaleSocket } from '../../../../src/panel/socket/path.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { caller, echo, owner, rejection } from './ends.ts';

describe.skipIf(process.platform === 'win32')("the socket's place", () => {
  it('the socket is for its user alone', async () => {
    const { path } = await owner();
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('the socket is refused in a folder where other users could reach it', async () => {
    const path = newSocketPath(temporaryFolder());
    chmodSync(dirname(path), 0o755);
    expect(await rejection(owner({}, path))).toMatchObject({
      disposition: 'final',
      code: 'bad-configuration',
    });
    expect(existsSync(path)).toBe(false);
  });

  it('the socket is in a short private folder where the path of the storage is too long, and that folder is removed with it', async () => {
    const short = temporaryFolder();
    const path = newSocketPath(join(temporaryFolder(), 'x'.repeat(100)), 'linux', short);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100);
    const { server } = await owner({ echo }, path);

    expect(await (await caller(path)).call('echo', 1)).toBe(1);
    expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
    await server.close(1_000, 'expected');
    expect(readdirSync(short)).toEqual([]);
  });

  it('the socket is refused with a reason where no path is short enough', () => {
    const long = `/${'x'.repeat(100)}`;
    expect(() => newSocketPath(long, 'linux', long)).toThrow(/set TMPDIR/u);
  });

  it('the socket is a named pipe on Windows, with a name that cannot be guessed', () => {
    const [first, second] = [
      newSocketPath('C:\\homebridge', 'win32'),
      newSocketPath('C:\\homebridge', 'win32'),
    ];
    expect(first).toMatch(/^\\\\\.\\pipe\\latchkey-[0-9a-f]{16}$/u);
    expect(first).not.toBe(second);
  });

  it('each owner has a socket of its own, so that one that wakes up late does not remove that of its successor', async () => {
    const folder = temporaryFolder();
    const late = await owner({}, newSocketPath(folder));
    const { path } = await owner({ echo }, newSocketPath(folder));
    await late.server.close(1_000, 'expected');
    expect(await (await caller(path)).call('echo', 1)).toBe(1);
  });

  it('the socket of a killed owner is removed by the owner of the account alone', async () => {
    const short = temporaryFolder();
    const path = newSocketPath(`/${'x'.repeat(100)}`, 'linux', short);
    await killedOwner(path);
    expect(existsSync(path)).toBe(true);

    expect(() => {
      removeStaleSocket(path, () => false);
    }).toThrow(expect.objectContaining({ code: 'not-owner' }));
    expect(existsSync(path)).toBe(true);
    removeStaleSocket(path, () => true);
    expect(readdirSync(short)).toEqual([]);
    removeStaleSocket(path, () => true);
  });

  it('a file at that path that is no socket is left alone', () => {
    const path = join(temporaryFolder(), 'precious');
    writeFileSync(path, 'precious');
    removeStaleSocket(path, () => true);
    expect(existsSync(path)).toBe(true);
  });
});

/** Makes a socket at `path` as an owner does and leaves it behind as kill -9 does. */
async function killedOwner(path: string): Promise<void> {
  const program = `
    import { mkdirSync } from 'node:fs';
    import { createServer } from 'node:net';
    import { dirname } from 'node:path';
    const [path] = process.argv.slice(1);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createServer().listen(path, () => console.log('listening'));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  await once(child, 'close');
}
