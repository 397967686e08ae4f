// `latchkey webhooks` beside the plugin and without it: its output, and its exit status.
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../harness/free-port.ts';
import { turn } from '../../../homes/pushed-home.ts';
import { containing, endedWith, latchkey, linkedHome, pushedHome, type Ran } from '../terminal.ts';

const NEVER_PRINTED = '/hooks/';

function json({ out }: Ran): unknown {
  return JSON.parse(out);
}

describe('latchkey webhooks', () => {
  it('tests the public address through the plugin, and says that it works', async () => {
    const home = await pushedHome();
    expect(await latchkey(home, 'webhooks', 'test')).toMatchObject({
      status: 0,
      out: containing(/^The test came through, .* \(status 204, \d+ ms\)\.\n$/u),
    });
    expect(json(await latchkey(home, 'webhooks', 'test', '--json'))).toMatchObject({
      finding: 'came-through',
      status: 204,
    });
  });

  it('says where a test got lost, what to do, and ends with 1', async () => {
    const home = await pushedHome({ publicUrl: `http://127.0.0.1:${await freePort()}` });
    const lost = /^Nothing answers at the public address \(\d+ ms\)\.\nCheck that the tunnel or proxy runs/u;
    expect(await latchkey(home, 'webhooks', 'test')).toMatchObject({ status: 1, out: containing(lost) });
  });

  it('prints the delivery state, and the whole address only on request', async () => {
    const home = await pushedHome();
    const status = await latchkey(home, 'webhooks', 'status');
    expect(status.out).toContain('Test passed. No events since.');
    expect(status.out).toContain('Registered.');
    expect(status.out).not.toContain(NEVER_PRINTED);
    expect((await latchkey(home, 'webhooks', 'status', '--address')).out).toContain(NEVER_PRINTED);
  });

  it('prints nothing of a registration while webhooks are switched off', async () => {
    const { out } = await latchkey(await linkedHome(), 'webhooks', 'status');
    expect(out).toContain('Webhooks are switched off.');
    expect(out).not.toContain('registration');
  });

  it("lists the service's subscriptions without the secret part of an address, and removes unused ones", async () => {
    const home = await pushedHome();
    const list = await latchkey(home, 'webhooks', 'list');
    expect(list.out).toMatch(/ {2}http:\/\/127\.0\.0\.1:\d+ {2}this plugin {2}active\n$/u);
    expect(list.out).not.toContain(NEVER_PRINTED);
    const [{ id }] = json(await latchkey(home, 'webhooks', 'list', '--json')) as [{ id: string }];
    const remove = async (named: string): Promise<Ran> => latchkey(home, 'webhooks', 'remove', named);
    expect(await remove(id)).toMatchObject(endedWith(1, 'This is the address in use'));
    expect(await remove('nothing')).toMatchObject(endedWith(1, 'holds no subscription of this id'));
    await home.app.dispose();
    expect(await remove(id)).toMatchObject({ status: 0, out: containing('Removed') });
    expect((await latchkey(home, 'webhooks', 'list')).err).toContain('No webhook addresses are registered');
  });

  it('registers an address again, and says that the account has to be linked before', async () => {
    const home = await pushedHome();
    expect(await latchkey(home, 'webhooks', 'register')).toMatchObject({ status: 0, out: 'Registered.\n' });
    await home.app.operations.unlink({});
    expect(await latchkey(home, 'webhooks', 'register')).toMatchObject(
      endedWith(3, 'npx homebridge-latchkey link'),
    );
  });

  it('says that only a running plugin can test and register', async () => {
    const home = await pushedHome();
    await home.app.dispose();
    for (const word of ['test', 'register']) {
      expect(await latchkey(home, 'webhooks', word)).toMatchObject(endedWith(1, 'Start Homebridge'));
    }
    const status = await latchkey(home, 'webhooks', 'status');
    expect(status.err).toContain("The plugin isn't running");
    expect(status.out).not.toContain('Registering');
  });

  it('says that webhooks are not switched on, and that no public address is set', async () => {
    expect(await latchkey(await linkedHome(), 'webhooks', 'test')).toMatchObject(
      endedWith(2, 'webhooks.enabled'),
    );
    const home = await pushedHome({ publicUrl: undefined });
    const enter = containing('Enter your “Public address” in the settings');
    expect(await latchkey(home, 'webhooks', 'test')).toMatchObject({ status: 1, out: enter });
    expect(await latchkey(home, 'webhooks', 'register')).toMatchObject(endedWith(2, 'webhooks.publicUrl'));
    expect((await latchkey(home, 'webhooks', 'status', '--address')).out).toContain(
      `public address  ${NEVER_PRINTED}`,
    );
  });

  it.each([['webhooks'], ['webhooks', 'other-process']])('is misused as %s %s', async (...words) => {
    expect((await latchkey(await linkedHome(), ...words)).status).toBe(2);
  });
});

describe('latchkey diagnostics', () => {
  it('shows how webhooks are received, without any address', async () => {
    const home = await pushedHome();
    await turn(home);
    const ran = await latchkey(home, 'diagnostics');
    expect(json(ran)).toMatchObject({
      webhooks: {
        health: 'healthy',
        because: 'event',
        listening: true,
        registration: 'standing',
        answers: { accepted: expect.any(Number) as number },
        ignored: { foreign: 0, unrecognised: 0 },
        lastSelfTest: { finding: 'came-through', status: 204 },
      },
    });
    expect(ran.out).not.toContain(NEVER_PRINTED);
    expect(ran.out).not.toContain('127.0.0.1');
  });
});
