// The command line, the plugin and the settings window on a Node that is too old for their packages: one line, whatever those
// miss first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const source = (path: string): string => new URL(`../../../src/${path}`, import.meta.url).pathname;

const COMMAND_LINE = [source('start/cli.ts'), 'locks'];

/** As Homebridge loads it. */
const PLUGIN = [
  '--input-type=module',
  '--eval',
  `const { default: load } = await import('${source('index.ts')}');
  await load({ registerPlatform: () => process.stderr.write('registered') });`,
];

const WINDOW = [source('ui-server/main.ts')];

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

async function ended(
  program: readonly string[],
  version: string,
  failure: string,
): Promise<{ status: unknown; err: string }> {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', preload(version, failure)];
  const child = spawn(process.execPath, [...flags, ...program], { stdio: ['ignore', 'ignore', 'pipe'] });
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

const PROGRAMS = [
  { name: 'the command line', program: COMMAND_LINE, begin: '', end: 2 },
  // Homebridge goes on.
  { name: 'the plugin', program: PLUGIN, begin: '[Latchkey] ', end: 0 },
  { name: 'the settings window', program: WINDOW, begin: '[Latchkey] ', end: 1 },
];

describe.each(PROGRAMS)('$name', ({ program, begin, end }) => {
  it.each(FAILURES)(
    'says in one line that an outdated Node is too old, where it fails with %s',
    async (failure) => {
      const { status, err } = await ended(program, 'v20.20.2', failure);
      expect([status, err]).toEqual([
        end,
        expect.stringContaining(`${begin}Node v20.20.2 is too old. Install one of `),
      ]);
      expect(err).toMatch(/^[^\n]+\.\n$/u);
    },
  );

  it('does not blame a Node that is supported', async () => {
    const { err } = await ended(program, 'v24.21.0', 'new TypeError("broken")');
    expect(err).toContain('TypeError: broken');
  });
});

it('the plugin registers its platform where nothing fails', async () => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...PLUGIN]);
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  await once(child, 'close');
  expect(err).toBe('registered');
});
