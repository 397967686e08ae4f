// The pages' server over the whole app: there when it is wanted, beside everything else, and never in its way.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../../src/app/app.ts';
import { accountMetrics } from '../../../../src/serve/account-metrics.ts';
import { prometheusText } from '../../../../src/support/server/prometheus.ts';
import { freePort } from '../../../harness/free-port.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { makeCertificate } from '../../../support/certificates.ts';
import { inWords } from '../../../support/in-words.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A page of that panel, as far as its script goes: it logs in once, then calls with the session's cookie and word. */
class Page {
  readonly #home: Pick<App, 'operations'>;
  readonly #url: string;
  #session: { readonly cookie: string; readonly csrf: string } | null = null;

  constructor(home: Pick<App, 'operations'>, port: number) {
    this.#home = home;
    this.#url = `http://127.0.0.1:${port}`;
  }

  async call(
    operation: string,
    input: object = {},
  ): Promise<{ readonly status: number; readonly said: string }> {
    const { cookie, csrf } = await this.#logIn();
    const answer = await this.#post(`call/${operation}`, input, { cookie, 'latchkey-csrf': csrf });
    return { status: answer.status, said: await answer.text() };
  }

  async events(): Promise<{ readonly said: () => string; readonly ended: Promise<void> }> {
    const { cookie } = await this.#logIn();
    const { body } = await fetch(`${this.#url}/api/events`, { headers: { cookie } });
    let said = '';
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) {
        said += Buffer.from(chunk as Uint8Array).toString();
      }
    };
    // An end in the middle is how a server that closes ends it.
    return { said: () => said, ended: read().catch(() => {}) };
  }

  async #logIn(): Promise<{ readonly cookie: string; readonly csrf: string }> {
    if (this.#session === null) {
      const { url } = await this.#home.operations['panel.login']({});
      const answer = await this.#post('login', { token: url.split('#login=')[1] });
      const { csrf = '' } = (await answer.json()) as { csrf?: string };
      this.#session = { cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '', csrf };
    }
    return this.#session;
  }

  async #post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.#url}/api/${path}`, {
      method: 'POST',
      headers: { origin: this.#url, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

describe('the panel', () => {
  it('has its certificate in the status and the figures of the account, beside that of the listener (faults#182)', async () => {
    const folder = temporaryFolder();
    const filesOf = (name: string, until: number) => {
      const { cert, key } = makeCertificate({ until });
      const files = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}.key`) };
      writeFileSync(files.certFile, cert);
      writeFileSync(files.keyFile, key);
      return files;
    };
    const nineDays = Date.UTC(2026, 3, 24);
    const home = await SimulatedHome.open({
      options: {
        panel: { enabled: true, port: await freePort(), tls: filesOf('panel', Date.UTC(2026, 5, 1)) },
        webhooks: { enabled: true, port: await freePort(), tls: filesOf('webhooks', nineDays) },
      },
    });
    await home.link();
    await home.listening();
    const { certificates } = await home.app.operations.status({});
    expect(certificates.map(({ option, state, daysLeft }) => [option, state, daysLeft])).toEqual([
      ['webhooks.tls', 'ending', 9],
      ['panel.tls', 'good', 47],
    ]);
    const text = prometheusText(await accountMetrics(home.app.operations));
    expect(text).toContain('latchkey_certificate_days_left{option="webhooks.tls"} 9');
    expect(home.lines.filter((line) => line.includes('ends in 9 days'))).toHaveLength(1);
  });

  it('links, shows and locks over HTTP after a login that no log holds, and tells what happens (faults#66)', async () => {
    const port = await freePort();
    const home = await SimulatedHome.open({ options: { panel: { enabled: true, port } } });
    const { url, expiresInMs } = await home.app.operations['panel.login']({});
    const [address, token = ''] = url.split('/#login=');
    const { urls } = await home.app.operations['panel.show']({});
    expect([expiresInMs, urls[0], token.length > 20]).toEqual([300_000, address, true]);
    const page = new Page(home.app, port);
    const { said } = await page.events();
    const { said: started } = await page.call('link.start');
    const { result } = JSON.parse(started) as { result: { authorizeUrl: string } };
    const redirectedUrl = await consent(result.authorizeUrl);
    expect((await page.call('link.finish', { redirectedUrl })).status).toBe(200);
    expect((await page.call('locks')).said).toContain('"Front door"');
    expect(JSON.parse((await page.call('status')).said)).toMatchObject({ result: { link: 'linked' } });
    await expect.poll(said).toContain('"type":"link","link":"linked"');
    await expect.poll(said).toContain('"Front door"');
    const id = home.idOf('Front door');
    await home.control(`locks/${id}/turn-thumbturn`);
    await page.call('refresh');
    expect((await page.call('lock', { lock: id })).status).toBe(200);
    const unlock = await page.call('move', { lock: id, to: 'unsecured' });
    expect(unlock.status).toBe(404);
    const commands = await home.requests('POST', id);
    const targets = commands.flatMap(({ body }) => /"(?:Unl|L)ocked"/u.exec(body ?? '') ?? []);
    expect(targets).toEqual(['"Locked"']);
    const log = home.lines.join('\n');
    expect([log.includes('npx homebridge-latchkey panel --login'), log.includes(token)]).toEqual([
      true,
      false,
    ]);
  });

  it('keeps browsers logged in when the plugin is started again', async () => {
    const port = await freePort();
    const home = await SimulatedHome.open({ options: { panel: { enabled: true, port } } });
    const page = new Page(home.app, port);
    expect((await page.call('status')).status).toBe(200);
    await home.restart();
    expect((await page.call('status')).status).toBe(200);
  });

  it('serves the OAuth callback when the redirect URI leads to it', async () => {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const home = await SimulatedHome.open({
      simulator: { scenario: { clients: [{ redirectUris: [redirectUri] }] } },
      options: { panel: { enabled: true, port }, partner: { redirectUri } },
    });
    const start = await home.app.operations['link.start']({});
    expect(start.callbackMode).toBe('by-itself');
    const back = await consent(start.authorizeUrl);
    // The browser follows to the page that says how it ended.
    const answer = await fetch(back);
    expect([answer.status, new URL(answer.url).search]).toEqual([200, '?outcome=linked']);
    expect(home.app.runtime.linkState()).toBe('linked');
  });

  it('does not exist unless it is configured, nor in a tool', async () => {
    const port = await freePort();
    const home = await SimulatedHome.open({ options: { panel: { port } } });
    expect(await isOpen(port)).toBe(false);
    for (const operation of ['panel.show', 'panel.login'] as const) {
      await expect(home.app.operations[operation]({})).rejects.toMatchObject({
        code: 'bad-configuration',
        message: expect.stringContaining('panel.enabled') as string,
      });
    }
    await home.app.dispose();
    const tool = home.another({ panel: { enabled: true, port } }, false);
    onTestFinished(async () => tool.dispose());
    await tool.start();
    expect(await isOpen(port)).toBe(false);
    await expect(tool.operations['panel.login']({})).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('says once that its port is taken, and opens when the port is free; all else runs', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const home = await SimulatedHome.linked({ options: { panel: { enabled: true, port } } });
    expect(home.app.runtime.locks()).not.toEqual([]);
    const trouble = `The dashboard cannot be served on 127.0.0.1 port ${port}: another program uses it.`;
    expect(inWords(await home.app.operations['panel.show']({}))).toEqual({
      open: false,
      urls: [],
      trouble,
    });
    await expect(home.app.operations['panel.login']({})).rejects.toThrow(trouble);
    await home.clock.advance(10 * 60_000);
    expect(home.lines.filter((line) => line.includes('The dashboard cannot be served'))).toHaveLength(1);
    other.close();
    await once(other, 'close');
    await home.clock.advance(60_000);
    await expect.poll(async () => (await home.app.operations['panel.show']({})).open).toBe(true);
    expect(await isOpen(port)).toBe(true);
  });

  it('is served while another process owns the account, and says which one does', async () => {
    const home = await SimulatedHome.linked();
    const port = await freePort();
    const beside = home.another({ panel: { enabled: true, port } });
    onTestFinished(async () => beside.dispose());
    void beside.start();
    await expect.poll(async () => isOpen(port)).toBe(true);
    const page = new Page(beside, port);
    expect(JSON.parse((await page.call('status')).said)).toMatchObject({ result: { link: 'other-process' } });
    const { status, said } = await page.call('link.start');
    expect([status, JSON.parse(said)]).toMatchObject([409, { error: { code: 'not-owner' } }]);
  });

  it('ends with the app, open pages included, and leaves nothing waiting', async () => {
    const port = await freePort();
    const home = await SimulatedHome.linked({ options: { panel: { enabled: true, port } } });
    const { ended } = await new Page(home.app, port).events();
    await home.app.dispose();
    await ended;
    expect(await isOpen(port)).toBe(false);
    expect(home.clock.pendingTimers).toBe(0);
  });
});
