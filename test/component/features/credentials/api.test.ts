// Credentials for pages: quick answers, one import in the background, and an error where no interface is configured.
import { describe, expect, it } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { CARD as DRAFT, USER } from '../../../support/credential-drafts.ts';
import { settle } from '../../../support/manual-clock.ts';

const CARD = { ...DRAFT, attributes: { siteId: '7', siteName: 'North block' } };

/** A file of this many rows. */
function fileOf(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `00000000-0000-4000-8000-${String(index).padStart(12, '0')},+1555010${String(index).padStart(4, '0')},26A,12`,
  );
  return ['userId,mobileNumber,cardFormat,facilityCode', ...rows].join('\n');
}

/** An account with the interface, and logged in by default. */
async function configured({ isLoggedIn = true } = {}): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked();
  await home.restart({ partner: { credentialsUrl: home.simulator.credentialsBaseUrl } });
  const [user] = home.simulator.credentialingUsers;
  if (isLoggedIn) {
    const pair = { username: user?.username, password: user?.password };
    expect(await home.app.operations['credentials.login'](pair)).toMatchObject({ loginFrom: 'vault' });
  }
  return home;
}

describe('credentials for the pages', () => {
  it('are issued, listed and deleted', async () => {
    const { operations } = (await configured()).app;
    expect(await operations['credentials.create'](CARD)).toMatchObject({ outcome: 'issued', cardNumber: 1 });
    expect(await operations['credentials.create'](CARD)).toMatchObject({ outcome: 'existing' });
    expect(await operations['credentials.create']({ ...CARD, facilityCode: 13 })).toMatchObject({
      outcome: 'other',
    });
    const { credentials } = await operations['credentials.list']({});
    expect(credentials).toMatchObject([
      { userId: USER, siteId: '7', siteName: 'North block', cardNumber: 1 },
    ]);
    await operations['credentials.delete']({ id: credentials[0]?.id });
    expect((await operations['credentials.list']({})).credentials).toEqual([]);
  });

  it('are refused in words where no interface is configured', async () => {
    const { operations } = (await SimulatedHome.open()).app;
    await expect(operations['credentials.list']({})).rejects.toMatchObject({ code: 'bad-configuration' });
    await expect(operations['credentials.show']({})).rejects.toMatchObject({ code: 'bad-configuration' });
  });

  it('say that a login is missing, and keep the one that the service takes across a restart', async () => {
    const home = await configured({ isLoggedIn: false });
    expect(await home.app.operations['credentials.show']({})).toEqual({ loginFrom: null, import: null });
    await expect(
      home.app.operations['credentials.login']({ username: 'x', password: 'y' }),
    ).rejects.toMatchObject({
      code: 'bad-configuration',
    });
    const [user] = home.simulator.credentialingUsers;
    await home.app.operations['credentials.login']({ username: user?.username, password: user?.password });
    await home.restart();
    expect(await home.app.operations['credentials.show']({})).toMatchObject({ loginFrom: 'vault' });
    expect((await home.app.operations['credentials.list']({})).credentials).toEqual([]);
    expect(home.lines.join('\n')).not.toContain(user?.password);
  });

  it('do not let a page wait for a window', async () => {
    const home = await configured();
    await home.control('house/configure-credentialing', { limits: { 'Get All Credentials': 1 } });
    await home.app.operations['credentials.list']({});
    await expect(home.app.operations['credentials.list']({})).rejects.toMatchObject({ code: 'rate-limited' });
  });

  it('are imported in the background, with progress, until they are there', async () => {
    const home = await configured();
    const { operations } = home.app;
    const file = fileOf(130);
    expect(await operations['credentials.plan']({ file })).toMatchObject({ add: 130, faults: [] });
    await operations['credentials.import']({ file });
    await expect(operations['credentials.import']({ file })).rejects.toMatchObject({ code: 'bad-request' });
    await home.clock.advance(20_000);
    const waiting = (await operations['credentials.show']({})).import;
    expect(waiting).toMatchObject({ state: 'running', done: 100, total: 130 });
    expect(waiting?.waitMs).toBeGreaterThan(30_000);
    await home.clock.advance(61_000);
    expect((await operations['credentials.show']({})).import).toMatchObject({
      state: 'finished',
      done: 130,
      counts: { created: 130 },
      message: null,
    });
  });

  it('stop an import with the plugin, and go on with the same file', async () => {
    const home = await configured();
    const file = fileOf(130);
    await home.app.operations['credentials.import']({ file });
    await home.clock.advance(20_000);
    await home.restart();
    expect(await home.app.operations['credentials.plan']({ file })).toMatchObject({
      add: 30,
      unchanged: 100,
    });
    await home.app.operations['credentials.import']({ file });
    await home.app.operations['credentials.stop-import']({});
    await settle();
    expect((await home.app.operations['credentials.show']({})).import).toMatchObject({ state: 'stopped' });
  });

  it('refuse a file with faults before anything is sent', async () => {
    const home = await configured();
    const { operations } = home.app;
    const file = `${fileOf(1)}\nx,,99,a`;
    const plan = await operations['credentials.plan']({ file });
    expect(plan.faults.length).toBe(4);
    await expect(operations['credentials.import']({ file })).rejects.toMatchObject({ code: 'bad-request' });
    expect(await home.requests('POST', '/credentials/mobile')).toEqual([]);
  });

  it('are part of the check of the service', async () => {
    const home = await configured();
    expect(await home.app.operations['checkup']({})).toMatchObject({ credentialing: { ok: true } });
    await home.fail('**/SMC/**', { status: 500 });
    expect(await home.app.operations['checkup']({})).toMatchObject({
      credentialing: { ok: false, disposition: 'retry', code: 'server-fault' },
    });
    const without = await SimulatedHome.linked();
    expect(await without.app.operations['checkup']({})).not.toHaveProperty('credentialing');
  });
});
