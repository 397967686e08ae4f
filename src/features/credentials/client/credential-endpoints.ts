// The eleven operations of the credentialing interface as data: path, method and limit of each (wire contract 8; specification, Limits).

import { pathSegment } from '../../../wire/path-segment.ts';
import type { CredentialOperation } from '../policy/credential.ts';

/** How one operation is called. Paths follow `{credentials_base_url}`. */
export interface CredentialEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** Calls that one window allows until a service reports another limit (specification, Rate limits). */
export function rateLimit(operation: CredentialOperation): number {
  return operation === 'login' ? 10 : 100;
}

/** The form of bodies that is asked for; a service without versions ignores it. */
export const CREDENTIAL_ACCEPT = 'application/json;version=1';

const ROOT = '/SMC';
const CREDENTIALS = `${ROOT}/credentials/mobile`;

const one = (id: string): string => `${CREDENTIALS}/${pathSegment(id)}`;
const ofUser = (userId: string): string => `${CREDENTIALS}/users/${pathSegment(userId)}`;
const payloadsOf = (id: string): string => `${one(id)}/notourpayloads`;

export const credentialEndpoints = {
  login: (): CredentialEndpoint => ({ method: 'POST', path: `${ROOT}/authentication/token` }),
  create: (): CredentialEndpoint => ({ method: 'POST', path: CREDENTIALS }),
  createRaw: (): CredentialEndpoint => ({ method: 'POST', path: `${CREDENTIALS}/raw` }),
  list: (): CredentialEndpoint => ({ method: 'GET', path: CREDENTIALS }),
  get: (id: string): CredentialEndpoint => ({ method: 'GET', path: one(id) }),
  getByUser: (userId: string): CredentialEndpoint => ({ method: 'GET', path: ofUser(userId) }),
  delete: (id: string): CredentialEndpoint => ({ method: 'DELETE', path: one(id) }),
  deleteByUser: (userId: string): CredentialEndpoint => ({ method: 'DELETE', path: ofUser(userId) }),
  saveNoTour: (id: string): CredentialEndpoint => ({ method: 'POST', path: payloadsOf(id) }),
  deleteNoTour: (id: string): CredentialEndpoint => ({ method: 'DELETE', path: payloadsOf(id) }),
  deleteNoTourOfLock: (id: string, deviceSerialNumber: string): CredentialEndpoint => ({
    method: 'DELETE',
    path: `${payloadsOf(id)}/${pathSegment(deviceSerialNumber)}`,
  }),
} as const;
