// Certificates for the nodes of a cluster, by a private authority: public ones do not vouch for nodes among themselves.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FinalError } from '../../src/support/errors.ts';
import { writePrivately } from '../../src/support/files/private-output.ts';

export interface NodeFiles {
  readonly host: string;
  /** Its files belong in the node's /etc/nats. */
  readonly folder: string;
}

const AUTHORITY_DAYS = 7_300;
const NODE_DAYS = 1_825;
/** No address: a home asks for a name. */
const HOST = /^(?=.{1,253}$)(?!.*\.\d+$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/u;

/** A node is a server for homes, relays and nodes, and a client of the other nodes. */
const settingsFor = (host: string): string => `
[req]
distinguished_name = name
prompt = no
[name]
CN = Latchkey ${host === '' ? 'cluster' : 'node'}
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[node]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:${host}
authorityKeyIdentifier = keyid
`;

/**
 * Makes the authority unless the cluster's folder has one, and a certificate for each host, in place of a former one.
 * Rejects with final (`bad-request`) for what is no host name, and (`refused`) for the disk and for openssl.
 */
export async function writeNodes(folder: string, hosts: readonly string[]): Promise<readonly NodeFiles[]> {
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong !== undefined) {
    throw new FinalError('bad-request', `"${wrong}" is no host name, such as a.example.net.`);
  }
  const authority = { cert: join(folder, 'ca.pem'), key: join(folder, 'operator', 'ca.key') };
  await makeAuthority(authority);
  const nodes = hosts.map((host) => ({ host, folder: join(folder, 'nodes', host) }));
  for (const { host, folder: place } of nodes) {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const key = join(place, 'node.key');
    await writeKey(key, 'replace');
    await writeText(join(place, 'node.pem'), signedFor(host, key, authority));
    await writeText(join(place, 'ca.pem'), textOf(authority.cert));
    await writeText(join(place, 'accounts.conf'), textOf(join(folder, 'accounts.conf')));
  }
  return nodes;
}

interface Authority {
  readonly cert: string;
  readonly key: string;
}

async function makeAuthority({ cert, key }: Authority): Promise<void> {
  const hasCert = existsSync(cert);
  if (!existsSync(key)) {
    if (hasCert) {
      throw missing(key);
    }
    await writeKey(key, 'new');
  }
  if (!hasCert) {
    const options = ['-x509', '-key', key, '-days', String(AUTHORITY_DAYS), '-extensions', 'authority'];
    await writeText(
      cert,
      withSettings('', (file) => openssl(['req', '-new', '-config', file, ...options])),
    );
  }
}

function signedFor(host: string, key: string, authority: Authority): string {
  return withSettings(host, (file) => {
    const request = openssl(['req', '-new', '-config', file, '-key', key]);
    const serial = `0x01${randomBytes(15).toString('hex')}`;
    const by = ['-CA', authority.cert, '-CAkey', authority.key, '-set_serial', serial];
    const says = ['-days', String(NODE_DAYS), '-extfile', file, '-extensions', 'node'];
    return openssl(['x509', '-req', '-sha256', ...by, ...says], request);
  });
}

function withSettings(host: string, act: (file: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  try {
    const file = join(folder, 'settings');
    writeFileSync(file, settingsFor(host));
    return act(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What it prints. */
function openssl(words: readonly string[], input = ''): string {
  const { error, status, stdout, stderr } = spawnSync('openssl', words, { input, encoding: 'utf8' });
  if (error !== undefined || status !== 0) {
    const why = error === undefined ? stderr.trim() : 'the program openssl is not there. Install it.';
    throw new FinalError('refused', `No certificate was made: ${why}`, { cause: error });
  }
  return stdout;
}

function textOf(file: string): string {
  if (!existsSync(file)) {
    throw missing(file);
  }
  return readFileSync(file, 'utf8');
}

function missing(file: string): FinalError {
  return new FinalError('refused', `${file} is not there. Put it back: it belongs to this cluster.`);
}

async function writeKey(file: string, kind: 'new' | 'replace'): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writePrivately({ file, kind }, (write) => {
    write(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  });
}

async function writeText(file: string, text: string): Promise<void> {
  await writePrivately({ file, kind: 'replace' }, (write) => write(text));
}
