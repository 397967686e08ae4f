// Another account is linked than before, over the real app and service: nothing is lost before a person has decided.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import { AccountRuntime } from '../../../src/engine/account-runtime.ts';
import { SqliteKnownLocks } from '../../../src/storage/known-locks.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { TWO_HOMES } from '../../homes/two-homes.ts';

/** A lock that is absent from an account for this long counts as gone. */
const LONG_ENOUGH_MS = 25 * 3_600_000;

const BACK_DOOR = { name: 'Back door', type: 'WifiDeadbolt', roles: { resident: 'owner' } } as const;

/** The resident has two doors. */
const THREE_DOORS: Scenario = { ...TWO_HOMES, locks: TWO_HOMES.locks.toSpliced(1, 0, BACK_DOOR) };

/** An account that was linked by the resident. */
async function residentsAccount(): Promise<SimulatedHome> {
  return SimulatedHome.linked({
    simulator: { scenario: THREE_DOORS },
    // Seldom, because days pass here.
    options: { polling: { idleSeconds: 3_600 } },
  });
}

/** Links anew in the name of this user. */
async function linkAs(home: SimulatedHome, userId: string): Promise<void> {
  await home.control('house/configure-authorization', { autoApproveUserId: userId });
  await home.link();
}

/** Every lock as pages see it: its name, and whether it is in reach. */
async function doors(home: SimulatedHome): Promise<Readonly<Record<string, string>>> {
  const locks = await home.app.operations.locks({});
  return Object.fromEntries(locks.map(({ description, presence }) => [description.name, presence]));
}

/** The question about another account that pages show; null without one. */
async function question(home: SimulatedHome): Promise<unknown> {
  return (await home.app.operations['link.show']({})).accountChange;
}

/** A person confirms the other account. */
async function confirm(home: SimulatedHome) {
  return home.answered(home.app.operations['link.confirm']({ keep: true }));
}

const BEFORE = { 'Front door': 'reachable', 'Back door': 'reachable' };
const KEPT = { 'Front door': 'missing', 'Back door': 'missing' };
const CHANGE = { missing: ['Front door', 'Back door'], added: ['Cellar'] };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('another account than before', () => {
  it('is noticed as it is linked, and its locks wait outside while the former ones do not respond', async () => {
    const home = await residentsAccount();
    const events: string[] = [];
    home.app.subscribe(({ type }) => events.push(type));
    await linkAs(home, 'neighbour');
    expect(await question(home)).toEqual(CHANGE);
    expect(home.app.runtime.linkState()).toBe('linked');
    expect(await doors(home)).toEqual(KEPT);
    expect(events).toContain('account-change');
    expect(home.lines.filter((line) => line.includes('seems to be another one'))).toEqual([
      'The account that is connected now seems to be another one: it does not list Front door, Back door. ' +
        'Nothing is removed until you confirm it, on the page of the plugin or with: npx homebridge-latchkey link --confirm keep (or undo)',
    ]);
  });

  it('removes nothing for days and over a restart, and replaces the former account at once when the person wants it', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await home.clock.advance(LONG_ENOUGH_MS);
    await home.restart();
    await home.clock.advance(LONG_ENOUGH_MS);
    expect(await doors(home)).toEqual(KEPT);
    expect(await question(home)).toEqual(CHANGE);
    expect(await confirm(home)).toMatchObject({ state: 'linked', accountChange: null });
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
    await home.restart();
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
  });

  it.each([
    [
      'cannot be forgotten',
      () =>
        vi.spyOn(SqliteKnownLocks.prototype, 'forget').mockImplementationOnce(() => {
          throw new RetryError('storage-failed', 'The disk is full.');
        }),
      CHANGE,
    ],
    [
      'was reported just now',
      () => vi.spyOn(AccountRuntime.prototype, 'forget').mockReturnValueOnce(false),
      { missing: ['Front door'] },
    ],
  ])('keeps the question open while a former lock %s', async (_, hinder, stillAsked) => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    hinder();
    await expect(confirm(home)).rejects.toMatchObject({ disposition: 'retry' });
    expect(await question(home)).toMatchObject(stillAsked);
    await confirm(home);
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
  });

  it('is settled once the person has confirmed it, though its locks cannot be listed from then on', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await home.clock.advance(10_000);
    // Of the three listings from here on, the last has to wait for its turn.
    await home.app.operations.refresh({});
    const confirming = home.app.operations['link.confirm']({ keep: true });
    await home.clock.advance(0);
    expect(home.app.runtime.locks()).toEqual([]);
    await home.fail('/**/devices', { status: 503 });
    expect(await home.answered(confirming)).toMatchObject({ state: 'linked', accountChange: null });
    await home.restart();
    expect(await question(home)).toBeNull();
  });

  it('replaces nothing while its locks cannot be listed, and the question names the same ones', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await home.fail('/**/devices', { status: 503 });
    await home.restart();
    const confirmed = home.app.operations['link.confirm']({ keep: true }).catch((reason: unknown) => reason);
    await home.clock.advance(60_000);
    expect(await confirmed).toMatchObject({ disposition: 'wait' });
    expect(await question(home)).toEqual(CHANGE);
    expect(Object.keys(await doors(home))).toEqual(Object.keys(BEFORE));
  });

  it('can be unlinked as a mistake, and the right account brings its locks back as they were', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    expect(await home.app.operations['link.confirm']({ keep: false })).toMatchObject({
      state: 'unlinked',
      accountChange: null,
    });
    expect(Object.keys(await doors(home))).toEqual(Object.keys(BEFORE));
    await linkAs(home, 'resident');
    expect(await question(home)).toBeNull();
    expect(home.app.runtime.linkState()).toBe('linked');
    expect(await doors(home)).toEqual(BEFORE);
  });

  it('raises the question also after a restart that came before its locks were listed', async () => {
    const home = await residentsAccount();
    await home.fail('/**/devices', { status: 503 });
    await linkAs(home, 'neighbour');
    expect(await question(home)).toBeNull();
    await home.restart();
    await home.control('house/clear-faults');
    await home.clock.advance(5 * 60_000);
    expect(await question(home)).toEqual(CHANGE);
    expect(await doors(home)).toEqual(KEPT);
  });
});

it('the same account asks nothing when it is linked again, and leaves nothing to confirm', async () => {
  const home = await residentsAccount();
  await home.link();
  expect(await question(home)).toBeNull();
  expect(await doors(home)).toEqual(BEFORE);
  await expect(confirm(home)).rejects.toThrow('No other account waits to be confirmed.');
});
