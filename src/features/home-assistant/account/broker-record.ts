// Keeps in the database what an account remembers of its broker: its id there, what it announced, and the newest commands.
import { createHash, randomUUID } from 'node:crypto';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { KeptValues } from '../../../storage/account/settings.ts';
import { messageOf } from '../../../support/errors.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import type { Log } from '../../../support/log.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import { type BrokerIdentity, formerIdPrefix, formerTopics, newIdentity } from '../broker/topics.ts';

/** The length of the id that distinguishes accounts of one name at a broker (our choice): 32 bits. */
const ID_LENGTH = 8;
const IDENTITY = 'mqtt.identity';
const TOPICS = 'mqtt.topics';
const ASKED = 'mqtt.asked';

/**
 * Gives an account its id at brokers when it is linked, whether or not it has a broker: an account without one was linked by
 * a version that knew it by its name. A disk that fails leaves it to the first start with a broker.
 */
export function identifyAtLinking(
  settings: Pick<KeptValues, 'read' | 'write'>,
  account: string,
  log: Log,
): void {
  tryDisk(
    log,
    'The account has no id for brokers yet',
    () => {
      if (keptIdentity(settings.read(IDENTITY)) === null) {
        settings.write(IDENTITY, newIdentity(account, newAccountId()));
      }
    },
    'debug',
  );
}

export function newAccountId(): string {
  return randomUUID().slice(0, ID_LENGTH);
}

/** Opening throws `storage-failed` on a disk error. */
export class BrokerRecord implements BrokerMemory {
  readonly identity: BrokerIdentity;
  readonly #parts;
  readonly #broker: string;
  readonly #topics: Set<string>;
  /** Digests of what a person deleted, by topic. */
  readonly #deleted: Map<string, string>;
  readonly #asked: Map<string, number>;

  constructor(parts: {
    readonly settings: Pick<KeptValues, 'read' | 'write'>;
    /** Identifies the broker: topics that were announced at another one cannot be removed here. */
    readonly url: string;
    /** The account's name, for people who read topics. */
    readonly account: string;
    /** Locks that an earlier version may have announced by the account's name. */
    readonly knownLocks: readonly LockId[];
    /** Eight letters or digits that no other account has. */
    readonly newId: () => string;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#broker = createHash('sha256').update(parts.url).digest('hex');
    const kept = this.#kept();
    this.#topics = new Set(textsIn(kept['topics']));
    this.#deleted = new Map(
      Object.entries(objectIn(kept['deleted'])).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    this.#asked = new Map(
      Object.entries(objectIn(parts.settings.read(ASKED))).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    );
    this.identity = keptIdentity(parts.settings.read(IDENTITY)) ?? this.#begin();
  }

  get topics(): ReadonlySet<string> {
    return this.#topics;
  }

  announce(topics: readonly string[]): void {
    const added = topics.filter((topic) => !this.#topics.has(topic));
    for (const topic of added) {
      this.#topics.add(topic);
    }
    if (added.length > 0) {
      this.#saveTopics();
    }
  }

  removed(topic: string): void {
    if (this.#topics.delete(topic)) {
      this.#saveTopics();
    }
  }

  deletedAs(topic: string): string | null {
    return this.#deleted.get(topic) ?? null;
  }

  deleted(topic: string, digest: string | null): void {
    if (digest === this.deletedAs(topic)) {
      return;
    }
    if (digest === null) {
      this.#deleted.delete(topic);
    } else {
      this.#deleted.set(topic, digest);
    }
    this.#saveTopics();
  }

  lastAskedAt(key: string): number | null {
    return this.#asked.get(key) ?? null;
  }

  asked(key: string, at: number): void {
    if (at > (this.lastAskedAt(key) ?? Number.NEGATIVE_INFINITY)) {
      // The time is stored before it counts: a command whose time is forgotten could be carried out again.
      this.#parts.settings.write(ASKED, { ...Object.fromEntries(this.#asked), [key]: at });
      this.#asked.set(key, at);
    }
  }

  /** Makes the id once for each account. An older account keeps its ids in Home Assistant, and moves its other topics. */
  #begin(): BrokerIdentity {
    const { account, knownLocks, newId, settings } = this.#parts;
    const fresh = newIdentity(account, newId());
    const identity = knownLocks.length === 0 ? fresh : { ...fresh, idPrefix: formerIdPrefix(account) };
    settings.write(IDENTITY, identity);
    this.announce(knownLocks.flatMap((id) => formerTopics(account, id)));
    return identity;
  }

  /** What was announced at another broker says nothing of this one. */
  #kept(): Readonly<Record<string, unknown>> {
    const record = objectIn(this.#parts.settings.read(TOPICS));
    return record['broker'] === this.#broker ? record : {};
  }

  #saveTopics(): void {
    try {
      this.#parts.settings.write(TOPICS, {
        broker: this.#broker,
        topics: [...this.#topics],
        deleted: Object.fromEntries(this.#deleted),
      });
    } catch (error) {
      this.#parts.log.debug(`What was announced at the broker could not be noted: ${messageOf(error)}`);
    }
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function keptIdentity(value: unknown): BrokerIdentity | null {
  const { level, idPrefix } = objectIn(value);
  return typeof level === 'string' && typeof idPrefix === 'string' ? { level, idPrefix } : null;
}
