// The whole way of a person without a terminal, in a real Homebridge: credentials by page, a link that is revoked and made
// again, all without a restart; a kill; and a search for every secret of it in everything that is written down.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { PanelClient } from '../../src/panel/socket/panel-client.ts';
import { Stage } from '../harness/stage.ts';
import { consent, control } from '../stand-ins/service/simulated.ts';
import { untilShown } from './stage.ts';

/** What an error of the service repeats as well: a code, and the person's address. */
const PIN = 'PIN 2580';
const EMAIL = 'resident@home.example';

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });

describe('an account that is set up and linked by pages alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-relink-'));
  let stage: Stage;
  let pages: PanelClient;

  beforeAll(async () => {
    stage = await Stage.open({
      folder,
      pluginsFolder: inject('packed').pluginsFolder,
      partner: { clientId: undefined, clientSecret: undefined, subscriptionKeys: undefined },
      options: { polling: { idleSeconds: 5 }, debug: true },
      start: { debug: true },
    });
    pages = await stage.pages();
  });

  afterAll(async () => {
    await pages.close();
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function link(): Promise<void> {
    const { authorizeUrl } = await pages.call('link.start');
    const redirectedUrl = await consent(authorizeUrl);
    expect(await pages.call('link.finish', { redirectedUrl })).toEqual({
      link: 'linked',
      accountChange: null,
      unanswered: null,
    });
  }

  it('runs without credentials, names what is missing, and makes no call', async () => {
    expect(await pages.call('link.show')).toMatchObject({ state: 'unlinked' });
    await expect(pages.call('link.start')).rejects.toMatchObject({ code: 'bad-configuration' });
    expect(stage.takeComplaints().filter((line) => line.includes('Waiting for credentials'))).toHaveLength(1);
    expect(await stage.requests()).toEqual([]);
  });

  it('is linked with credentials from a page, and Home has its locks', async () => {
    const [client] = stage.simulator.clients;
    await pages.call('partner.save', {
      clientId: client?.clientId,
      clientSecret: client?.clientSecret,
      subscriptionKeys: client?.subscriptionKeys,
    });
    expect(await pages.call('partner.show')).toMatchObject({ missing: [] });
    await link();
    await stage.pair();
    await stage.listen();
    await untilShown(stage.lock('Front door'), 'locked');
  });

  it('shows No Response when the link is revoked, and says so once (faults#15)', async () => {
    stage.takeComplaints();
    await control(stage.simulator.controlUrl, 'house/revoke', { userId: 'resident' });
    for (const lock of stage.locks) {
      await untilShown(lock, 'no response');
    }
    expect(await pages.call('status')).toMatchObject({ link: 'revoked' });
    expect(stage.takeComplaints().filter((line) => line.includes('Connect it again'))).toHaveLength(1);
  });

  it('is repaired by a new link without a restart: Home shows the truth, and a tap moves the bolt', async () => {
    const lock = stage.lock('Front door');
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    await link();
    await untilShown(lock, 'unlocked');
    expect(await lock.tap('locked')).toBe(0);
    await untilShown(lock, 'locked');
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('is the same after an error that repeats its secrets, and after a kill', async () => {
    const [client] = stage.simulator.clients;
    const Description = `client_secret=${client?.clientSecret} key ${client?.subscriptionKeys[0]} ${PIN} ${EMAIL}`;
    const body = { errorCode: 1, Description };
    await stage.fault({ kind: 'status', status: 500, often: { times: 2 }, body });
    await stage.lock('Front door').tap('unlocked');
    await pages.close();
    await stage.restartHomebridge('kill');
    pages = await stage.pages();
    await untilShown(stage.lock('Garage'), 'locked');
    expect(stage.boltOf(stage.lock('Garage'))).toBe('Locked');
    expect(await pages.call('status')).toMatchObject({ link: 'linked' });
  });

  /** Every secret of the account that the service knows, by what it is. */
  async function collectSecrets(): Promise<ReadonlyMap<string, string>> {
    const [client] = stage.simulator.clients;
    const secrets = new Map([
      ['the client secret', client?.clientSecret ?? ''],
      ['the first subscription key', client?.subscriptionKeys[0] ?? ''],
      ['the second subscription key', client?.subscriptionKeys[1] ?? ''],
      ['a PIN', PIN],
      ['an e-mail address', EMAIL],
    ]);
    for (const { answer, body, url } of await stage.requests()) {
      const issued = tokens.safeParse(url.includes('/token') ? JSON.parse(answer ?? '{}') : {});
      if (issued.success) {
        secrets.set(`access token ${secrets.size}`, issued.data.access_token);
        secrets.set(`refresh token ${secrets.size}`, issued.data.refresh_token);
        const code = new URLSearchParams(body ?? '').get('code');
        if (code !== null) {
          secrets.set(`code ${secrets.size}`, code);
        }
      }
    }
    return secrets;
  }

  it('has written none of its secrets anywhere but into the vault, config.json included (faults#66, faults#67, faults#68)', async () => {
    const secrets = await collectSecrets();
    expect(secrets.size).toBeGreaterThan(10);
    expect([...secrets.values()].filter((secret) => secret.length < 8)).toEqual([]);
    const { storeFolder } = stage.installation;
    const files = readdirSync(storeFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const [vault, others] = [true, false].map((wanted) =>
      files.filter((path) => basename(path).startsWith('latchkey.db') === wanted),
    );
    const written = (paths: readonly string[] = []): string =>
      paths.map((path) => readFileSync(path, 'latin1')).join('\n');
    const names = others?.map((path) => basename(path)).join() ?? '';
    expect(names).toMatch(/config\.json.*cachedAccessories|cachedAccessories.*config\.json/u);
    const operations = ['status', 'partner.show', 'link.show', 'diagnostics', 'checkup', 'locks'] as const;
    const answers = await Promise.all(operations.map(async (name) => pages.call(name)));
    const said = [
      stage.lines.map(({ text }) => text).join('\n'),
      written(others),
      JSON.stringify(answers),
    ].join('\n');
    expect([...secrets].filter(([, secret]) => said.includes(secret)).map(([name]) => name)).toEqual([]);
    // Or this test would see nothing.
    expect([...secrets].filter(([, secret]) => written(vault).includes(secret)).length).toBeGreaterThan(3);
  });
});
