// The certificates that `latchkey relay cluster` makes for nodes: openssl and real nodes verify them, and refuse others.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { hasOpenssl } from '../../../test/harness/openssl.ts';
import { inWords } from '../../../test/support/in-words.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { writeNodes } from '../../src/node-certificates.ts';
import { hasNats, type NatsNode } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { openClusterStage } from './cluster-stage.ts';

/** A folder with the accounts of a cluster, of which nothing is looked at here. */
function clusterFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'operator'));
  writeFileSync(join(folder, 'accounts.conf'), 'accounts');
  return folder;
}

const verified = (folder: string, host: string, ...words: readonly string[]): string => {
  const file = join(folder, 'nodes', host, 'node.pem');
  const given = ['verify', '-x509_strict', '-CAfile', join(folder, 'ca.pem'), ...words, file];
  const { stdout, stderr } = spawnSync('openssl', given, { encoding: 'utf8' });
  return `${stdout}${stderr}`.trim().split('\n').at(-1)?.replace(`${file}: `, '') ?? '';
};

describe.skipIf(!hasOpenssl)('the certificate of a node', () => {
  it('is good for a server and a client, for its own host alone', async () => {
    const folder = clusterFolder();
    await writeNodes(folder, ['a.example.net']);
    for (const purpose of ['sslserver', 'sslclient']) {
      const words = ['-purpose', purpose, '-verify_hostname'];
      expect(verified(folder, 'a.example.net', ...words, 'a.example.net')).toBe('OK');
      expect(verified(folder, 'a.example.net', ...words, 'b.example.net')).toContain('failed');
    }
  });

  it('is made anew for a node that is added or renewed, by the same authority', async () => {
    const folder = clusterFolder();
    const place = (host: string, name: string): string =>
      readFileSync(join(folder, 'nodes', host, name), 'utf8');
    await writeNodes(folder, ['a.example.net']);
    const former = place('a.example.net', 'node.pem');
    const authority = readFileSync(join(folder, 'ca.pem'), 'utf8');
    await writeNodes(folder, ['a.example.net', 'd.example.net']);
    expect(place('a.example.net', 'node.pem')).not.toBe(former);
    expect([place('a.example.net', 'ca.pem'), place('d.example.net', 'ca.pem')]).toEqual([
      authority,
      authority,
    ]);
    expect([verified(folder, 'a.example.net'), verified(folder, 'd.example.net')]).toEqual(['OK', 'OK']);
  });

  it('has a key that its owner alone may read, as the authority has', async () => {
    const folder = clusterFolder();
    await writeNodes(folder, ['a.example.net']);
    for (const file of ['operator/ca.key', 'nodes/a.example.net/node.key']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('is not made for what is no host name, and not by a second authority when the key of the first is missing', async () => {
    const folder = clusterFolder();
    for (const host of ['*.example.net', '10.0.0.3', 'a.example.net\nissuer = me']) {
      await expect(writeNodes(folder, [host])).rejects.toThrow('is no host name');
    }
    await writeNodes(folder, ['a.example.net']);
    rmSync(join(folder, 'operator', 'ca.key'));
    await expect(writeNodes(folder, ['a.example.net'])).rejects.toThrow('Put it back');
  });
});

const LONG = { timeout: 30_000, interval: 100 };

/** In place of the nodes', by the same authority: as public authorities sign today, for servers alone. */
function certifyForServersAlone(accounts: string): void {
  const place = join(accounts, 'nodes', 'localhost');
  const run = (words: readonly string[], input = ''): string =>
    spawnSync('openssl', words, { input, encoding: 'utf8' }).stdout;
  const request = run(['req', '-new', '-key', join(place, 'node.key'), '-subj', '/CN=node']);
  const says = join(place, 'says');
  writeFileSync(says, 'extendedKeyUsage = serverAuth\nsubjectAltName = DNS:localhost\n');
  const by = ['-CA', join(accounts, 'ca.pem'), '-CAkey', join(accounts, 'operator', 'ca.key')];
  const words = ['x509', '-req', '-days', '1', '-set_serial', '2', ...by, '-extfile', says];
  writeFileSync(join(place, 'node.pem'), run(words, request));
}

async function routesOf({ host, watchPort }: NatsNode): Promise<unknown> {
  const answer = await fetch(`http://${host}:${String(watchPort)}/routez`);
  return ((await answer.json()) as { num_routes: unknown }).num_routes;
}

describe.skipIf(!hasNats || !hasOpenssl)('nodes with those certificates', () => {
  it('serve relay and homes that have the authority, and form no cluster with certificates for servers alone', async () => {
    const folder = temporaryFolder();
    const accounts = join(folder, 'cluster', 'accounts');
    const caFile = join(accounts, 'ca.pem');
    const trusting = { broker: { caFile }, homeCaFile: caFile };
    const stage = await openClusterStage(folder, 3, { hasCertificates: true, ...trusting });
    const { nodes } = stage.cluster;
    const blue = await stage.enrol('blue');
    const got: string[] = [];
    const home = await openHome(blue.enrolment, systemClock, async ({ properties }) => {
      got.push(properties['webhook-signature'] ?? '');
      return Promise.resolve();
    });
    onTestFinished(async () => home.close());
    await expect.poll(() => home.state, LONG).toMatchObject({ kind: 'connected' });
    const post = async (): Promise<number> =>
      (await fetch(blue.url, { method: 'POST', body: '{}', headers: { 'webhook-signature': '1' } })).status;
    await expect.poll(post, LONG).toBe(204);
    await expect.poll(() => got, LONG).toContain('1');
    const { ca: _, ...careful } = blue.enrolment;
    const stranger = await openHome(careful, systemClock, async () => {});
    onTestFinished(async () => stranger.close());
    await expect
      .poll(() => inWords(stranger.state), LONG)
      .toMatchObject({ reason: expect.stringContaining('unknown authority') as unknown });

    await Promise.all(nodes.map(async (node) => node.kill()));
    certifyForServersAlone(accounts);
    for (const node of nodes) {
      node.start();
    }
    for (const node of nodes) {
      await expect.poll(() => node.log(), LONG).toContain('incompatible key usage');
      expect(await routesOf(node)).toBe(0);
    }
  }, 120_000);
});
