// A certificate that is renewed while the listener is open: shown from then on, without a restart, once it is whole.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { RENEWED, SELF_SIGNED } from '../cloud/self-signed.ts';
import { type OpenListener, openListener } from './fixture.ts';

const HOUR_MS = 3_600_000;

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Files {
  readonly write: (some: Partial<Certificate>) => void;
  readonly remove: () => void;
  readonly fixture: OpenListener;
}

/** A listener whose certificate stands in two files. */
async function fixtureWithFiles(): Promise<Files> {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const write = ({ cert, key }: Partial<Certificate>): void => {
    if (cert !== undefined) {
      writeFileSync(certFile, cert);
    }
    if (key !== undefined) {
      writeFileSync(keyFile, key);
    }
  };
  write(SELF_SIGNED);
  const fixture = await openListener({
    tls: () => ({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }),
  });
  return {
    write,
    remove: () => {
      rmSync(keyFile);
    },
    fixture,
  };
}

/** A connection to the listener, agreed on. */
async function open({ listener }: OpenListener): Promise<TLSSocket> {
  const { hostname, port } = new URL(listener.address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(
    { host: hostname, port: Number(port), ca: [SELF_SIGNED.cert, RENEWED.cert] },
    resolve,
  );
  socket.on('error', reject);
  onTestFinished(() => {
    socket.destroy();
  });
  await promise;
  return socket;
}

async function shown(fixture: OpenListener): Promise<'former' | 'renewed'> {
  const socket = await open(fixture);
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  const encoded = raw.toString('base64');
  return SELF_SIGNED.cert.replaceAll('\n', '').includes(encoded) ? 'former' : 'renewed';
}

it('a renewed certificate is shown within an hour, and connections that are open stay', async () => {
  const { fixture, write } = await fixtureWithFiles();
  const before = await open(fixture);
  write(RENEWED);
  await fixture.clock.advance(HOUR_MS - 1);
  expect(await shown(fixture)).toBe('former');
  await fixture.clock.advance(10_001);
  expect(await shown(fixture)).toBe('renewed');
  expect(before.destroyed).toBe(false);
  expect(fixture.lines).toEqual(['The certificate of webhooks was renewed, and is in use from now on.']);
  write(SELF_SIGNED);
  await fixture.clock.advance(HOUR_MS + 10_000);
  expect(await shown(fixture)).toBe('former');
});

it('a pair of which only one half is new keeps the former in use, with one line, until it is whole', async () => {
  const { fixture, write } = await fixtureWithFiles();
  write({ cert: RENEWED.cert });
  await fixture.clock.advance(3 * HOUR_MS);
  expect(await shown(fixture)).toBe('former');
  expect(fixture.lines).toEqual([
    expect.stringMatching(
      /^The former certificate of webhooks stays in use\. The certificate or key of webhooks\.tls cannot be used: /u,
    ),
  ]);
  write(RENEWED);
  await fixture.clock.advance(HOUR_MS + 10_000);
  expect(await shown(fixture)).toBe('renewed');
  expect(fixture.lines).toHaveLength(2);
});

it('files that are still being written when they are looked at are looked at again', async () => {
  const { fixture, write } = await fixtureWithFiles();
  write({ key: RENEWED.key, cert: '' });
  await fixture.clock.advance(HOUR_MS);
  write(RENEWED);
  await fixture.clock.advance(10_000);
  expect(await shown(fixture)).toBe('former');
  await fixture.clock.advance(10_000);
  expect([await shown(fixture), fixture.lines.length]).toEqual(['renewed', 1]);
});

it('a file that is gone keeps the former in use, with one line, and the same again when it comes back and goes', async () => {
  const { fixture, write, remove } = await fixtureWithFiles();
  remove();
  await fixture.clock.advance(3 * HOUR_MS);
  expect([await shown(fixture), fixture.lines.length]).toEqual(['former', 1]);
  write(SELF_SIGNED);
  await fixture.clock.advance(HOUR_MS);
  remove();
  await fixture.clock.advance(HOUR_MS);
  expect([await shown(fixture), fixture.lines.length]).toEqual(['former', 2]);
});

it('nothing is looked at any more once the listener is closed', async () => {
  let reads = 0;
  const fixture = await openListener({
    tls: () => {
      reads += 1;
      return SELF_SIGNED;
    },
  });
  await fixture.clock.advance(HOUR_MS);
  expect(reads).toBe(2);
  await fixture.listener.close();
  await fixture.clock.advance(2 * HOUR_MS);
  expect(reads).toBe(2);
});
