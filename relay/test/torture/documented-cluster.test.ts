// The cluster of relay/README.md, set up word for word on machines of its own: three nodes, a relay, and an operator beside them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { hasOpenssl } from '../../../test/harness/openssl.ts';
import { documentBlock } from '../../../test/support/document-block.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { type Machine, type Machines, openMachines } from '../support/machines.ts';

const NODES = ['a.example.net', 'b.example.net', 'c.example.net'];
const RELAY = 'relay.example.net';
const LONG = { timeout: 60_000, interval: 250 };

/** Every fence of the block, in its order. */
const FENCES = [
  'make',
  'folders',
  'copy',
  'conf',
  'start',
  'relay',
  'keys',
  'file',
  'startRelay',
  'enrol',
  'ofHomes',
  'renew',
  'tool',
  'replace',
] as const;

type Documented = Readonly<Record<(typeof FENCES)[number], string>>;

function documented(): Documented {
  const text = documentBlock('relay/README.md', 'cluster');
  const fences = [...text.matchAll(/^(?<indent> *)```\w*\n(?<text>.*?)^ *```$/gmsu)].map(({ groups }) =>
    (groups?.['text'] ?? '').replaceAll(new RegExp(`^${groups?.['indent'] ?? ''}`, 'gmu'), ''),
  );
  expect(fences).toHaveLength(FENCES.length);
  return Object.fromEntries(FENCES.map((name, at) => [name, fences[at] ?? ''])) as Documented;
}

function setUp(machines: Machines, docs: Documented): void {
  machines.run(docs.make);
  const nodes = NODES.map((host) => machines.at(host));
  for (const node of nodes) {
    node.run(docs.folders);
  }
  machines.run(docs.copy);
  for (const node of nodes) {
    node.write('/etc/nats-server.conf', named(docs.conf, node));
    node.run(docs.start);
  }
  const relay = machines.at(RELAY);
  relay.run(docs.relay);
  machines.run(docs.keys);
  relay.write('/etc/latchkey/relay.json', docs.file);
  relay.run(docs.startRelay);
}

/** It is in no package of Debian's. */
const hasTool = spawnSync('nats', ['--version']).error === undefined;

function obeyed(machines: Machines, docs: Documented): void {
  if (!hasTool) {
    console.log('Skipped: the commands of the tool nats, which is not installed.');
    return;
  }
  const said = machines.run(docs.tool);
  for (const word of ['blue_1_', 'OK HOMES', 'Received', 'Leader', 'Server Overview', 'JetStream Summary']) {
    expect(said).toContain(word);
  }
}

/** Machine and disk of c are lost: another one at its address is called d. The stream has three copies again. */
async function replaced(machines: Machines, docs: Documented): Promise<void> {
  const c = machines.at('c.example.net');
  c.kill('nats-server');
  c.run('rm -r /etc/nats /var/lib/nats');
  c.run(docs.folders);
  machines.run(docs.copy);
  c.write('/etc/nats-server.conf', docs.conf.replace(/^server_name: a$/mu, 'server_name: d'));
  c.run(docs.start);
  const lines = docs.tool.split('\n');
  const saying = (part: string): string => lines.find((line) => line.includes(part)) ?? '';
  const said = (login: string, command: string): string => {
    try {
      return machines.run([saying('NATS_URL'), saying(login), command, 'echo done'].join('\n'));
    } catch (error) {
      return String(error);
    }
  };
  await expect.poll(() => said('system.creds', docs.replace), LONG).toContain('done');
  await expect.poll(() => said('stream.creds', saying('--peer-expect 3')), LONG).toContain('OK HOMES');
}

/** "With a name of its own in the first line". */
const named = (conf: string, { host }: Machine): string =>
  conf.replace(/^server_name: a$/mu, `server_name: ${host.split('.')[0] ?? ''}`);

const isReady = (machine: Machine, port = 18_592, path = 'readyz'): string =>
  machine.run(`curl --silent http://127.0.0.1:${String(port)}/${path} || true`);

/** Until the test ends: a home with the line that the relay's machine printed. */
async function openEnrolled(line: string) {
  const enrolment = readEnrolment(line);
  if (enrolment === null) {
    throw new Error('The line cannot be read');
  }
  const got: string[] = [];
  const home = await openHome(enrolment, systemClock, async ({ properties }) => {
    got.push(properties['webhook-signature'] ?? '');
    return Promise.resolve();
  });
  onTestFinished(async () => home.close());
  return { got, state: () => home.state.kind, path: new URL(enrolment.url ?? '').pathname };
}

/** As the proxy hands it on; the status of the answer. */
function post(relay: Machine, path: string, id: string): string {
  const words = `--header 'webhook-signature: ${id}' --data '{}' http://127.0.0.1:18591${path}`;
  return relay.run(`curl --silent --output /dev/null --write-out '%{http_code}' ${words}`);
}

/** The number of the certificate that homes are shown. */
async function serialOf({ host }: Machine): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // A node begins in plain text.
  const plain = dial(4_222, host).once('data', () => {
    const socket = tls.connect({ socket: plain, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });
  return promise;
}

/** A certificate for servers alone by another authority, which this process and the relay come to trust as they do public ones. */
function publicCertificate(folder: string): { readonly authority: string; readonly files: string } {
  mkdirSync(folder);
  const run = (script: string): void => {
    expect(spawnSync('sh', ['-e', '-c', script], { cwd: folder }).stderr.toString()).not.toContain('rror');
  };
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  run(`openssl req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=Public`);
  const alternatives = NODES.map((host) => `DNS:${host}`).join(',');
  writeFileSync(join(folder, 'says'), `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`);
  run(`openssl req -new ${key} -keyout public.key -out request -subj /CN=node`);
  run(
    'openssl x509 -req -in request -CA ca.pem -CAkey ca.key -set_serial 7 -days 1 -extfile says -out public.pem',
  );
  return { authority: join(folder, 'ca.pem'), files: `${folder}/public.pem ${folder}/public.key` };
}

it.skipIf(!hasNats || !hasOpenssl)(
  'a cluster that is set up word for word serves homes, survives a node, takes new certificates and a reload, and obeys the operator (faults#178)',
  { timeout: 600_000 },
  async ({ skip }) => {
    const folder = temporaryFolder();
    const machines = await openMachines(folder, [...NODES, RELAY]);
    if (machines === null) {
      skip();
      return;
    }
    const docs = documented();
    setUp(machines, docs);
    const relay = machines.at(RELAY);
    await expect.poll(() => isReady(relay), LONG).toBe('ready\n');
    expect(relay.run('stat --format %U /proc/$(cat $MACHINE/latchkey-relay.pid)').trim()).toBe(
      'latchkey-relay',
    );
    expect(
      machines.at('a.example.net').run('stat --format "%U %a" /var/lib/nats/jetstream /etc/nats/node.key'),
    ).toBe('nats 700\nroot 640\n');
    const blue = await openEnrolled(relay.run(docs.enrol).trim());
    await expect.poll(blue.state, LONG).toBe('connected');
    await expect.poll(() => post(relay, blue.path, 'first'), LONG).toBe('204');
    await expect.poll(() => blue.got, LONG).toContain('first');
    obeyed(machines, docs);

    // One node fails, and comes back with a new certificate.
    const [a, b, c] = NODES.map((host) => machines.at(host));
    if (a === undefined || b === undefined || c === undefined) {
      throw new Error('There are three nodes');
    }
    a.kill('nats-server');
    await expect.poll(() => post(relay, blue.path, 'without a node'), LONG).toBe('204');
    await expect.poll(() => blue.got, LONG).toContain('without a node');
    a.run('systemctl restart nats-server');
    await expect.poll(() => isReady(a, 8_222, 'healthz'), LONG).toContain('"ok"');
    const former = await serialOf(b);
    machines.run(docs.make.replace(/ [ac]\.example\.net/gu, ''));
    machines.run(docs.copy);
    b.run(docs.renew);
    await expect.poll(async () => serialOf(b), LONG).not.toBe(former);
    await expect.poll(() => post(relay, blue.path, 'renewed'), LONG).toBe('204');
    await expect.poll(() => blue.got, LONG).toContain('renewed');

    if (hasTool) {
      await replaced(machines, docs);
      await expect.poll(() => post(relay, blue.path, 'with d'), LONG).toBe('204');
      await expect.poll(() => blue.got, LONG).toContain('with d');
    }

    // A public certificate for homes and relays; among themselves the nodes keep theirs.
    const { authority, files } = publicCertificate(join(folder, 'public'));
    for (const node of [a, b, c]) {
      node.run(`cp ${files} /etc/nats/`);
      const conf = node.run('cat /etc/nats-server.conf');
      node.write('/etc/nats-server.conf', conf.replace(/^tls .*\n/mu, docs.ofHomes));
      node.run(docs.start);
      await expect.poll(() => isReady(node, 8_222, 'healthz'), LONG).toContain('"ok"');
    }
    const file = docs.file.replace(/^ *"caFile".*\n/mu, '').replace(/,\n *"homeCaFile".*$/mu, '');
    relay.write('/etc/latchkey/relay.json', file);
    relay.run(`NODE_EXTRA_CA_CERTS=${authority} systemctl restart latchkey-relay`);
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(authority, 'utf8')]);
    await expect.poll(() => isReady(relay), LONG).toBe('ready\n');
    const green = await openEnrolled(relay.run(docs.enrol.replace('blue', 'green')).trim());
    await expect.poll(green.state, LONG).toBe('connected');
    await expect.poll(() => post(relay, green.path, 'public'), LONG).toBe('204');
    await expect.poll(() => green.got, LONG).toContain('public');

    // The relay goes on, and reads its file again.
    const pid = relay.run('cat $MACHINE/latchkey-relay.pid');
    relay.write('/etc/latchkey/relay.json', file.replace('{', '{ "revoked": { "green": 1 },'));
    relay.run('systemctl reload latchkey-relay');
    await expect.poll(() => post(relay, green.path, 'revoked'), LONG).toBe('410');
    await expect.poll(green.state, LONG).toBe('waiting');
    expect(relay.run('cat $MACHINE/latchkey-relay.pid; kill -0 $(cat $MACHINE/latchkey-relay.pid)')).toBe(
      pid,
    );
  },
);
