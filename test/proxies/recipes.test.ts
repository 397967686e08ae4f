// The recipes of docs/operate/webhooks.md for proxies, run from the document's own text in front of a real listener.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SELF_SIGNED } from '../component/cloud/self-signed.ts';
import { bodyOf, type OpenListener, openListener, PATH, post, pssOf } from '../component/webhook/fixture.ts';
import { Running } from '../e2e/cli/household.ts';
import { blocksOf, type CodeBlock } from '../support/document-code.ts';

const DOCUMENT = 'docs/operate/webhooks.md';
const LIVE = '/etc/letsencrypt/live/localhost';
const PATIENT = { timeout: 60_000, interval: 200 };

interface Recipe {
  /** How the document marks its block, or what the block begins with. */
  readonly isOf: (block: CodeBlock) => boolean;
  readonly file: string;
  /** What stands in the file before the document's text. */
  readonly before?: string;
  /** Starts it, as systemd would, once the files are there. */
  readonly start: string;
  /** Its answers to a body of more than 64 kB: its own, or ours. */
  readonly tooLarge: readonly number[];
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  caddy: {
    isOf: ({ text }) => text.startsWith('locks.example.net {'),
    file: '/etc/caddy/Caddyfile',
    // It signs for this machine's own name itself, and must not add its authority to the machine's.
    before: '{\n\tskip_install_trust\n}\n',
    start: 'exec caddy run --config /etc/caddy/Caddyfile',
    tooLarge: [413, 502],
  },
  nginx: {
    isOf: ({ language }) => language === 'nginx',
    file: '/etc/nginx/conf.d/locks.conf',
    start: "nginx -t && exec nginx -g 'daemon off;'",
    tooLarge: [413],
  },
  apache2: {
    isOf: ({ language }) => language === 'apache',
    file: '/etc/apache2/sites-available/locks.conf',
    // Its folder below /run is made by systemd's first start, which this machine may not have had.
    start: `a2enmod ssl proxy proxy_http; a2ensite locks; . /etc/apache2/envvars
      mount -t tmpfs tmpfs /run; mkdir -p "$APACHE_RUN_DIR"
      exec apache2 -D FOREGROUND`,
    tooLarge: [413, 502],
  },
  haproxy: {
    isOf: ({ language }) => language === 'haproxy',
    file: '/etc/haproxy/haproxy.cfg',
    start: `cat ${LIVE}/fullchain.pem ${LIVE}/privkey.pem > /etc/haproxy/locks.pem
      exec haproxy -db -f /etc/haproxy/haproxy.cfg`,
    tooLarge: [413, 502],
  },
};

/** The document's text, for this machine's own name. */
function textOf({ isOf }: Recipe): string {
  const [block, ...others] = blocksOf(DOCUMENT).filter(isOf);
  expect([block === undefined, others]).toEqual([false, []]);
  return block?.text.replaceAll('locks.example.net', 'localhost') ?? '';
}

/** The proxy in folders that nothing else on this machine sees, in front of a listener at the port of the document. */
async function openBehind(
  name: string,
  recipe: Recipe,
): Promise<OpenListener & { readonly publicUrl: string }> {
  // What another test left running would answer in its place.
  await expect(fetch('https://localhost/')).rejects.toThrow('fetch failed');
  const here = mkdtempSync(join(tmpdir(), 'latchkey-proxy-'));
  mkdirSync(join(here, 'etc'));
  mkdirSync(join(here, 'var'));
  writeFileSync(join(here, 'text'), textOf(recipe));
  writeFileSync(join(here, 'before'), recipe.before ?? '');
  const keepsFile = name === 'haproxy' ? '>>' : '>';
  const script = `set -e
    cp -a /etc/. ${here}/etc
    mount --bind ${here}/etc /etc
    mkdir -p ${LIVE}
    printf %s "$CERTIFICATE" > ${LIVE}/fullchain.pem
    printf %s "$KEY" > ${LIVE}/privkey.pem
    cat ${here}/before ${here}/text ${keepsFile} ${recipe.file}
    ${recipe.start}`;
  const proxy = new Running('unshare', ['--mount', 'bash', '-c', script], {
    ...process.env,
    CERTIFICATE: SELF_SIGNED.cert,
    KEY: SELF_SIGNED.key,
    HOME: here,
    XDG_DATA_HOME: join(here, 'var'),
    XDG_CONFIG_HOME: join(here, 'var'),
  });
  onTestFinished(async () => {
    proxy.child.kill('SIGTERM');
    await proxy.status();
    rmSync(here, { recursive: true, force: true });
  });
  const opened = await openListener({ port: 18_581 });
  const publicUrl = `https://localhost${PATH}`;
  await expect
    .poll(async () => {
      expect([proxy.child.exitCode, proxy.err]).toEqual([null, expect.anything()]);
      trust(here);
      return fetch('https://localhost/').then(
        async (answer) => `${answer.status} ${await answer.text()}`,
        (error: unknown) => String((error as Error).cause ?? error),
      );
    }, PATIENT)
    .toBe('404 unknown-address');
  return { ...opened, publicUrl };
}

/** The certificate that the proxies are given, or the authority that Caddy makes for this machine's name. */
function trust(folder: string): void {
  const authority = join(folder, 'var/caddy/pki/authorities/local/root.crt');
  setDefaultCACertificates([
    SELF_SIGNED.cert,
    ...(existsSync(authority) ? [readFileSync(authority, 'utf8')] : []),
  ]);
}

/** Asks with another host name than the one in the certificate. */
async function askAs(host: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>();
  httpsRequest({ host: 'localhost', servername: 'localhost', path: '/', headers: { host } }, (answer) => {
    let text = '';
    answer.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    answer.on('end', () => resolve({ status: answer.statusCode, text }));
  })
    .on('error', reject)
    .end();
  return promise;
}

/** A genuine event of this size in bytes. */
function eventOf(bytes: number): Buffer {
  const small = bodyOf({ eventId: 'large', note: '' });
  return bodyOf({ eventId: 'large', note: 'x'.repeat(bytes - small.length) });
}

it.each(Object.keys(RECIPES))('%s is installed', (name) => {
  expect(spawnSync('sh', ['-c', `command -v ${name}`]).status).toBe(0);
});

describe.each(Object.entries(RECIPES))('%s, as the document sets it up', (name, recipe) => {
  it('lets the self-test through, and 15 of 15 events while strangers flood the listener', async () => {
    const { listener, publicUrl, received } = await openBehind(name, recipe);
    expect(await listener.selfTest(publicUrl)).toMatchObject({ finding: 'came-through', status: 204 });
    const flood = { isOn: true, sent: 0 };
    const strangers = Array.from({ length: 8 }, async () => {
      while (flood.isOn) {
        await post(publicUrl, Buffer.from('{}'), {}).then(async (answer) => answer.arrayBuffer());
        flood.sent += 1;
      }
    });
    const events = Array.from({ length: 15 }, (_, at) => bodyOf({ eventId: `e-${at}` }));
    const answers: number[] = [];
    for (const event of events) {
      answers.push((await post(publicUrl, event)).status);
    }
    await expect.poll(() => flood.sent, PATIENT).toBeGreaterThan(100);
    flood.isOn = false;
    await Promise.all(strangers);
    expect(answers).toEqual(events.map(() => 204));
    expect(received).toHaveLength(15);
  });

  it('takes a body of 64 kB, and answers a larger one as the table of answers says', async () => {
    const { publicUrl, received } = await openBehind(name, recipe);
    const largest = eventOf(64 * 1_024);
    expect([largest.length, (await post(publicUrl, largest)).status]).toEqual([65_536, 204]);
    const larger = eventOf(64 * 1_024 + 1);
    const { status } = await post(publicUrl, larger, { 'webhook-signature': pssOf(larger) });
    expect(recipe.tooLarge).toContain(status);
    expect(received).toHaveLength(1);
  });
});

it('Caddy answers a host name that it does not know with an empty 200, as the table of answers says', async () => {
  const { caddy } = RECIPES;
  await openBehind('caddy', caddy ?? expect.fail());
  expect(await askAs('other.example')).toEqual({ status: 200, text: '' });
});
