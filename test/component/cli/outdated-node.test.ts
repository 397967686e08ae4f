// The command line on a Node that is too old for its packages: one line, whatever they miss first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const MAIN = new URL('../../../src/cli/main.ts', import.meta.url).pathname;

/** Claims to be this version, and fails to load SQLite as `failure` says. */
const preload = (version: string, failure: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  Object.defineProperty(process, 'version', { value: '${version}' });
  registerHooks({
    resolve(name, context, next) {
      if (name === 'node:sqlite') throw ${failure};
      return next(name, context);
    },
  });
`)}`;

async function ended(version: string, failure: string): Promise<{ status: unknown; err: string }> {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', preload(version, failure)];
  const child = spawn(process.execPath, [...flags, MAIN, 'locks'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const [status] = (await once(child, 'close')) as [unknown];
  return { status, err };
}

const FAILURES = [
  ["Object.assign(new Error('No such module'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' })"],
  ['new TypeError("Cannot read properties of undefined (reading \'bind\')")'],
];

it.each(FAILURES)(
  'says in one line that an outdated Node is too old, where it fails with %s',
  async (failure) => {
    const { status, err } = await ended('v20.20.2', failure);
    expect(status).toBe(2);
    expect(err).toMatch(/^Node v20\.20\.2 is too old\. Install one of [^\n]+\.\n$/u);
  },
);

it('does not blame a Node that is supported', async () => {
  expect((await ended('v24.21.0', 'new TypeError("broken")')).err).toContain('TypeError: broken');
});
