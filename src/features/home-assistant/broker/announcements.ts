// Devices as Home Assistant discovers them: announced when they appear or change. One that was deleted there stays so until it changes.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from '../../../carrier/carrier.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { BrokerMemory } from './broker-memory.ts';
import type { Discovery } from './discovery.ts';
import type { RetainedTopics } from './retained-topics.ts';

export class Announcements {
  readonly #parts;
  readonly #shown = new Map<string, Discovery>();

  constructor(parts: {
    readonly retained: Pick<RetainedTopics, 'set' | 'drop'>;
    readonly memory: Pick<BrokerMemory, 'announce' | 'deletedAs' | 'deleted'>;
    readonly log: Pick<Log, 'info'>;
  }) {
    this.#parts = parts;
  }

  show(topic: string, discovery: Discovery): void {
    const { retained, memory } = this.#parts;
    const deletedAs = memory.deletedAs(topic);
    if (deletedAs === digestOf(discovery)) {
      return;
    }
    if (deletedAs !== null) {
      memory.deleted(topic, null);
    }
    memory.announce([topic]);
    this.#shown.set(topic, discovery);
    retained.set(topic, JSON.stringify(discovery));
  }

  /** The device is not shown any more. When it is again, a deletion of before does not count. */
  drop(topic: string): void {
    this.#shown.delete(topic);
    this.#parts.memory.deleted(topic, null);
    this.#parts.retained.drop(topic);
  }

  /**
   * Home Assistant clears the topic of a device that a person deletes. A topic that is only missing proves nothing: a broker may
   * have lost it. A message with a mark is from a Latchkey.
   */
  heard({ topic, payload, mark }: IncomingMessage): void {
    const discovery = this.#shown.get(topic);
    if (discovery === undefined || payload.length > 0 || mark !== undefined) {
      return;
    }
    const { retained, memory, log } = this.#parts;
    this.#shown.delete(topic);
    memory.deleted(topic, digestOf(discovery));
    // An announcement may be on its way, and would bring the device back.
    retained.set(topic, '');
    log.info(
      t('{device} was deleted in Home Assistant. It is announced there again when it changes.', {
        device: String(discovery.device['name']),
      }),
    );
  }
}

/** A new version of the plugin alone is no change. */
function digestOf(discovery: Discovery): string {
  const { device, origin: _origin, ...rest } = discovery;
  const lasting = { ...rest, device: { ...device, sw_version: null } };
  return createHash('sha256').update(JSON.stringify(lasting)).digest('hex');
}
