// The account itself at a broker: a device in Home Assistant to which the locks belong, with its connection and counts.
import type { RestartFacts } from '../../../domain/account/restart-facts.ts';
import { isLow } from '../../../domain/locks/battery-policy.ts';
import { lastPosition } from '../../../domain/locks/evidence-policy.ts';
import { boltOf, type Lock, type LockId } from '../../../domain/locks/lock.ts';
import type { RuntimeView } from '../../../engine/account-runtime.ts';
import type { Announcements } from './announcements.ts';
import { availability, type Discovery, ORIGIN, originOf, TRUE_OR_FALSE } from './discovery.ts';
import type { MqttLockOptions } from './lock-options.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { shownName } from './shown-name.ts';
import type { DeviceTopics } from './topics.ts';

export class AccountDevice {
  readonly #parts;
  #shown = '';
  #restart: RestartFacts;

  constructor(parts: {
    readonly topics: DeviceTopics;
    /** The account's topic of availability. */
    readonly status: string;
    readonly retained: RetainedTopics;
    readonly announcements: Announcements;
    readonly runtime: Pick<RuntimeView, 'locks' | 'linkState' | 'serviceAway'>;
    readonly optionsFor: (id: LockId) => MqttLockOptions;
    /** The account's name. */
    readonly account: string;
    readonly homeAssistant: boolean;
    /** The version of the plugin. */
    readonly version: string;
    readonly restart: () => RestartFacts;
    /** The address of the account's pages; null without them. */
    readonly pagesUrl: string | null;
  }) {
    this.#parts = parts;
    this.#restart = parts.restart();
    if (parts.homeAssistant) {
      parts.announcements.show(parts.topics.discovery, this.#discovery());
    }
    this.show();
  }

  /** Looks at the disk, too, for changes that a restart would bring. */
  renew(): void {
    this.#restart = this.#parts.restart();
    this.show();
  }

  /** Publishes the changed topics. */
  show(): void {
    const { retained, topics } = this.#parts;
    const state = JSON.stringify(this.#state());
    if (state !== this.#shown) {
      this.#shown = state;
      retained.set(topics.state, state);
    }
  }

  #discovery(): Discovery {
    const { topics, status, account, version, pagesUrl } = this.#parts;
    return {
      device: {
        identifiers: [topics.uniqueId],
        name: shownName(account, ORIGIN),
        manufacturer: ORIGIN,
        sw_version: version,
        ...(pagesUrl === null ? {} : { configuration_url: pagesUrl }),
      },
      origin: originOf(version),
      components: { ...versionComponents(topics, status), ...countComponents(topics, status) },
      state_topic: topics.state,
      qos: 1,
    };
  }

  #state(): Readonly<Record<string, unknown>> {
    const { runtime, optionsFor, account, version } = this.#parts;
    const locks = runtime.locks().filter(({ id }) => !optionsFor(id).hidden);
    const counted = (of: (lock: Lock) => boolean): number => locks.filter(of).length;
    return {
      name: account,
      version,
      restart_needed: this.#restart.isNeeded,
      update: updateOf(this.#restart),
      linked: runtime.linkState() === 'linked',
      service_away: runtime.serviceAway(),
      locks: locks.length,
      unlocked: counted(isOpen),
      offline: counted(({ presence }) => presence !== 'reachable'),
      low_battery: counted((lock) => isLow(lock.battery, optionsFor(lock.id).lowBattery, false)),
    };
  }
}

/** A jammed bolt is where it was last known to rest, or in between: only one that was locked counts as closed (faults#173). */
function isOpen(lock: Lock): boolean {
  const bolt = boltOf(lock);
  return bolt === 'unsecured' || (bolt === 'jammed' && lastPosition(lock.belief) !== 'secured');
}

/** Without a `latest_version` Home Assistant shows "unknown", which is true: nobody is asked for newer versions. */
function updateOf({ running, installed }: RestartFacts): Readonly<Record<string, string>> {
  return { installed_version: running, ...(installed === null ? {} : { latest_version: installed }) };
}

function versionComponents(topics: DeviceTopics, status: string): Discovery['components'] {
  return {
    // To the lock service. Without the plugin it is unavailable, as all of them (faults#172).
    connection: {
      unique_id: `${topics.uniqueId}_connection`,
      platform: 'binary_sensor',
      device_class: 'connectivity',
      entity_category: 'diagnostic',
      name: 'Connection',
      value_template: '{{ value_json.linked and not value_json.service_away }}',
      ...TRUE_OR_FALSE,
      ...availability(status),
    },
    service: {
      unique_id: `${topics.uniqueId}_service`,
      platform: 'binary_sensor',
      device_class: 'problem',
      entity_category: 'diagnostic',
      name: 'Lock service',
      value_template: '{{ value_json.service_away }}',
      ...TRUE_OR_FALSE,
      ...availability(status),
    },
    update: {
      unique_id: `${topics.uniqueId}_update`,
      platform: 'update',
      device_class: 'firmware',
      entity_category: 'diagnostic',
      name: 'Installed version',
      // A dot would find the method of that name of Python's dictionaries (faults#171).
      value_template: "{{ value_json['update'] | tojson }}",
      ...availability(status),
    },
    restart_needed: {
      unique_id: `${topics.uniqueId}_restart_needed`,
      platform: 'binary_sensor',
      device_class: 'problem',
      entity_category: 'diagnostic',
      name: 'Restart needed',
      value_template: '{{ value_json.restart_needed }}',
      ...TRUE_OR_FALSE,
      ...availability(status),
    },
  };
}

function countComponents(topics: DeviceTopics, status: string): Discovery['components'] {
  const count = (id: string, name: string) => ({
    unique_id: `${topics.uniqueId}_${id}`,
    platform: 'sensor',
    name,
    state_class: 'measurement',
    entity_category: 'diagnostic',
    value_template: `{{ value_json.${id} }}`,
    ...availability(status),
  });
  return {
    locks: count('locks', 'Locks'),
    unlocked: count('unlocked', 'Unlocked'),
    offline: count('offline', 'Offline'),
    low_battery: count('low_battery', 'Low batteries'),
  };
}
