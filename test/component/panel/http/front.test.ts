// The dashboard behind a proxy and over https: which names and origins open it, and what the browser is told to keep.
import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../support/certificates.ts';
import { RENEWED, SELF_SIGNED } from '../../cloud/self-signed.ts';
import { cookieOf, openPanel } from '../panel-visitor.ts';

const ORIGIN = 'https://locks.example';
const BY_PROXY = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

describe('the dashboard behind a proxy', () => {
  it('logs a browser in under the configured address, with a cookie for https alone', async () => {
    const panel = await openPanel({ origin: ORIGIN, loggedIn: false });
    const headers = {
      host: 'locks.example',
      origin: ORIGIN,
      cookie: undefined,
      'content-type': 'application/json',
      ...BY_PROXY,
    };
    const login = await panel.ask('/api/login', { method: 'POST', headers, body: { token: panel.mint() } });
    expect(login.status).toBe(200);
    expect(login.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Secure$/u);
    const session = await panel.ask('/api/session', {
      headers: { host: 'LOCKS.example:443', cookie: cookieOf(login), ...BY_PROXY },
    });
    expect(session.status).toBe(200);
  });

  it.each([
    ['another name', 'evil.example', ORIGIN, 421],
    ['another port', 'locks.example:8443', ORIGIN, 421],
    ['a longer name', 'locks.example.evil.example', ORIGIN, 421],
    ['a name with a user', 'user@locks.example', ORIGIN, 421],
    ['another origin', 'locks.example', 'https://evil.example', 403],
    ['the same name over http', 'locks.example', 'http://locks.example', 403],
    ['no origin', 'locks.example', undefined, 403],
  ])('refuses %s (faults#60)', async (_, host, origin, status) => {
    const panel = await openPanel({ origin: ORIGIN, loggedIn: false });
    const headers = { host, origin, 'content-type': 'application/json', ...BY_PROXY };
    const answer = await panel.ask('/api/login', { method: 'POST', headers, body: { token: panel.mint() } });
    expect(answer.status).toBe(status);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('needs a login there as everywhere, and refuses a marked request under its own name (faults#63, faults#94)', async () => {
    const panel = await openPanel({ origin: ORIGIN, loggedIn: false });
    const locks = { host: 'locks.example', ...BY_PROXY };
    expect((await panel.ask('/api/session', { headers: locks })).status).toBe(401);
    const own = await panel.ask('/api/session', { headers: BY_PROXY });
    expect(own.status).toBe(403);
    expect((await (await openPanel()).ask('/', { headers: locks })).status).toBe(421);
  });

  it('keeps a cookie without `Secure` under its own http address', async () => {
    const panel = await openPanel({ origin: ORIGIN, loggedIn: false });
    const host = `127.0.0.1:${String(panel.server.port)}`;
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
    const login = await panel.ask('/api/login', { method: 'POST', headers, body: { token: panel.mint() } });
    expect(login.headers['set-cookie']?.[0]).toMatch(/; SameSite=Strict$/u);
  });
});

describe('the dashboard over https', () => {
  it('takes a renewed certificate into use without a restart, and keeps the former instead of an ended one (faults#182)', async () => {
    const files = { now: SELF_SIGNED };
    const panel = await openPanel({ tls: () => files.now, loggedIn: false });
    const shown = async (): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port: panel.server.port, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      return raw.toString('base64');
    };
    const first = await shown();
    files.now = makeCertificate({ until: panel.clock.now() - 86_400_000 });
    await panel.clock.advance(2 * 3_600_000);
    expect([await shown(), panel.lines]).toEqual([
      first,
      [
        expect.stringMatching(
          /^The former certificate of panel\.tls stays in use\. The certificate of panel\.tls ended on /u,
        ),
      ],
    ]);
    files.now = RENEWED;
    await panel.clock.advance(2 * 3_600_000);
    expect(await shown()).not.toBe(first);
    expect(panel.server.certificate()).toMatchObject({ option: 'panel.tls', state: 'good', refused: null });
  });

  it('logs in with the origin and the cookie of https, and refuses those of http', async () => {
    const panel = await openPanel({ tls: () => SELF_SIGNED, loggedIn: false });
    const { port } = panel.server;
    const login = async (origin: string): Promise<{ status: number; cookie: string }> => {
      const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookie: string }>();
      const sent = request(
        {
          port,
          path: '/api/login',
          method: 'POST',
          ca: SELF_SIGNED.cert,
          servername: 'localhost',
          host: '127.0.0.1',
          headers: { origin, 'content-type': 'application/json' },
        },
        (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, cookie: response.headers['set-cookie']?.[0] ?? '' }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ token: panel.mint() }));
      return promise;
    };
    const own = `127.0.0.1:${String(port)}`;
    expect(await login(`https://${own}`)).toEqual({
      status: 200,
      cookie: expect.stringMatching(/; SameSite=Strict; Secure$/u) as string,
    });
    expect(await login(`http://${own}`)).toEqual({ status: 403, cookie: '' });
  });
});
