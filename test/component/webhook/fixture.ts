// A receiver or a listener with everything around it under a test's control: keys, ledger, clock, and all emitted events.
import { onTestFinished } from 'vitest';
import { signBody } from '../../../simulator/src/webhooks/signature.ts';
import { generateSigningKeyPair, type SigningKeyPair } from '../../../simulator/src/webhooks/signing-keys.ts';
import type { TrustedEvent } from '../../../src/domain/webhooks/ports.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { type Listener, type ListenerParts, startListener } from '../../../src/webhook/listener.ts';
import type { SignatureMethod } from '../../../src/webhook/verify-signature.ts';
import { MemoryLedger } from '../../stand-ins/database/events.ts';
import { StandInKeys } from '../../stand-ins/service/signing-keys.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export type SignatureName =
  | Exclude<SignatureMethod['scheme'], 'jws-detached'>
  | `jws-detached ${Extract<SignatureMethod, { readonly scheme: 'jws-detached' }>['algorithm']}`;

type MethodOf<Name extends SignatureName> = Name extends `jws-detached ${infer Algorithm}`
  ? { readonly scheme: 'jws-detached'; readonly algorithm: Algorithm }
  : { readonly scheme: Name };

/** Every way to sign. Without an entry for each scheme and algorithm, this does not compile. */
export const SIGNATURE_METHODS: { readonly [Name in SignatureName]: MethodOf<Name> } = {
  'pss-sha256': { scheme: 'pss-sha256' },
  'pkcs1-sha256': { scheme: 'pkcs1-sha256' },
  'jws-detached PS256': { scheme: 'jws-detached', algorithm: 'PS256' },
  'jws-detached RS256': { scheme: 'jws-detached', algorithm: 'RS256' },
};

/** The keys are made once: generating takes a tenth of a second. */
export const servicePair = generateSigningKeyPair();
export const strangerPair = generateSigningKeyPair();

export const PATH = '/hooks/f00d';

export function pemOf({ publicKey }: SigningKeyPair): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

/** What surrounds a receiver. `received` is what a listener got, `lines` what the log got. */
export interface ReceiverFixture {
  readonly clock: ManualClock;
  readonly keys: StandInKeys;
  readonly ledger: MemoryLedger;
  readonly received: TrustedEvent[];
  readonly lines: string[];
  readonly parts: Omit<ListenerParts, 'callback'>;
}

export function receiverFixture(overrides: Partial<ListenerParts> = {}): ReceiverFixture {
  const clock = new ManualClock();
  const keys = new StandInKeys([pemOf(servicePair)]);
  const ledger = new MemoryLedger();
  const lines: string[] = [];
  const warn = (line: string): void => {
    lines.push(line);
  };
  const log: Log = { ...silentLog, info: warn, warn, error: warn };
  const parts = {
    host: '127.0.0.1',
    port: 0,
    path: PATH,
    tls: null,
    method: { scheme: 'pss-sha256' } as const,
    signatureHeader: 'WebHook-Signature',
    keys,
    ledger,
    serviceClock: clock,
    clock,
    log,
    ...overrides,
  };
  return { clock, keys, ledger, received: [], lines, parts };
}

export interface OpenListener extends ReceiverFixture {
  readonly listener: Listener;
  readonly url: string;
}

/** A listener with all around it, opened on loopback, closed when the test ends. */
export async function openListener(overrides: Partial<ListenerParts> = {}): Promise<OpenListener> {
  const made = receiverFixture(overrides);
  const listener = await startListener({ callback: null, ...made.parts });
  onTestFinished(() => listener.close());
  listener.feed.subscribe((message) => made.received.push(message));
  return { ...made, listener, url: listener.address + PATH };
}

/** The body of an event as the service writes it. */
export function bodyOf(members: Readonly<Record<string, unknown>> = {}): Buffer {
  return Buffer.from(
    JSON.stringify({
      eventId: 'e-1',
      eventType: 'DeviceUpdate',
      trigger: 'DeviceLockStateChanged',
      time: '2026-04-14T11:59:59.500Z',
      deviceId: 'door-1',
      data: {
        lockState: 'Unlocked',
        accessor: { id: 'a-1', friendlyName: 'Dog walker', accessType: 'AccessCode' },
      },
      version: '2.0',
      ...members,
    }),
  );
}

/** The same bytes with one bit changed. */
export function flipped(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
}

/** The signature header by which the simulator signs. */
export function pssOf(body: Buffer, pair: SigningKeyPair = servicePair): string {
  return signBody(body, { scheme: 'pss-sha256', jwsAlgorithm: 'PS256' }, pair.privateKey);
}

/** Posts a body; `headers` come on top of those that a genuine delivery has. */
export async function post(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = { 'webhook-signature': pssOf(body) },
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: new Uint8Array(body),
  });
}
