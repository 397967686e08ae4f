// Credentials that a page stores, over the real app and service: used at once, kept across restarts, never given back.
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { inWords } from '../../../support/in-words.ts';
import { filesBesideDatabase } from '../outputs.ts';

const NOTHING_WRITTEN = { clientId: undefined, clientSecret: undefined, subscriptionKeys: undefined };
/** Where a person corrects them. */
const WHERE = expect.stringContaining("on the plugin's pages or in config.json") as string;
const ALL = ['partner.clientId', 'partner.clientSecret', 'partner.subscriptionKeys'];

/** A running account whose config.json names addresses alone, and the credentials that a person would type. */
async function openBare() {
  const home = await SimulatedHome.open({ options: { partner: NOTHING_WRITTEN } });
  const [client = expect.fail('The simulator has no client')] = home.simulator.clients;
  const { clientId, clientSecret, subscriptionKeys } = client;
  return { home, typed: { clientId, clientSecret, subscriptionKeys } };
}

describe('an account without credentials', () => {
  it('runs unlinked, says in one line what is missing and where to enter it, and sends no call', async () => {
    const { home } = await openBare();
    const { operations } = home.app;
    const waiting = `Waiting for credentials: ${ALL.join(', ')}. Add them on the plugin's pages or in config.json.`;
    await home.clock.advance(3_600_000);
    expect(await operations.status({})).toMatchObject({ link: 'unlinked' });
    expect(home.lines.filter((line) => line.includes('Waiting for credentials'))).toEqual([waiting]);
    // Instead of sending a person to link.
    await expect(operations.refresh({})).rejects.toMatchObject({
      code: 'bad-configuration',
      message: waiting,
    });
    expect([await home.count('GET', '/'), await home.count('POST', '/')]).toEqual([0, 0]);
  });

  it('begins no linking, names what is missing, and can still be checked by the doctor', async () => {
    const { home, typed } = await openBare();
    const { operations } = home.app;
    expect(await operations.checkup({})).toMatchObject({
      authorization: { ok: false, code: 'bad-configuration' },
      keys: [],
    });
    await expect(operations['link.start']({})).rejects.toMatchObject({
      disposition: 'final',
      code: 'bad-configuration',
      message: expect.stringContaining(ALL.join(', ')) as string,
    });
    await operations['partner.save']({ clientId: typed.clientId, clientSecret: typed.clientSecret });
    await expect(operations['link.start']({})).rejects.toThrow(
      'Waiting for credentials: partner.subscriptionKeys.',
    );
  });
});

describe('credentials that a page keeps', () => {
  it('are used at once, without a restart, and survive one', async () => {
    const { home, typed } = await openBare();
    expect(await home.app.operations['partner.save'](typed)).toMatchObject({
      clientId: { from: 'page', value: typed.clientId },
      clientSecret: { from: 'page' },
      subscriptionKeys: { from: 'page', count: 2 },
      missing: [],
    });
    await home.link();
    expect(await home.app.operations.locks({})).toHaveLength(3);
    await home.restart();
    expect(await home.app.operations['partner.show']({})).toMatchObject({ missing: [] });
    await home.clock.advance(3 * 3_600_000);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });
  });

  it('can be replaced when they were wrong, without a restart and without waiting out a pause', async () => {
    const { home, typed } = await openBare();
    const { operations } = home.app;
    await operations['partner.save']({ ...typed, clientSecret: 'not-the-secret' });
    await expect(home.link()).rejects.toMatchObject({ code: 'bad-configuration', message: WHERE });
    await operations['partner.save']({ clientSecret: typed.clientSecret });
    await home.link();
    await operations['partner.save']({ clientSecret: 'not-the-secret' });
    // The token ends meanwhile: its renewal is refused, and not tried again for minutes.
    await home.clock.advance(2 * 3_600_000);
    expect(await operations.status({})).toMatchObject({
      link: 'linked',
      failing: { forMs: expect.any(Number) as number },
    });
    await operations['partner.save']({ clientSecret: typed.clientSecret });
    await home.clock.advance(0);
    expect(await operations.status({})).toMatchObject({ link: 'linked', failing: null });
  });

  it('can be replaced when they were wrong, also while the service takes its time to refuse them', async () => {
    const { home, typed } = await openBare();
    const { operations } = home.app;
    await operations['partner.save'](typed);
    await home.link();
    await operations['partner.save']({ subscriptionKeys: ['0123456789abcdef0123456789abcdef'] });
    await home.clock.advance(60_000);
    expect(inWords(await operations.status({}))).toMatchObject({ failing: { message: WHERE } });
    await home.fail('/**/devices', { kind: 'latency', delayMs: 5_000, when: 'after-work', often: 'once' });
    const reading = operations.refresh({}).catch(() => {});
    await home.clock.advance(1_000);
    await operations['partner.save']({ subscriptionKeys: typed.subscriptionKeys });
    await home.clock.advance(4_000);
    await reading;
    await home.clock.advance(0);
    expect(await operations.status({})).toMatchObject({ link: 'linked', failing: null, lastListedAgoMs: 0 });
  });

  it('silence the account when they are erased, and bring it back with its link when they are entered again', async () => {
    const { home, typed } = await openBare();
    const { operations } = home.app;
    await operations['partner.save'](typed);
    await home.link();
    await operations['partner.save']({ subscriptionKeys: null });
    expect(await operations.status({})).toMatchObject({ link: 'unlinked' });
    const before = await home.count('GET', '/');
    await home.clock.advance(3_600_000);
    expect(await home.count('GET', '/')).toBe(before);
    await operations['partner.save']({ subscriptionKeys: typed.subscriptionKeys });
    await home.clock.advance(0);
    expect(await operations.status({})).toMatchObject({ link: 'linked', failing: null });
    expect(await home.count('GET', '/')).toBeGreaterThan(before);
  });

  it('are returned by no operation, and stand in no line of the log and no file but the vault', async () => {
    const { home, typed } = await openBare();
    await home.app.operations['partner.save'](typed);
    await home.link();
    const { 'partner.show': show, diagnostics, status, 'link.show': link, checkup } = home.app.operations;
    const outputs = await Promise.all([show({}), diagnostics({}), status({}), link({}), checkup({})]);
    const said = [inspect(outputs, { depth: 20 }), ...home.lines, ...filesBesideDatabase(home)].join('\n');
    for (const secret of [typed.clientSecret, ...typed.subscriptionKeys]) {
      expect(said).not.toContain(secret);
    }
    expect(outputs[1]).toMatchObject({
      options: { 'partner.clientId': 'set', 'partner.clientSecret': 'set', 'partner.subscriptionKeys': 2 },
    });
  });

  it('are refused by name where config.json fixes them, and then nothing at all is changed', async () => {
    const home = await SimulatedHome.open({ options: { partner: { clientSecret: undefined } } });
    const { operations } = home.app;
    await expect(
      operations['partner.save']({ clientId: 'another', clientSecret: 'canary' }),
    ).rejects.toMatchObject({
      code: 'bad-request',
      message: 'Nothing was kept. partner.clientId: is set in config.json; change it there.',
    });
    expect(await operations['partner.show']({})).toMatchObject({
      clientId: { from: 'config' },
      clientSecret: { from: null },
      missing: ['partner.clientSecret'],
    });
  });

  it('cannot be changed by a process that waits for the account', async () => {
    const { home, typed } = await openBare();
    const waiting = home.another(undefined, false);
    onTestFinished(async () => waiting.dispose());
    void waiting.start();
    await home.clock.advance(1_000);
    await expect(waiting.operations['partner.save'](typed)).rejects.toMatchObject({ code: 'not-owner' });
    await expect(waiting.operations['link.start']({})).rejects.toMatchObject({ code: 'not-owner' });
    expect(await home.app.operations['partner.show']({})).toMatchObject({ missing: ALL });
  });
});
