// Every answer of the relay by name, with its status: the status decides what the service does next (wire contract 7).

export const RELAY_STATUSES = {
  /** The broker holds the delivery for every home that it is meant for. */
  relayed: 204,
  consented: 204,
  'no-consent': 403,
  /** The relay does not know the address, or no home has the lock of a shared delivery: the service tries again for a day. */
  'unknown-address': 404,
  'unknown-device': 404,
  'wrong-method': 405,
  'too-slow': 408,
  /** The home was enrolled anew or removed: the service gives this address up. */
  revoked: 410,
  'too-large': 413,
  /** The home has exceeded its limit: the service waits as long as the answer says. */
  limited: 429,
  /** The broker did not acknowledge, or has no session of this home: the service tries again. */
  'not-acknowledged': 503,
  'no-session': 503,
  failed: 500,
} as const satisfies Readonly<Record<string, number>>;

export type RelayAnswer = keyof typeof RELAY_STATUSES;

export interface Outcome {
  readonly answer: RelayAnswer;
  readonly waitMs?: number;
}
