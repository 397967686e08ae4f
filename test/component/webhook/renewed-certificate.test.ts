// A certificate that is renewed while the listener is open: shown from then on, without a restart, once it is whole.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { type Certificate, makeCertificate } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { RENEWED, SELF_SIGNED } from '../cloud/self-signed.ts';
import { type OpenListener, openListener } from './fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The day on which the clock of these tests begins. */
const NOW = Date.UTC(2026, 3, 14, 12);

const RENEW = 'Renew it. The renewed files are taken into use within an hour, without a restart.';

interface Files {
  readonly write: (some: Partial<Certificate>) => void;
  readonly remove: () => void;
  readonly fixture: OpenListener;
}

/** A listener whose certificate stands in two files. */
async function fixtureWithFiles(first: Certificate = SELF_SIGNED): Promise<Files> {
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
  write(first);
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
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, resolve);
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
  expect(fixture.lines).toEqual(['The certificate of webhooks.tls was renewed, and is in use from now on.']);
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
      /^The former certificate of webhooks\.tls stays in use\. The certificate or key of webhooks\.tls cannot be used: /u,
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

it.each([
  [
    'has ended',
    makeCertificate({ until: NOW - DAY_MS }),
    'The certificate of webhooks.tls ended on 13 April 2026.',
  ],
  [
    'is not valid yet',
    makeCertificate({ from: NOW + 2 * DAY_MS }),
    'The certificate of webhooks.tls is good only from 16 April 2026 on.',
  ],
  [
    'does not match its key',
    { cert: RENEWED.cert, key: SELF_SIGNED.key },
    'The certificate or key of webhooks.tls cannot be used: ',
  ],
  ['is none', { cert: 'no', key: 'no' }, 'The certificate or key of webhooks.tls cannot be used: '],
])('a renewed file that %s is not taken, with one line (faults#182)', async (_, renewed, why) => {
  const { fixture, write } = await fixtureWithFiles();
  write(renewed);
  await fixture.clock.advance(5 * HOUR_MS);
  expect(await shown(fixture)).toBe('former');
  expect(fixture.lines).toEqual([
    expect.stringContaining(`The former certificate of webhooks.tls stays in use. ${why}`),
  ]);
  const view = fixture.listener.certificate();
  expect([view?.state, view?.refused === null]).toEqual(['good', false]);
});

it('a renewed file that is not valid yet is taken once it is (faults#182)', async () => {
  const { fixture, write } = await fixtureWithFiles();
  const tomorrow = makeCertificate({ from: NOW + DAY_MS });
  write(tomorrow);
  await fixture.clock.advance(23 * HOUR_MS);
  expect(await shown(fixture)).toBe('former');
  await fixture.clock.advance(2 * HOUR_MS);
  expect([await shown(fixture), fixture.lines.length]).toEqual(['renewed', 2]);
  expect(fixture.listener.certificate()).toMatchObject({ refused: null });
});

it('one that ends is warned of two weeks before, once, and named once it has ended (faults#182)', async () => {
  const { fixture, write } = await fixtureWithFiles(makeCertificate({ until: NOW + 20 * DAY_MS }));
  await fixture.clock.advance(5 * DAY_MS);
  expect([fixture.lines, fixture.listener.certificate()?.state]).toEqual([[], 'good']);
  await fixture.clock.advance(2 * DAY_MS);
  const warning = `The certificate of webhooks.tls ends in 14 days, on 4 May 2026. ${RENEW}`;
  expect([fixture.lines, fixture.listener.certificate()]).toEqual([
    [warning],
    expect.objectContaining({ state: 'ending', daysLeft: 13 }),
  ]);
  await fixture.clock.advance(14 * DAY_MS);
  const end = `The certificate of webhooks.tls ended on 4 May 2026. ${RENEW}`;
  expect(fixture.lines).toEqual([warning, end]);
  write(RENEWED);
  await fixture.clock.advance(2 * HOUR_MS);
  expect([await shown(fixture), fixture.lines.length]).toEqual(['renewed', 3]);
  expect(fixture.listener.certificate()).toMatchObject({ state: 'good', refused: null });
});

it('one that has ended already is used all the same at a start, and named at once (faults#182)', async () => {
  const { fixture } = await fixtureWithFiles(makeCertificate({ until: NOW - DAY_MS }));
  expect(fixture.lines).toEqual([`The certificate of webhooks.tls ended on 13 April 2026. ${RENEW}`]);
  await fixture.clock.advance(3 * DAY_MS);
  expect(fixture.lines).toHaveLength(1);
});
