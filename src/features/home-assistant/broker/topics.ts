// The topics of an account and of its locks. Each name fills one level of a topic, also when it contains a slash or a wildcard.
import { createHash, randomUUID } from 'node:crypto';

const ROOT = 'latchkey';
const DISCOVERY_PREFIX = 'homeassistant';

/** Longest readable part of a level, in characters (our choice): brokers limit topics to 64 kB, people sooner. */
const LONGEST_LEVEL = 64;
const DIGEST_LENGTH = 8;

/** Take the place of a lock: in the topic by which the account tests whether commands arrive, and in its own. */
const TEST_LEVEL = 'self-test';
const ACCOUNT_LEVEL = 'account';
const FLAT_LEVEL = 'flat';

/**
 * One level of a topic: letters, digits, `_` and `-`, as Home Assistant's discovery topics demand. A text with anything
 * else gets a digest, so that two texts never share a level.
 */
export function topicLevel(text: string): string {
  const safe = readable(text);
  if (safe === text && safe !== '') {
    return safe;
  }
  const digest = digestOf(text);
  return safe === '' ? digest : `${safe}-${digest}`;
}

function readable(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_LEVEL);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}

/** What names an account at every broker. It stays, so that a rename moves no topic and no device. */
export interface BrokerIdentity {
  /** Its level in topics: the name it had, for people, and an id, because two homes may have that name. */
  readonly level: string;
  /** Beginning of its ids in Home Assistant, of fixed length, so that no account's begins another's. */
  readonly idPrefix: string;
}

/** `id`: eight letters or digits that no other account has. */
export function newIdentity(name: string, id: string): BrokerIdentity {
  const label = readable(name);
  return { level: label === '' ? id : `${label}-${id}`, idPrefix: `${ROOT}_${id}_` };
}

/** Topics by the account's name alone, as they were before accounts had an id. */
export function formerTopics(name: string, lockId: string): readonly string[] {
  const base = `${ROOT}/${topicLevel(name)}/${topicLevel(lockId)}`;
  return [`${base}/state`, `${base}/available`];
}

/** An account that was announced by its name keeps its ids: rooms, names and automations hang on them. */
export function formerIdPrefix(name: string): string {
  return `${ROOT}_${digestOf(topicLevel(name))}_`;
}

export interface DeviceTopics {
  readonly state: string;
  readonly discovery: string;
  /** The id of the device in Home Assistant, and the beginning of its entities' ids. */
  readonly uniqueId: string;
}

/** Commands on access codes or guests, and what became of them. */
export interface AccessTopics {
  readonly set: string;
  readonly event: string;
}

export interface LockTopics extends DeviceTopics {
  readonly codes: AccessTopics;
  readonly event: string;
  readonly set: string;
  readonly available: string;
}

/** Null takes the usual one. */
export interface TopicOptions {
  readonly base: string | null;
  readonly discoveryPrefix: string | null;
  readonly clientId: string | null;
}

export const USUAL_TOPICS: TopicOptions = { base: null, discoveryPrefix: null, clientId: null };

export class AccountTopics {
  /** The prefix of all topics but those of Home Assistant. */
  readonly base: string;
  readonly clientId: string;
  /** A person has chosen it, so that another may have it, too. */
  readonly isClientIdChosen: boolean;
  readonly #identity: BrokerIdentity;
  readonly #discovery: string;

  constructor(identity: BrokerIdentity, { base, discoveryPrefix, clientId }: TopicOptions) {
    this.base = `${base ?? ROOT}/${identity.level}`;
    // Each process has a client id of its own, because a broker ends the older of two clients with one id. Two processes with copies of
    // one storage would push each other out for ever, and might never learn the reason.
    const ours = randomUUID().slice(0, DIGEST_LENGTH);
    this.clientId = clientId ?? `${ROOT}-${identity.level}-${ours}`;
    this.isClientIdChosen = clientId !== null;
    this.#identity = identity;
    this.#discovery = discoveryPrefix ?? DISCOVERY_PREFIX;
  }

  /** Whether this process serves the account's locks at the moment. */
  get status(): string {
    return `${this.base}/status`;
  }

  /** The topics of the account's guests. */
  get guests(): AccessTopics {
    return accessTopics(`${this.base}/${ACCOUNT_LEVEL}/guests`);
  }

  /** Filter of the commands on the access codes of all locks. */
  get codeCommands(): string {
    return `${this.base}/+/codes/set`;
  }

  /** Filter of the commands to all locks. */
  get commands(): string {
    return `${this.base}/+/set`;
  }

  /** Where the account sends itself a message that arrives only if commands do. */
  get test(): string {
    return `${this.base}/${TEST_LEVEL}/set`;
  }

  /** The topic on which Home Assistant announces its start. */
  get birth(): string {
    return `${this.#discovery}/status`;
  }

  /** Filter of the topics that announce devices, those of other programs included. */
  get devices(): string {
    return `${this.#discovery}/device/+/config`;
  }

  /** The id of the device that stands for the account. */
  get account(): DeviceTopics {
    // Made of the level, which is unique: the ids of two older accounts may begin alike.
    return this.#device(ACCOUNT_LEVEL, `${ROOT}_${this.#identity.level}_${ACCOUNT_LEVEL}`);
  }

  /** The device of a flat with a booking calendar. */
  flat(calendarId: string): DeviceTopics {
    return this.#device(`${FLAT_LEVEL}-${topicLevel(calendarId)}`);
  }

  of(lockId: string): LockTopics {
    const level = topicLevel(lockId);
    const base = `${this.base}/${level}`;
    const own = { event: `${base}/event`, set: `${base}/set`, available: `${base}/available` };
    return { ...this.#device(level), ...own, codes: accessTopics(`${base}/codes`) };
  }

  #device(level: string, uniqueId = `${this.#identity.idPrefix}${level}`): DeviceTopics {
    return {
      state: `${this.base}/${level}/state`,
      discovery: `${this.#discovery}/device/${uniqueId}/config`,
      uniqueId,
    };
  }
}

function accessTopics(base: string): AccessTopics {
  return { set: `${base}/set`, event: `${base}/event` };
}
