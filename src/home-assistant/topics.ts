// The topics of an account and of its locks: one level for each, whatever their names hold.
import { createHash } from 'node:crypto';

const ROOT = 'latchkey';

/** Home Assistant's default prefix, and the topic on which it says that it has started. */
const DISCOVERY_PREFIX = 'homeassistant';
export const BIRTH_TOPIC = `${DISCOVERY_PREFIX}/status`;

/** Longest readable part of a level, in characters (our choice): brokers limit topics to 64 kB, people sooner. */
const LONGEST_LEVEL = 64;
const DIGEST_LENGTH = 8;

/**
 * One level of a topic: letters, digits, `_` and `-`, as Home Assistant's discovery topics demand. A text with anything
 * else gets a digest, so that two texts never share a level.
 */
export function topicLevel(text: string): string {
  const safe = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_LEVEL);
  if (safe === text && safe !== '') {
    return safe;
  }
  const digest = digestOf(text);
  return safe === '' ? digest : `${safe}-${digest}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}

export interface LockTopics {
  readonly state: string;
  readonly event: string;
  readonly set: string;
  readonly available: string;
  readonly discovery: string;
  /** Of the device in Home Assistant, and the beginning of its entities' ids. */
  readonly uniqueId: string;
}

export class AccountTopics {
  readonly #account: string;

  /** `account`: its name. */
  constructor(account: string) {
    this.#account = topicLevel(account);
  }

  get clientId(): string {
    return `${ROOT}-${this.#account}`;
  }

  /** Whether this process serves the account's locks at the moment. */
  get status(): string {
    return `${ROOT}/${this.#account}/status`;
  }

  /** Filter of the commands to all locks. */
  get commands(): string {
    return `${ROOT}/${this.#account}/+/set`;
  }

  /** Filter of all devices that anything announces to Home Assistant. */
  get discoveries(): string {
    return `${DISCOVERY_PREFIX}/device/+/config`;
  }

  of(lockId: string): LockTopics {
    const level = topicLevel(lockId);
    const base = `${ROOT}/${this.#account}/${level}`;
    const uniqueId = `${this.#idPrefix}${level}`;
    return {
      state: `${base}/state`,
      event: `${base}/event`,
      set: `${base}/set`,
      available: `${base}/available`,
      discovery: `${DISCOVERY_PREFIX}/device/${uniqueId}/config`,
      uniqueId,
    };
  }

  /** Whether a device was announced for this account, by this process or an earlier one. */
  isOurDiscovery(topic: string): boolean {
    return topic.startsWith(`${DISCOVERY_PREFIX}/device/${this.#idPrefix}`);
  }

  /** Of fixed length, so that no account's begins another's. */
  get #idPrefix(): string {
    return `${ROOT}_${digestOf(this.#account)}_`;
  }
}
