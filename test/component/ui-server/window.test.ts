// The server behind a window of the Homebridge UI: the accounts that it finds, and the calls that it passes on.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../../src/domain/language/message.ts';
import { accountPlace } from '../../../src/installation/place.ts';
import { ownerOf } from '../../../src/ownership/owner-search.ts';
import { silentLog } from '../../../src/support/log.ts';
import { platformBlock, SimulatedHome } from '../../homes/simulated-home.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { ADDRESSES } from '../../support/checked-config.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { OpenWindow } from './open-window.ts';

function windowIn(folder: string, clock = new ManualClock()): OpenWindow {
  return new OpenWindow({ folder, clock });
}

describe('the accounts that a window lists', () => {
  /** Of an account without addresses, but for what differs. */
  const row = (name: string, change: object = {}): object => {
    const state = { configured: false, demo: false, hasDashboard: false, pairing: 'unknown', problems: [] };
    return { name, ...state, windowPid: process.pid, ...change };
  };
  /** A page gets the fault as a message, which it shows in the language of its reader. */
  const faultAt = (path: string): object => ({
    text: '{path}: {fault}',
    values: { path, fault: expect.objectContaining({ text: expect.any(String) as string }) as Message },
  });

  it('are our blocks in config.json, each with its faults', async () => {
    const open = windowIn(temporaryFolder());
    open.write(
      { platform: 'Latchkey', name: 'Home', partner: ADDRESSES },
      { platform: 'homebridge-latchkey.Latchkey', name: 'Hut' },
      { platform: 'Latchkey', name: 'Office', partner: { ...ADDRESSES, authUrl: 'nowhere' } },
      { platform: 'Latchkey', name: 'Demo', demo: true },
      { platform: 'Latchkey', name: 'Mixed', demo: true, partner: ADDRESSES },
      { platform: 'SomethingElse', name: 'Home' },
    );
    expect(await open.ask('/accounts')).toEqual([
      row('Home', { configured: true }),
      row('Hut'),
      row('Office', { problems: [faultAt('partner.authUrl')] }),
      row('Demo', { configured: true, demo: true }),
      row('Mixed', { problems: [faultAt('demo')] }),
    ]);
  });

  it('are read anew each time, since the page has just saved them', async () => {
    const open = windowIn(temporaryFolder());
    open.write();
    expect(await open.ask('/accounts')).toEqual([]);
    open.write({ platform: 'Latchkey' });
    expect(await open.ask('/accounts')).toEqual([row('Latchkey')]);
  });

  it('are opened by the plugin alone while they are demos, because it alone runs their service', async () => {
    const folder = temporaryFolder();
    const open = windowIn(folder);
    open.write({ platform: 'Latchkey', name: 'Demo', demo: true });
    expect(await open.failure(open.call('status', {}, 'Demo'))).toMatchObject({
      message: 'The demo runs only with the plugin. Restart Homebridge to start it.',
    });
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('need names of their own, because names alone distinguish them', async () => {
    const open = windowIn(temporaryFolder());
    const block = { platform: 'Latchkey', name: 'Home', partner: ADDRESSES };
    open.write(block, block);
    const twice = row('Home', { problems: [faultAt('name')] });
    expect(await open.ask('/accounts')).toEqual([twice, twice]);
    expect(await open.failure(open.call('status', {}, 'Home'))).toMatchObject({
      error: { code: 'bad-configuration' },
    });
  });
});

describe('a request that cannot be answered', () => {
  it('fails with the next step, and repeats nothing of config.json', async () => {
    const open = windowIn(temporaryFolder());
    open.writeText('{"platforms": [{"clientSecret": "canary-of-a-secret" ');
    const { message, error } = await open.failure(open.ask('/accounts'));
    expect(message).toContain('is not valid JSON');
    expect(error).toMatchObject({ disposition: 'final', code: 'bad-configuration' });
    expect(JSON.stringify([message, error])).not.toContain('canary');
  });

  it.each([
    ['no account of that name', { account: 'Hut', operation: 'status' }, 'bad-configuration'],
    ['no addresses yet', { account: 'Home', operation: 'status' }, 'bad-configuration'],
    ['no account at all', { operation: 'status' }, 'bad-request'],
    ['an account that is no name', { account: { name: 'Home' }, operation: 'status' }, 'bad-request'],
    ['nothing', undefined, 'bad-request'],
  ])('is refused: %s', async (_what, body, code) => {
    const open = windowIn(temporaryFolder());
    open.write({ platform: 'Latchkey', name: 'Home' });
    expect(await open.failure(open.ask('/call', body))).toMatchObject({ error: { code } });
  });

  it.each(['move', 'step-back', 'panel.login', 'constructor', 'toString'])(
    'is "%s", which no page may ask, and opens nothing',
    async (operation) => {
      const folder = temporaryFolder();
      const open = windowIn(folder);
      open.write({ platform: 'Latchkey', partner: ADDRESSES });
      expect(await open.failure(open.call(operation))).toMatchObject({ error: { code: 'not-permitted' } });
      expect(existsSync(join(folder, 'latchkey'))).toBe(false);
    },
  );
});

/** A home without a plugin that runs, and a window over its config.json; `partner` has what differs from the simulator's. */
async function stoppedHome(partner: object = {}) {
  const { home, ...others } = await runningHome(partner);
  await home.app.dispose();
  return { home, ...others };
}

/** The same while the plugin runs the account. */
async function runningHome(partner: object = {}) {
  const home = await SimulatedHome.open({ options: { partner } });
  const whole = platformBlock(home.simulator);
  const block = { ...whole, partner: { ...whole.partner, ...partner } };
  const open = new OpenWindow(home);
  open.write(block);
  return { home, open, block };
}

async function link(open: OpenWindow): Promise<unknown> {
  const started = (await open.call('link.start')) as { authorizeUrl: string };
  return open.call('link.finish', { redirectedUrl: await consent(started.authorizeUrl) });
}

describe('a window over an account without an owner', () => {
  it('links it, lists its locks and gets their events, before Homebridge has ever started it', async () => {
    const { home, block } = await stoppedHome();
    const open = windowIn(temporaryFolder(), home.clock);
    open.write(block);
    expect(await link(open)).toMatchObject({ link: 'linked' });
    expect(await open.call('locks')).toHaveLength(3);
    expect(open.reported).toContainEqual({ account: 'Latchkey', event: { type: 'link', link: 'linked' } });
  });

  it('gives the account back when it closes', async () => {
    const { home, open } = await stoppedHome();
    await link(open);
    const { config, clock, folder } = home;
    const owner = (): unknown => ownerOf({ config, clock, homebridgeFolder: folder, log: silentLog });
    expect(owner()).not.toBeNull();
    await open.close();
    expect(owner()).toBeNull();
  });

  it('opens the account with the options that the page has just written into config.json', async () => {
    const { open, block } = await stoppedHome();
    await link(open);
    const [door] = (await open.call('locks')) as readonly { readonly id: string }[];
    open.write({ ...block, locks: [{}, { id: door?.id, hide: true }] });
    const settings = (await open.call('locks.settings')) as readonly { readonly id: string }[];
    expect(settings.find(({ id }) => id === door?.id)).toMatchObject({
      hide: { value: true, from: 'config' },
    });
  });

  it('tries again at the next request to open an account that failed to open', async () => {
    const { home, open } = await stoppedHome();
    const { databaseFile } = accountPlace(home.folder, home.config);
    writeFileSync(databaseFile, 'This is no database, though it is long enough for one.'.repeat(99));
    const { message, error } = await open.failure(open.call('status'));
    expect(message).toContain(databaseFile);
    expect(error).not.toMatchObject({ disposition: 'uncertain' });
    rmSync(databaseFile);
    expect(await open.call('status')).toMatchObject({ link: 'unlinked' });
  });

  it('has no login address without a panel', async () => {
    const { open } = await stoppedHome();
    expect(await open.failure(open.ask('/panel-login', { account: 'Latchkey' }))).toMatchObject({
      error: { code: 'bad-configuration' },
    });
  });

  it('hands the account to a plugin that starts, and goes on through it', async () => {
    const { home, open } = await stoppedHome();
    await link(open);
    const plugin = home.another();
    onTestFinished(async () => plugin.dispose());
    const started = plugin.start();
    await home.clock.advance(2_000);
    await started;
    await home.clock.advance(1_000);
    expect(plugin.runtime.linkState()).toBe('linked');
    expect(open.reported.filter((payload) => 'connected' in payload)).toEqual([
      { account: 'Latchkey', connected: false },
      { account: 'Latchkey', connected: true },
    ]);
    await open.call('unlink');
    expect(plugin.runtime.linkState()).toBe('unlinked');
  });
});

describe('a window over a running plugin', () => {
  it('calls the plugin, and takes the account itself when that has stopped', async () => {
    const { home, open } = await runningHome();
    await link(open);
    expect(home.app.runtime.linkState()).toBe('linked');
    await home.app.dispose();
    await home.clock.advance(20_000);
    expect(open.reported.at(-1)).toEqual({ account: 'Latchkey', connected: true });
    expect(await open.call('locks')).toHaveLength(3);
  });

  const REFUSED = {
    message:
      'The plugin still runs with the former addresses of the service: restart Homebridge, then go on here.',
    error: { disposition: 'final', code: 'bad-configuration' },
  };
  const TYPED = { clientId: 'real-client', clientSecret: 'real-secret', subscriptionKeys: ['real-key'] };
  const NOT_WRITTEN = { clientId: undefined, clientSecret: undefined, subscriptionKeys: undefined };

  it('sends it no secret and begins no linking once config.json names another service, until it is restarted', async () => {
    const { home, open, block } = await runningHome(NOT_WRITTEN);
    const { operations } = home.app;
    const before = await operations['partner.show']({});
    open.write({ ...block, partner: { ...block.partner, ...ADDRESSES } });

    expect(await open.failure(open.call('partner.save', TYPED))).toMatchObject(REFUSED);
    expect(await open.failure(open.call('partner.save', {}))).toMatchObject(REFUSED);
    expect(await open.failure(open.call('link.start'))).toMatchObject(REFUSED);
    const redirectedUrl = `${ADDRESSES.redirectUri}?code=real-code&state=real-state`;
    expect(await open.failure(open.call('link.finish', { redirectedUrl }))).toMatchObject(REFUSED);
    expect(await operations['partner.show']({})).toEqual(before);
    expect(await operations['link.show']({})).toMatchObject({ waiting: null, ended: null });
    expect(await open.call('status')).toMatchObject({ link: 'unlinked' });

    await home.app.dispose();
    await home.clock.advance(20_000);
    expect(await open.call('partner.save', TYPED)).toMatchObject({
      ...ADDRESSES,
      clientId: { from: 'page', value: 'real-client' },
    });
  });

  const ADDRESS = REFUSED.message;
  const CLIENT = expect.stringContaining('still runs with the former client of the service') as string;

  it.each([
    ['has another baseUrl', { baseUrl: 'https://api.partner.example' }, ADDRESS],
    ['has another redirectUri', { redirectUri: 'https://home.example/callback' }, ADDRESS],
    ['has no authUrl any more', { authUrl: undefined }, ADDRESS],
    ['has another client ID', { clientId: 'another-client' }, CLIENT],
    ['has no client ID any more', { clientId: undefined }, CLIENT],
  ])('starts no linking for the former service or client once config.json %s', async (_, change, message) => {
    const { open, block } = await runningHome();
    open.write({ ...block, partner: { ...block.partner, ...change } });
    expect(await open.failure(open.call('link.start'))).toMatchObject({ ...REFUSED, message });
  });

  it('goes on through it when an address was only written in another way, or another option was changed', async () => {
    const { home, open, block } = await runningHome();
    const partner = { ...block.partner, baseUrl: `${home.simulator.baseUrl}/` };
    open.write({ ...block, partner, debug: true });
    expect(await link(open)).toMatchObject({ link: 'linked' });
    expect(home.app.runtime.linkState()).toBe('linked');
  });
});
