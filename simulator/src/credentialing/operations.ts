// The eleven credentialing operations as data: name, route and limit of each.
import { CREDENTIAL_PATHS } from '../contract/names.ts';

/** One operation of the rate-limit table (specification, Limits), at its path of wire contract 8. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path after `{credentials_base_url}/SMC`, in the router's pattern language. */
  readonly path: string;
  readonly limit: number;
}

/** Every path of the interface begins with this, after `{credentials_base_url}`. */
export const CREDENTIALING_PREFIX = '/SMC';

/** Length of a rate window (specification, Limits). */
export const RATE_WINDOW_MS = 60_000;

export const OPERATIONS = {
  'Authentication Token': { method: 'POST', path: CREDENTIAL_PATHS.token, limit: 10 },
  'Create Credential': { method: 'POST', path: CREDENTIAL_PATHS.credentials, limit: 100 },
  'Create Raw Credential': { method: 'POST', path: CREDENTIAL_PATHS.raw, limit: 100 },
  'Save No-Tour Payloads': { method: 'POST', path: CREDENTIAL_PATHS.noTourPayloads, limit: 100 },
  'Get Credential by Credential Id': { method: 'GET', path: CREDENTIAL_PATHS.credential, limit: 100 },
  'Get Credential by User Id': { method: 'GET', path: CREDENTIAL_PATHS.byUser, limit: 100 },
  'Get All Credentials': { method: 'GET', path: CREDENTIAL_PATHS.credentials, limit: 100 },
  'Delete No-Tour Payload by Device Serial Number': {
    method: 'DELETE',
    path: CREDENTIAL_PATHS.noTourPayload,
    limit: 100,
  },
  'Delete No-Tour Payloads by Credential Id': {
    method: 'DELETE',
    path: CREDENTIAL_PATHS.noTourPayloads,
    limit: 100,
  },
  'Delete Credential by Credential Id': { method: 'DELETE', path: CREDENTIAL_PATHS.credential, limit: 100 },
  'Delete Credential by User Id': { method: 'DELETE', path: CREDENTIAL_PATHS.byUser, limit: 100 },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS).filter((name): name is OperationName =>
  Object.hasOwn(OPERATIONS, name),
);
