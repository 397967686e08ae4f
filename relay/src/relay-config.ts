// The configuration file of a relay, checked, with one line for each fault.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { brokerAddress, homeName } from '../../src/config/options/relay-enrolment.ts';
import { FinalError } from '../../src/support/errors.ts';
import { memberOf } from '../../src/support/text/foreign-json.ts';

const port = z.int().min(0).max(65_535);
const publicKey = z.string().regex(/^[\w-]{43}$/);

const relayOptions = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: port.default(18_591),
  statusHost: z.string().default('127.0.0.1'),
  statusPort: port.default(18_592),
  /** The address that homes register with the service, before `/h/<home>/<token>`. */
  publicUrl: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/u, '')),
  /** The first secret mints tokens; every one of them is accepted. */
  secrets: z.array(z.string().min(32)).min(1).max(4),
  broker: z.strictObject({
    url: brokerAddress(),
    username: z.string().min(1).optional(),
    password: z.string().optional(),
    /** A file of authorities (PEM) that replace the public ones. */
    caFile: z.string().optional(),
    /** The keys of a cluster: the relay's login and the key that signs homes, as `latchkey relay cluster` writes them. */
    keysFile: z.string().optional(),
    /** Nodes of a cluster that keep each event; three if left out. */
    replicas: z.int().min(1).max(5).optional(),
    /** The most that a cluster takes: homes, and the events of all of them within a day. */
    homes: z.int().min(1).optional(),
    events: z.int().min(1).optional(),
    bytes: z.int().min(1_000_000).optional(),
  }),
  /** The broker's address for homes, when it differs from the relay's. */
  homeBrokerUrl: brokerAddress().optional(),
  /** A file with the private authority (PEM) of that broker, which travels in the lines of homes. */
  homeCaFile: z.string().optional(),
  encrypt: z.boolean().default(true),
  signatureHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .default('WebHook-Signature')
    .transform((name) => name.toLowerCase()),
  /** Host names of the services that may ask for consent; empty: any service with a home's address. */
  origins: z.array(z.string().transform((name) => name.toLowerCase())).default([]),
  limits: z
    .strictObject({
      burst: z.int().min(1).default(120),
      perMinute: z.int().min(1).default(600),
      /** Deliveries of one home that may wait for the broker. */
      waiting: z.int().min(1).default(32),
    })
    .prefault({}),
  /** For each home, the last generation that is refused from now on. */
  revoked: z.record(homeName(), z.int().min(1)).default({}),
  /** One webhook for many homes, distinguished by the lock. Null: none. */
  shared: z
    .strictObject({
      token: z.string().regex(/^[\w-]{32,200}$/, 'must be 32 to 200 letters, digits, - and _'),
      /** As `latchkey relay enrol` prints them: the key of a first enrolment, or key and generation of a later one. */
      homes: z.record(
        homeName(),
        z.union([
          publicKey.transform((key) => ({ publicKey: key, generation: 1 })),
          z
            .strictObject({ key: publicKey, generation: z.int().min(1) })
            .transform(({ key, generation }) => ({ publicKey: key, generation })),
        ]),
      ),
      devices: z.record(z.string(), z.array(homeName()).min(1).max(16)),
    })
    .nullable()
    .default(null),
});

export type RelayConfig = z.output<typeof relayOptions>;

/**
 * `broker`: an address in place of the file's. Throws a final error (`bad-configuration`) that names the members and never
 * repeats a value.
 */
export function readRelayConfig(file: string, broker: string | null = null): RelayConfig {
  const parsed = relayOptions.safeParse(withBroker(jsonOf(file), broker));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'the file'}: ${message}.`,
    );
    throw new FinalError('bad-configuration', `${file} has faults. ${faults.join(' ')}`);
  }
  const { shared } = parsed.data;
  const keyless = Object.values(shared?.devices ?? {})
    .flat()
    .find((home) => shared?.homes[home] === undefined);
  if (keyless !== undefined) {
    const message = `${file} has faults. shared.homes: has no key for the home "${keyless}" of shared.devices; enter it.`;
    throw new FinalError('bad-configuration', message);
  }
  return parsed.data;
}

function withBroker(values: unknown, url: string | null): unknown {
  const isObject = typeof values === 'object' && values !== null;
  const before = memberOf(values, 'broker');
  return url === null || !isObject
    ? values
    : { ...values, broker: { ...(typeof before === 'object' ? before : {}), url } };
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    // The parser's message would quote the file, which holds secrets.
    const message = `${file} cannot be read as JSON${code}. Name the relay's file with --config.`;
    throw new FinalError('bad-configuration', message, code === '' ? {} : { cause: error });
  }
}
