// `latchkey lock`, `unlock` and `history` where no lock is known: they say why, and end with the status of that.
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import {
  begin,
  containing,
  during,
  endedWith,
  latchkey,
  linkedHome,
  type Ran,
  writeConfig,
} from '../terminal.ts';

const COMMANDS = ['lock', 'unlock', 'history'] as const;

it.each(COMMANDS)(
  'latchkey %s says that the account has to be linked (3), or that the service has listed no locks yet (4)',
  async (command) => {
    const home = await SimulatedHome.open();
    writeConfig(home, {});
    expect(await latchkey(home, command, 'front')).toEqual({
      status: 3,
      out: '',
      err: 'No lock account is connected. Connect the account with: npx homebridge-latchkey link\n',
    });
    await home.fail('**/devices', { status: 500 });
    await home.link();
    expect(await latchkey(home, command, 'front')).toMatchObject(
      endedWith(4, /^The service has not listed the locks yet: The service failed \(HTTP 500\)\. Try again/u),
    );
  },
);

it('a lock that is unlocked already gets no command to unlock, and the report says so', async () => {
  const home = await linkedHome();
  await home.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
  await home.clock.advance(31_000);
  expect(await latchkey(home, 'unlock', 'front')).toEqual({
    status: 0,
    out: 'Front door: already unlocked\n',
    err: '',
  });
});

it('an unknown lock name is a misuse in an account with locks, and in one without any', async () => {
  const home = await linkedHome();
  expect(await latchkey(home, 'lock', 'attic')).toMatchObject(endedWith(2, 'There is "'));
  const bare = await SimulatedHome.linked({ simulator: { scenario: { locks: [] } } });
  writeConfig(bare, {});
  expect(await latchkey(bare, 'lock', 'attic')).toMatchObject({
    status: 2,
    err: 'No lock is called "attic".\n',
  });
});

it.each([
  ['no lock is named', ['lock', '--json'], /missing required argument/u],
  ['an option has no sense', ['history', 'front', '--limit', '0', '--json'], /--limit/u],
])('a program gets the error that %s as it gets every error', async (_, words, message) => {
  const home = await linkedHome();
  const { status, out, err } = await latchkey(home, ...words);
  const cliError = z.object({ error: z.record(z.string(), z.string()) }).parse(JSON.parse(err)).error;
  expect([status, out, cliError['code'], cliError['next']]).toEqual([
    2,
    '',
    'bad-request',
    'Run with --help to see the commands.',
  ]);
  expect(cliError['message']).toMatch(message);
});

/** Runs it on the home's clock, which goes on until it has ended. */
async function onItsClock(home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  return during(home, begin(home, words, home.clock).ended);
}

it.each([
  [13, true, 0, /^Front door: unlocked \(\d+\.\d s\)\n$/u],
  [1, true, 0, /^Front door: unlocked \(\d+\.\d s\)\n$/u],
  [13, false, 1, /^$/u],
] as const)(
  'an unlock that failed with %d is followed until a reading tells where the bolt is (it moved: %s)',
  async (errorCode, moves, expected, said) => {
    const home = await linkedHome();
    await home.control('locks/Front door/fail-next-commands', { errorCode, moves, delayMs: 1_500 });
    const ran = await onItsClock(home, 'unlock', 'front');
    expect(ran).toEqual({ out: containing(said), ...endedWith(expected, 'looking at the lock') });
    expect(ran.err.includes('couldn’t unlock')).toBe(!moves);
  },
);

it.each(['lock', 'unlock'])(
  'latchkey %s whose answer is lost says within 30 s that the outcome is unknown, and ends with 5',
  async (verb) => {
    const home = await linkedHome();
    await home.control('locks/Front door/turn-thumbturn', { to: verb === 'lock' ? 'Unlocked' : 'Locked' });
    await home.clock.advance(31_000);
    await home.fail('**/devices/**', { status: 500 });
    await home.fail('**/devices', { status: 500 });
    const startedAt = home.clock.monotonic();
    const ran = await onItsClock(home, verb, 'front');
    expect(ran).toMatchObject(endedWith(5, 'the answer was lost; looking at the lock'));
    expect(ran.err).toContain('nobody knows');
    expect(home.clock.monotonic() - startedAt).toBeLessThanOrEqual(31_000);
  },
);
