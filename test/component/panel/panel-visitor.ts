// A panel on a real socket, and a visitor: every header is written as given, as no browser would allow.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { dashboardPlace } from '../../../src/panel/http/place.ts';
import {
  type DashboardServer,
  type DashboardServerParts,
  startPanelServer,
} from '../../../src/panel/http/server.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MACHINE = { hostname: 'hallway', addresses: ['192.168.1.20'] };

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Ask {
  readonly method?: string;
  readonly headers?: Headers;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface OpenDashboard {
  readonly server: DashboardServer;
  readonly clock: ManualClock;
  readonly lines: string[];
  /** Every operation that was performed, with its input. */
  readonly performed: (readonly [string, unknown])[];
  /** A fresh login token. */
  readonly mint: () => string;
  /** Of a browser that is logged in; empty unless the panel was opened with a login. */
  readonly cookie: string;
  /** Asks exactly as given; the Host header is the right one by default. */
  readonly ask: (path: string, ask?: Ask) => Promise<Answer>;
  /** Asks as our own page does: with its origin, its session's word and JSON. */
  readonly asPage: (path: string, ask?: Ask) => Promise<Answer>;
}

export type PanelOptions = Partial<Omit<DashboardServerParts, 'place'>> & {
  /** Of the configuration; the server listens on 127.0.0.1 in any case. */
  readonly host?: string;
  readonly origin?: string;
  /** Whether what is asked without another cookie is asked in a session; by default it is. */
  readonly loggedIn?: boolean;
};

/** Opens a panel with two pages and operations that only take note; closed when the test ends. */
export async function openPanel({
  host = '127.0.0.1',
  origin,
  loggedIn = true,
  ...options
}: PanelOptions = {}): Promise<OpenDashboard> {
  const pagesFolder = mkdtempSync(join(tmpdir(), 'latchkey-pages-'));
  writeFileSync(join(pagesFolder, 'dashboard.html'), '<!doctype html><title>Pages</title>');
  writeFileSync(join(pagesFolder, 'panel.js'), 'export {};');
  writeFileSync(join(pagesFolder, 'named-a1B2_3-d.js'), 'export {};');
  writeFileSync(join(pagesFolder, 'named-a1B2_3-d.js.gz'), 'as gzip');
  writeFileSync(join(pagesFolder, 'secret.sqlite'), 'not a page');
  const clock = new ManualClock();
  const lines: string[] = [];
  const performed: (readonly [string, unknown])[] = [];
  const noting = (name: string) => async (input: unknown) => {
    performed.push([name, input]);
    return { did: name };
  };
  const warn = (line: string): void => {
    lines.push(line);
  };
  const server = await startPanelServer({
    place: {
      ...dashboardPlace(host, MACHINE, { origin: origin ?? null, isEncrypted: options.tls !== undefined }),
      bindHost: '127.0.0.1',
    },
    port: 0,
    operations: Object.fromEntries(
      ['status', 'lock', 'move', 'panel.login'].map((name) => [name, noting(name)]),
    ),
    clock,
    log: { ...silentLog, warn, error: warn },
    callback: null,
    shelf: { read: () => undefined, write: () => {} },
    pagesFolder,
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(pagesFolder, { recursive: true, force: true });
  });
  const own = `127.0.0.1:${server.port}`;
  const mint = (): string => server.mintLogin().token;
  const cookie = loggedIn ? cookieOf(await logIn(server.port, mint())) : '';
  const ask = async (path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> =>
    exchange(server.port, path, method, { host: own, cookie, ...headers }, body);
  const asPage: OpenDashboard['asPage'] = async (path, { headers = {}, ...rest } = {}) => {
    const csrf = csrfIn((await ask('/api/session', { headers })).text);
    return ask(path, {
      method: 'POST',
      ...rest,
      headers: {
        origin: `http://${own}`,
        'content-type': 'application/json',
        'latchkey-csrf': csrf,
        ...headers,
      },
    });
  };
  return { server, clock, lines, performed, mint, cookie, ask, asPage };
}

/** Exchanges a login token as our own page does. */
export async function logIn(port: number, token: string, more: Headers = {}): Promise<Answer> {
  const host = `127.0.0.1:${port}`;
  const headers = { host, origin: `http://${host}`, 'content-type': 'application/json', ...more };
  return exchange(port, '/api/login', 'POST', headers, { token });
}

/** The session's word in an answer of `/api/session` or `/api/login`; empty when there is none. */
export function csrfIn(text: string): string {
  return /"csrf":"([^"]+)"/u.exec(text)?.[1] ?? '';
}

/** The cookie that an answer sets, as a browser would send it back; empty when it sets none. */
export function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
}

interface Stream {
  readonly response: IncomingMessage;
  readonly said: string[];
}

/** Opens a stream of events and collects them. */
export async function listen({
  server: { port },
  cookie,
}: Pick<OpenDashboard, 'server' | 'cookie'>): Promise<Stream> {
  const sent = request({
    port,
    path: '/api/events',
    headers: { host: `127.0.0.1:${port}`, cookie },
    agent: false,
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const said: string[] = [];
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => said.push(chunk));
  response.on('error', () => {});
  return { response, said };
}

async function exchange(
  port: number,
  path: string,
  method: string,
  headers: Headers,
  body: unknown,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // As a flat list, so that a header can stand there twice, or not at all.
  const list = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().flatMap((each) => [name, each]),
  );
  const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  if (bytes !== undefined || method !== 'GET') {
    list.push('content-length', String(Buffer.byteLength(bytes ?? '')));
  }
  const sent = request({ port, path, method, headers: list, setHost: false, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
  });
  sent.on('error', reject);
  sent.end(bytes);
  return promise;
}
