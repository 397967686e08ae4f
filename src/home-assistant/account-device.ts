// The account itself at a broker: a device in Home Assistant to which the locks belong, with its connection and counts.
import { isLow } from '../domain/battery-policy.ts';
import { boltOf } from '../domain/lock.ts';
import { oneLine } from '../support/log.ts';
import type { RuntimeView } from '../sync/account-runtime.ts';
import { type Discovery, ORIGIN, originOf } from './discovery.ts';
import type { MqttLockOptions } from './lock-options.ts';
import type { RetainedTopics } from './retained-topics.ts';
import type { DeviceTopics } from './topics.ts';

export interface AccountDeviceParts {
  readonly topics: DeviceTopics;
  /** The account's topic of availability. */
  readonly status: string;
  readonly retained: RetainedTopics;
  readonly runtime: Pick<RuntimeView, 'locks' | 'linkState'>;
  readonly optionsFor: (id: ReturnType<RuntimeView['locks']>[number]['id']) => MqttLockOptions;
  /** Its name. */
  readonly account: string;
  readonly homeAssistant: boolean;
  /** Of the plugin. */
  readonly version: string;
  /** Of its pages; null without them. */
  readonly pagesUrl: string | null;
}

export class AccountDevice {
  readonly #parts: AccountDeviceParts;
  #shown = '';

  constructor(parts: AccountDeviceParts) {
    this.#parts = parts;
    if (parts.homeAssistant) {
      parts.retained.set(parts.topics.discovery, JSON.stringify(discoveryOfAccount(parts)));
    }
    this.show();
  }

  /** Publishes what has changed. */
  show(): void {
    const { retained, topics } = this.#parts;
    const state = JSON.stringify(this.#state());
    if (state !== this.#shown) {
      this.#shown = state;
      retained.set(topics.state, state);
    }
  }

  #state(): Readonly<Record<string, unknown>> {
    const { runtime, optionsFor, account, version } = this.#parts;
    const locks = runtime.locks().filter(({ id }) => !optionsFor(id).hidden);
    const counted = (of: (lock: (typeof locks)[number]) => boolean): number => locks.filter(of).length;
    return {
      name: account,
      version,
      linked: runtime.linkState() === 'linked',
      locks: locks.length,
      unlocked: counted((lock) => boltOf(lock) === 'unsecured'),
      offline: counted(({ presence }) => presence !== 'reachable'),
      low_battery: counted((lock) => isLow(lock.battery, optionsFor(lock.id).lowBattery, false)),
    };
  }
}

function discoveryOfAccount({ topics, status, account, version, pagesUrl }: AccountDeviceParts): Discovery {
  const count = (id: string, name: string) => ({
    unique_id: `${topics.uniqueId}_${id}`,
    platform: 'sensor',
    name,
    state_class: 'measurement',
    entity_category: 'diagnostic',
    value_template: `{{ value_json.${id} }}`,
    availability: [{ topic: status }],
    availability_mode: 'all',
  });
  return {
    device: {
      identifiers: [topics.uniqueId],
      name: oneLine(account).trim() || ORIGIN,
      manufacturer: ORIGIN,
      sw_version: version,
      ...(pagesUrl === null ? {} : { configuration_url: pagesUrl }),
    },
    origin: originOf(version),
    components: {
      // By the status alone, which a broker that lost us sets to offline: "unavailable" would not say why.
      connection: {
        unique_id: `${topics.uniqueId}_connection`,
        platform: 'binary_sensor',
        device_class: 'connectivity',
        entity_category: 'diagnostic',
        name: 'Connection',
        state_topic: status,
        payload_on: 'online',
        payload_off: 'offline',
      },
      locks: count('locks', 'Locks'),
      unlocked: count('unlocked', 'Unlocked'),
      offline: count('offline', 'Offline'),
      low_battery: count('low_battery', 'Low batteries'),
    },
    state_topic: topics.state,
    qos: 1,
  };
}
