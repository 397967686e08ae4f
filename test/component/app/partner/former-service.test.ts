// After config.json names another service: credentials of the former one are sent to no other, and are not lost.

import { describe, expect, it, onTestFinished } from 'vitest';
import { type Simulator, startSimulator } from '../../../../simulator/src/partner-server.ts';
import { PartnerCredentials } from '../../../../src/app/partner/partner-credentials.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { RESIDENT, SimulatedHome } from '../../../homes/simulated-home.ts';
import { requestsAt } from '../../../stand-ins/service/simulated.ts';

const NOTHING_WRITTEN = { clientId: undefined, clientSecret: undefined, subscriptionKeys: undefined };
/** A token lives for an hour. */
const HOURS_MS = 2 * 3_600_000;

/** An account that keeps credentials and a link of its service, and another service, which approves by itself. */
async function keptHome(): Promise<{ home: SimulatedHome; another: Simulator; partner: object }> {
  const home = await SimulatedHome.open({ options: { partner: NOTHING_WRITTEN } });
  await home.app.operations['partner.save'](credentialsOf(home.simulator));
  await home.link();
  const another = await anotherService(home);
  const { authUrl, baseUrl } = another;
  return { home, another, partner: { ...NOTHING_WRITTEN, authUrl, baseUrl } };
}

async function anotherService({ clock }: SimulatedHome): Promise<Simulator> {
  const simulator = await startSimulator({ clock, authorization: { autoApproveUserId: RESIDENT } });
  onTestFinished(async () => simulator.close());
  return simulator;
}

function credentialsOf({ clients: [client] }: Simulator) {
  const { clientId, clientSecret, subscriptionKeys } = client ?? expect.fail('The simulator has no client');
  return { clientId, clientSecret, subscriptionKeys };
}

/** Every request that it was ever sent. */
async function sentTo(simulator: Simulator): Promise<readonly unknown[]> {
  return requestsAt(simulator.controlUrl);
}

function warnings(home: SimulatedHome): readonly string[] {
  return home.lines.filter((line) => line.includes('another lock service'));
}

describe('credentials and a link that were kept for a former service', () => {
  it('are sent to no other service, which one line says, and are in use again once the former addresses are back', async () => {
    const { home, another, partner } = await keptHome();
    await home.restart({ partner });
    await home.clock.advance(HOURS_MS);

    expect(await sentTo(another)).toEqual([]);
    expect(await home.app.operations['link.show']({})).toMatchObject({ state: 'unlinked', setAside: true });
    expect(await home.app.operations['partner.show']({})).toMatchObject({
      clientId: { from: null, value: null },
      clientSecret: { from: null },
      subscriptionKeys: { from: null, count: 0 },
    });
    // A page that keeps nothing new, as when only addresses are saved.
    await home.app.operations['partner.save']({});
    await home.restart({ partner: NOTHING_WRITTEN });
    await home.clock.advance(HOURS_MS);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });
    expect(warnings(home)).toEqual([
      'config.json names another lock service than before. What is kept for the former one (the credentials and the link) ' +
        'is not sent to this one: enter it again and connect the account. With the former addresses it is in use again.',
    ]);
  });

  it('make room for those of the other service, which are sent to it alone', async () => {
    const { home, another, partner } = await keptHome();
    await home.restart({ partner });
    await home.app.operations['partner.save'](credentialsOf(another));
    await home.link();
    expect(await home.app.operations['link.show']({})).toMatchObject({ state: 'linked' });
    await home.restart({ partner });
    await home.clock.advance(HOURS_MS);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });

    const before = (await sentTo(home.simulator)).length;
    await home.restart({ partner: NOTHING_WRITTEN });
    await home.clock.advance(HOURS_MS);
    expect((await sentTo(home.simulator)).length).toBe(before);
    expect(await home.app.operations['link.show']({})).toMatchObject({ state: 'unlinked' });
  });
});

describe('a link whose credentials stand in config.json', () => {
  it.each(['authUrl', 'baseUrl'] as const)('belongs to another service when %s changes', async (name) => {
    const home = await SimulatedHome.linked();
    const another = await anotherService(home);
    const former = (await sentTo(home.simulator)).length;
    await home.restart({ partner: { [name]: another[name] } });
    await home.clock.advance(HOURS_MS);

    expect(await home.app.operations['link.show']({})).toMatchObject({ state: 'unlinked' });
    expect(await sentTo(another)).toEqual([]);
    expect((await sentTo(home.simulator)).length).toBe(former);
    expect(warnings(home)).toEqual([expect.stringContaining('(the link)')]);
  });

  it('belongs to the same service when anything else changes, and no line is logged', async () => {
    const home = await SimulatedHome.linked();
    const { baseUrl } = home.simulator;
    await home.restart({ debug: true, partner: { baseUrl: `${baseUrl}/`, pkce: false } });
    expect(await home.app.operations['link.show']({})).toMatchObject({ state: 'linked' });
    expect(warnings(home)).toEqual([]);
  });
});

it.each([0, 1, 2])(
  'a disk that fails while credentials are kept after %i writes leaves the former credentials or the new ones, never a mixture',
  async (writes) => {
    const home = await SimulatedHome.open({ options: { partner: NOTHING_WRITTEN } });
    const partner = home.config.partner ?? expect.fail('The account has no service');
    const disk = new Map<string, unknown>();
    let rest = Number.POSITIVE_INFINITY;
    const write = (key: string, value: unknown): void => {
      if (rest <= 0) {
        throw new Error('disk full');
      }
      rest -= 1;
      disk.set(key, value);
    };
    const kept = (): PartnerCredentials =>
      new PartnerCredentials({
        partner,
        secrets: { read: (key) => disk.get(key), write },
        assertOwned: () => undefined,
        log: silentLog,
      });
    const [before, after] = ['old', 'new'].map((age) => ({
      clientId: `${age}-client`,
      clientSecret: `${age}-secret`,
      subscriptionKeys: [`${age}-key`],
    }));
    kept().save({ ...before });
    rest = writes;
    try {
      kept().save({ ...after });
    } catch {
      // What counts is what is found afterwards.
    }
    expect([before, after]).toContainEqual(kept().require());
  },
);
