// What proves us to the service, put together from config.json and from the vault; config.json wins.
import { oneLine } from '../support/log.ts';
import type { WrittenCredentials } from './config.ts';
import { partnerOptions } from './option-table.ts';
import { describeIssue } from './problem-line.ts';

/** Everything a call needs. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** One or two; the second is tried when the first is refused. */
  readonly subscriptionKeys: readonly [string, ...string[]];
}

export type CredentialsReading =
  | { readonly ok: true; readonly credentials: Credentials }
  /** The options that neither config.json nor the vault holds, such as "partner.clientId". */
  | { readonly ok: false; readonly missing: readonly string[] };

/** The credentials by their names, and whether one of them is there. */
export const CREDENTIALS = ['clientId', 'clientSecret', 'subscriptionKeys'] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/** Each problem is "path: what is wrong, what to do"; none repeats a value. */
export type ChangedCredentials =
  | { readonly ok: true; readonly credentials: WrittenCredentials }
  | { readonly ok: false; readonly problems: readonly string[] };

export const NO_CREDENTIALS: WrittenCredentials = {
  clientId: null,
  clientSecret: null,
  subscriptionKeys: [],
};

/**
 * Completes what config.json says by what the vault holds, credential by credential. The keys are one credential:
 * a key of config.json is never mixed with one of the vault, which may belong to another agreement.
 */
export function completeCredentials(
  written: WrittenCredentials,
  stored: WrittenCredentials,
): CredentialsReading {
  const clientId = written.clientId ?? stored.clientId;
  const clientSecret = written.clientSecret ?? stored.clientSecret;
  const [first, ...others] =
    written.subscriptionKeys.length > 0 ? written.subscriptionKeys : stored.subscriptionKeys;
  if (clientId === null || clientSecret === null || first === undefined) {
    const missing = {
      'partner.clientId': clientId === null,
      'partner.clientSecret': clientSecret === null,
      'partner.subscriptionKeys': first === undefined,
    };
    return {
      ok: false,
      missing: Object.entries(missing).flatMap(([path, isMissing]) => (isMissing ? [path] : [])),
    };
  }
  return { ok: true, credentials: { clientId, clientSecret, subscriptionKeys: [first, ...others] } };
}

/** Whether a credential is there at all. */
export function isWritten(credentials: WrittenCredentials, name: CredentialName): boolean {
  const value = credentials[name];
  return value !== null && value.length > 0;
}

/** Strange names get a line of their own, in the words of a page. */
const shape = partnerOptions.pick({ clientId: true, clientSecret: true, subscriptionKeys: true }).strip();

/**
 * What is to be kept after a page's change, checked as the option table checks it: null erases, what is left out stays.
 * An empty text is refused, not taken as "erase": a form whose secret was left empty must not cost the secret. What
 * config.json says is not changed here. All of it is changed, or none.
 */
export function changedCredentials(
  written: WrittenCredentials,
  kept: WrittenCredentials,
  change: Readonly<Record<string, unknown>>,
): ChangedCredentials {
  const requested = Object.entries(change).filter(([, value]) => value !== undefined);
  const values = requested.filter(([, value]) => value !== null);
  const parsed = shape.safeParse(Object.fromEntries(values));
  const problems = [
    ...requested.flatMap(([name]) => faultOfName(written, name)),
    ...(parsed.success
      ? values.flatMap(([name]) => faultOfEmpty(parsed.data, name))
      : parsed.error.issues.map((issue) => describeIssue({ ...issue, path: ['partner', ...issue.path] }))),
  ];
  if (!parsed.success || problems.length > 0) {
    return { ok: false, problems };
  }
  const { clientId, clientSecret, subscriptionKeys } = parsed.data;
  const stays = (name: CredentialName): boolean => change[name] === undefined;
  return {
    ok: true,
    credentials: {
      clientId: stays('clientId') ? kept.clientId : (clientId ?? null),
      clientSecret: stays('clientSecret') ? kept.clientSecret : (clientSecret ?? null),
      subscriptionKeys: stays('subscriptionKeys') ? kept.subscriptionKeys : filled(subscriptionKeys),
    },
  };
}

/** Reads what was kept, credential by credential: what has another form counts as missing. */
export function readKeptCredentials(
  kept: Readonly<Partial<Record<CredentialName, unknown>>>,
): WrittenCredentials {
  const { clientId, clientSecret, subscriptionKeys } = shape.shape;
  return {
    clientId: clientId.safeParse(kept.clientId).data ?? null,
    clientSecret: clientSecret.safeParse(kept.clientSecret).data ?? null,
    subscriptionKeys: subscriptionKeys.safeParse(kept.subscriptionKeys).data ?? [],
  };
}

function faultOfName(written: WrittenCredentials, name: string): readonly string[] {
  const known = CREDENTIALS.find((credential) => credential === name);
  if (known === undefined) {
    return [`partner.${oneLine(name)}: is kept by config.json only; change it there`];
  }
  return isWritten(written, known) ? [`partner.${name}: is fixed by config.json; change it there`] : [];
}

function faultOfEmpty(values: object, name: string): readonly string[] {
  const value: unknown = Reflect.get(values, name);
  const empty = Array.isArray(value) ? filled(value).length === 0 : value === '';
  return empty ? [`partner.${name}: is empty; write it, or leave it out to keep what is there`] : [];
}

/** The second key is a matter of choice: a form sends it empty. */
function filled(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== '');
}
