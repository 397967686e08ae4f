// A relay as its operator starts it, a process of its own: what it says of its health, and what its signals do.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { enrolled } from './open-relay.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'src', 'start', 'cli.ts');
/** A program that nobody has run yet takes most of a minute to begin on a machine that has forty others to do. */
const STARTS_WITHIN_MS = 120_000;
const FORMER = 'the former secret of all relays of one balancer';
const LATER = 'the later secret of all relays of one balancer';

interface RunningRelay {
  readonly child: ChildProcess;
  readonly lines: () => string;
  /** Changes its file. */
  write(text: string): void;
  readonly least: object;
  post(path: string): Promise<number>;
  /** Status and text of the page of that path. */
  page(path: string): Promise<string>;
}

/** Over a broker that does not answer; it runs until the test ends. */
async function running(): Promise<RunningRelay> {
  const file = join(temporaryFolder(), 'relay.json');
  const [port, statusPort] = [await freePort(), await freePort()];
  const broker = { url: `mqtt://127.0.0.1:${String(await freePort())}` };
  const least = { publicUrl: 'https://relay.example', secrets: [FORMER], broker, port, statusPort };
  const write = (text: string): void => writeFileSync(file, text);
  write(JSON.stringify(least));
  const words = ['--disable-warning=ExperimentalWarning', PROGRAM, 'relay', '--config', file];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  await expect.poll(() => said, { timeout: STARTS_WITHIN_MS }).toContain('The relay listens at');
  return {
    child,
    lines: () => said,
    write,
    least,
    post: async (path) =>
      (await fetch(`http://127.0.0.1:${String(port)}${path}`, { method: 'POST', body: '{}' })).status,
    page: async (path) => {
      const answer = await fetch(`http://127.0.0.1:${String(statusPort)}${path}`);
      return `${String(answer.status)} ${await answer.text()}`.trim();
    },
  };
}

describe('a relay in a process of its own', () => {
  it('lives without a broker, and is not ready', async () => {
    const relay = await running();
    expect(await relay.page('/healthz')).toBe('200 ok');
    expect(await relay.page('/readyz')).toBe('503 no-broker');
    expect(await relay.page('/metrics')).toContain('latchkey_relay_connected 0\n');
  });

  it('takes tokens, limits and revoked homes anew at SIGHUP, goes on with a file that has a fault, and ends at SIGTERM', async () => {
    const relay = await running();
    const [blue, green] = ['blue', 'green'].map((home) => enrolled(home, { secrets: [LATER] }).path);
    expect(await relay.post(blue ?? '')).toBe(404);
    relay.write(
      JSON.stringify({
        ...relay.least,
        secrets: [LATER],
        revoked: { blue: 1 },
        limits: { burst: 1, perMinute: 1, waiting: 1 },
      }),
    );
    relay.child.kill('SIGHUP');
    await expect.poll(relay.lines).toContain('The configuration was read again.');
    expect(await relay.post(blue ?? '')).toBe(410);
    expect([await relay.post(green ?? ''), await relay.post(green ?? '')]).toEqual([503, 429]);
    relay.write('{');
    relay.child.kill('SIGHUP');
    await expect.poll(relay.lines).toContain('The relay goes on as before.');
    expect(await relay.post(blue ?? '')).toBe(410);
    const ended = once(relay.child, 'exit');
    relay.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
