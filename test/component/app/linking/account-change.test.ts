// Another account is linked than before, over the real app and service: nothing is lost before a person has decided.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Scenario } from '../../../../src/simulator/scenario/scenario.ts';
import { SqliteKnownLocks } from '../../../../src/storage/known-locks.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { AccountRuntime } from '../../../../src/sync/account-runtime.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

/** A lock that is absent from an account for this long counts as gone. */
const LONG_ENOUGH_MS = 25 * 3_600_000;

/** Two people with a home each: the second has other doors. */
const TWO_HOMES = {
  users: [
    { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
    { userId: 'neighbour', friendlyName: 'Neighbour', email: 'neighbour@home.example' },
    { userId: 'guest', friendlyName: 'Guest', email: 'guest@home.example' },
    { userId: 'nobody', friendlyName: 'Nobody', email: 'nobody@home.example' },
  ],
  locks: [
    { name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner', guest: 'guest' } },
    { name: 'Back door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
    { name: 'Cellar', type: 'WifiDeadbolt', roles: { neighbour: 'owner' } },
  ],
} satisfies Scenario;

/** An account that was linked by the resident. */
async function residentsAccount(): Promise<SimulatedHome> {
  return SimulatedHome.linked({
    simulator: { scenario: TWO_HOMES },
    // Seldom, because days pass here.
    options: { polling: { idleSeconds: 3_600 }, evidenceAgeSeconds: 86_400 },
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
    expect(await home.app.operations['link.show']({})).toMatchObject({
      state: 'linked',
      accountChange: CHANGE,
    });
    expect(await doors(home)).toEqual(KEPT);
    expect(events).toContain('account-change');
    expect(home.lines.filter((line) => line.includes('seems to be another one'))).toEqual([
      'The account that is connected now seems to be another one: it does not list Front door, Back door. ' +
        'Nothing is removed until you confirm it, on the page of the plugin or with: npx homebridge-latchkey link --confirm keep (or undo)',
    ]);
  });

  it('that shares a lock with the former one raises a question, and nothing is removed meanwhile (faults#97)', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'guest');
    const change = { missing: ['Back door'], added: [] };
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: change });
    expect(await doors(home)).toEqual({ 'Front door': 'reachable', 'Back door': 'missing' });
    await home.clock.advance(LONG_ENOUGH_MS);
    expect(await doors(home)).toEqual({ 'Front door': 'reachable', 'Back door': 'missing' });
    await home.app.operations['link.confirm']({ keep: true });
    expect(await doors(home)).toEqual({ 'Front door': 'reachable' });
  });

  it('removes nothing however long the question is open, also across a restart', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await home.clock.advance(LONG_ENOUGH_MS);
    expect(await doors(home)).toEqual(KEPT);
    await home.restart();
    await home.clock.advance(LONG_ENOUGH_MS);
    expect(await doors(home)).toEqual(KEPT);
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: CHANGE });
  });

  it('replaces the former account at once when the person wants it', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    expect(await home.answered(home.app.operations['link.confirm']({ keep: true }))).toMatchObject({
      state: 'linked',
      accountChange: null,
    });
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
    await home.restart();
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
  });

  it('keeps the question open while a former lock cannot be forgotten', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    const { 'link.confirm': confirm, 'link.show': show } = home.app.operations;
    vi.spyOn(SqliteKnownLocks.prototype, 'forget').mockImplementationOnce(() => {
      throw new RetryError('storage-failed', 'The disk is full.');
    });
    await expect(home.answered(confirm({ keep: true }))).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await show({})).toMatchObject({ accountChange: CHANGE });
    await home.answered(confirm({ keep: true }));
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
  });

  it('keeps the question open while a report of a former lock comes in', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    const { 'link.confirm': confirm, 'link.show': show } = home.app.operations;
    vi.spyOn(AccountRuntime.prototype, 'forget').mockReturnValueOnce(false);
    await expect(home.answered(confirm({ keep: true }))).rejects.toMatchObject({ disposition: 'retry' });
    expect(await show({})).toMatchObject({ accountChange: { missing: ['Front door'] } });
    await home.answered(confirm({ keep: true }));
    expect(await doors(home)).toEqual({ Cellar: 'reachable' });
  });

  it('replaces nothing while its locks cannot be listed, and the question names the same ones', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await home.control('house/inject-fault', {
      kind: 'status',
      status: 503,
      path: '/**/devices',
      often: 'always',
    });
    await home.restart();
    const { 'link.confirm': confirm, 'link.show': show } = home.app.operations;
    const confirmed = confirm({ keep: true }).catch((reason: unknown) => reason);
    await home.clock.advance(60_000);
    expect(await confirmed).toMatchObject({ disposition: 'wait' });
    expect(await show({})).toMatchObject({ accountChange: CHANGE });
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
    expect(await home.app.operations['link.show']({})).toMatchObject({
      state: 'linked',
      accountChange: null,
    });
    expect(await doors(home)).toEqual(BEFORE);
  });

  it('shows none of its locks when it is unlinked while they are being listed', async () => {
    const home = await residentsAccount();
    const { operations } = home.app;
    await linkAs(home, 'neighbour');
    await home.control('house/inject-fault', {
      kind: 'latency',
      delayMs: 5_000,
      when: 'after-work',
      path: '/**/devices',
      often: 'once',
    });
    // It fails or not: the account is unlinked meanwhile.
    const reading = operations.refresh({}).catch(() => {});
    await home.clock.advance(1_000);
    await operations['link.confirm']({ keep: false });
    await home.clock.advance(10_000);
    await reading;
    expect(await doors(home)).toEqual(KEPT);
  });

  it('is forgotten when the right one is linked before the question is answered', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'neighbour');
    await linkAs(home, 'resident');
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: null });
    expect(await doors(home)).toEqual(BEFORE);
  });

  it('without a single lock raises a question, and removes nothing before a person has decided (faults#34)', async () => {
    const home = await residentsAccount();
    await linkAs(home, 'nobody');
    const { 'link.show': show, 'link.confirm': confirm } = home.app.operations;
    expect(await show({})).toMatchObject({ accountChange: { missing: CHANGE.missing, added: [] } });
    await home.clock.advance(LONG_ENOUGH_MS);
    expect(await doors(home)).toEqual(KEPT);
    await home.answered(confirm({ keep: true }));
    expect([await doors(home), (await show({})).accountChange]).toEqual([{}, null]);
  });

  it('whose locks were missing once counts as the same account when it lists them', async () => {
    const home = await residentsAccount();
    const own = async (role: 'owner' | null): Promise<void> => {
      await home.control('locks/Front%20door/set-role', { userId: 'resident', role });
      await home.control('locks/Back%20door/set-role', { userId: 'resident', role });
    };
    await own(null);
    await home.link();
    expect(await home.app.operations['link.show']({})).toMatchObject({
      accountChange: { missing: CHANGE.missing },
    });
    await own('owner');
    await home.clock.advance(60_000);
    await home.answered(home.app.operations.refresh({}));
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: null });
    expect(await doors(home)).toEqual(BEFORE);
  });

  it('raises the question also after a restart that came before its locks were listed', async () => {
    const home = await residentsAccount();
    await home.control('house/inject-fault', {
      kind: 'status',
      status: 503,
      path: '/**/devices',
      often: 'always',
    });
    await linkAs(home, 'neighbour');
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: null });
    await home.restart();
    await home.control('house/clear-faults');
    await home.clock.advance(5 * 60_000);
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: CHANGE });
    expect(await doors(home)).toEqual(KEPT);
  });
});

describe('the same account', () => {
  it('asks nothing when it is linked again', async () => {
    const home = await residentsAccount();
    await home.link();
    expect(await home.app.operations['link.show']({})).toMatchObject({ accountChange: null });
    expect(await doors(home)).toEqual(BEFORE);
  });

  it('leaves nothing to confirm', async () => {
    const home = await residentsAccount();
    await expect(home.answered(home.app.operations['link.confirm']({ keep: true }))).rejects.toMatchObject({
      code: 'bad-request',
      message: 'No other account waits to be confirmed.',
    });
  });
});
