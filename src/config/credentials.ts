// Combines the service credentials of config.json and the vault; config.json wins.
import { type Message, message } from '../domain/language/message.ts';
import { oneLine } from '../support/log.ts';
import type { WrittenCredentials } from './config.ts';
import { partnerOptions } from './options/partner-options.ts';
import { describeIssue, problem } from './options/problem-line.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** One or two; the second is used if the first is rejected. */
  readonly subscriptionKeys: readonly [string, ...string[]];
}

export type CredentialsReading =
  | { readonly ok: true; readonly credentials: Credentials }
  /** Options missing from both config.json and the vault, such as "partner.clientId". */
  | { readonly ok: false; readonly missing: readonly string[] };

export const CREDENTIALS = ['clientId', 'clientSecret', 'subscriptionKeys'] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/** Each problem has the form "path: fault; remedy" and never repeats a value. */
export type ChangedCredentials =
  | { readonly ok: true; readonly credentials: WrittenCredentials }
  | { readonly ok: false; readonly problems: readonly Message[] };

export const NO_CREDENTIALS: WrittenCredentials = {
  clientId: null,
  clientSecret: null,
  subscriptionKeys: [],
};

/**
 * Takes each credential from config.json, else from the vault. Keys of the two are never mixed: they may belong to
 * different agreements.
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

export function isWritten(credentials: WrittenCredentials, name: CredentialName): boolean {
  const value = credentials[name];
  return value !== null && value.length > 0;
}

/** Unknown names are reported separately. */
const shape = () =>
  partnerOptions().pick({ clientId: true, clientSecret: true, subscriptionKeys: true }).strip();

/**
 * Applies a page's change, whole or not at all, with the checks of the option table: null erases, omitted members stay.
 * An empty text is refused, since a form with an empty secret field must not erase the secret.
 */
export function changedCredentials(
  written: WrittenCredentials,
  kept: WrittenCredentials,
  change: Readonly<Record<string, unknown>>,
): ChangedCredentials {
  const requested = Object.entries(change).filter(([, value]) => value !== undefined);
  const values = requested.filter(([, value]) => value !== null);
  const parsed = shape().safeParse(Object.fromEntries(values));
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

/** Reads stored credentials one by one; a malformed one counts as missing. */
export function readKeptCredentials(
  kept: Readonly<Partial<Record<CredentialName, unknown>>>,
): WrittenCredentials {
  const { clientId, clientSecret, subscriptionKeys } = shape().shape;
  return {
    clientId: clientId.safeParse(kept.clientId).data ?? null,
    clientSecret: clientSecret.safeParse(kept.clientSecret).data ?? null,
    subscriptionKeys: subscriptionKeys.safeParse(kept.subscriptionKeys).data ?? [],
  };
}

function faultOfName(written: WrittenCredentials, name: string): readonly Message[] {
  const known = CREDENTIALS.find((credential) => credential === name);
  if (known === undefined) {
    return problem(`partner.${oneLine(name)}`, message('can only be changed in config.json'));
  }
  return problem(
    `partner.${name}`,
    isWritten(written, known) ? message('is set in config.json; change it there') : null,
  );
}

function faultOfEmpty(values: object, name: string): readonly Message[] {
  const value: unknown = Reflect.get(values, name);
  const empty = Array.isArray(value) ? filled(value).length === 0 : value === '';
  return problem(
    `partner.${name}`,
    empty ? message('is empty; enter a value, or leave it out to keep the saved one') : null,
  );
}

/** A form sends an optional second key as an empty text. */
function filled(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== '');
}
