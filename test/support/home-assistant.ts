// Home Assistant at a broker, by its published rules: the states of its entities, and the commands that it sends.
import { BrokerClient } from '../harness/broker-client.ts';
import {
  type DeviceDiscovery,
  deviceDiscovery,
  type EventMessage,
  eventMessage,
  updateMessage,
} from './home-assistant-rules.ts';

type Component = DeviceDiscovery['components'][string];

const CONNECTED = '{{ value_json.linked and not value_json.service_away }}';

/** A dot finds a method of Python's dictionaries before a member. */
const MEMBER = /^\{\{ value_json\.(?!(?:clear|copy|get|items|keys|pop|update|values) )(\w+) \}\}$/;
const PART = /^\{\{ value_json\['(\w+)'\] \| tojson \}\}$/;
const MAPPED = /^\{\{ (\{.*\})\.get\(value_json\.(\w+), '(\w+)'\) \}\}$/;

/** The two forms of templates in use; Jinja renders JSON's values as Python spells them. */
function rendered(template: string | undefined, payload: string): string {
  if (template === undefined) {
    return payload;
  }
  const value = JSON.parse(payload) as Record<string, unknown>;
  if (template === CONNECTED) {
    return pythonic(value['linked'] === true && value['service_away'] === false);
  }
  const member = MEMBER.exec(template)?.[1];
  if (member !== undefined) {
    return pythonic(value[member]);
  }
  const part = PART.exec(template)?.[1];
  if (part !== undefined) {
    return JSON.stringify(value[part]);
  }
  const [, map = '', key = '', otherwise = ''] = MAPPED.exec(template) ?? [];
  if (map === '') {
    throw new Error(`A template that this test cannot render: ${template}`);
  }
  const words = JSON.parse(map.replaceAll("'", '"')) as Record<string, string>;
  return words[pythonic(value[key])] ?? otherwise;
}

function pythonic(value: unknown): string {
  return value === null || value === undefined
    ? 'None'
    : typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
}

/** The messages that count, by their number; all of them if left out. */
export interface SeenSpan {
  readonly from?: number;
  readonly to?: number;
}

export class HomeAssistant {
  readonly #client: BrokerClient;

  private constructor(client: BrokerClient) {
    this.#client = client;
  }

  static async connect(url: URL): Promise<HomeAssistant> {
    return new HomeAssistant(await BrokerClient.connect(url, 'homeassistant/#', 'latchkey/#'));
  }

  close(): void {
    this.#client.close();
  }

  /** The devices that are announced now, by the unique id in their topic. Throws for one that breaks a rule. */
  devices(): ReadonlyMap<string, DeviceDiscovery> {
    const configs = [...this.#latest()].filter(([topic]) =>
      /^homeassistant\/device\/.*\/config$/.test(topic),
    );
    return new Map(
      configs
        .filter(([, text]) => text !== '')
        .map(([topic, text]) => [topic.split('/')[2] ?? '', deviceDiscovery.parse(JSON.parse(text))]),
    );
  }

  /** Those of locks: all but the one that stands for the account. */
  lockDevices(): ReadonlyMap<string, DeviceDiscovery> {
    return new Map([...this.devices()].filter(([id]) => !id.endsWith('_account')));
  }

  /** The state of an entity of the device with that name; undefined without such an entity. */
  shows(device: string, key: string, span: SeenSpan = {}): string | undefined {
    const found = this.#named(device);
    const component = found?.components[key];
    if (found === undefined || component === undefined || !('unique_id' in component)) {
      return undefined;
    }
    const latest = this.#latest(span);
    const isAvailable = (component.availability ?? []).every(({ topic }) => latest.get(topic) === 'online');
    const text = latest.get(component.state_topic ?? found.state_topic ?? '');
    if (!isAvailable) {
      return 'unavailable';
    }
    return text === undefined || text === ''
      ? 'unknown'
      : stateOf(component, rendered(component.value_template, text));
  }

  /** The messages of the device's event entity since the start. Throws for one that breaks a rule. */
  events(device: string): readonly EventMessage[] {
    const activity = this.#named(device)?.components['activity'];
    if (activity === undefined || !('event_types' in activity)) {
      return [];
    }
    return this.#client.seen
      .filter(({ topic, retained }) => topic === activity.state_topic && !retained)
      .map(({ text }) => eventMessage(activity.event_types).parse(JSON.parse(text)));
  }

  /** Taps the lock, as Home Assistant renders its `command_template` at that instant. */
  async tap(device: string, action: 'lock' | 'unlock', at = Date.now(), code?: string): Promise<void> {
    const lock = this.#named(device)?.components['lock'];
    if (lock?.platform !== 'lock' || !('unique_id' in lock)) {
      throw new Error('There is no lock to tap');
    }
    const payload = (action === 'lock' ? lock.payload_lock : lock.payload_unlock) ?? action.toUpperCase();
    const text = (lock.command_template ?? '{{ value }}')
      .replace('{{ value }}', payload)
      .replace("{{ code or '' }}", code ?? '')
      .replace('{{ (as_timestamp(now()) * 1000) | int }}', String(at));
    await this.#client.publish(lock.command_topic, text, { retain: lock.retain ?? false });
  }

  /** Its birth message. */
  async start(): Promise<void> {
    await this.#client.publish('homeassistant/status', 'online');
  }

  async publish(...message: Parameters<BrokerClient['publish']>): Promise<void> {
    await this.#client.publish(...message);
  }

  get seen(): BrokerClient['seen'] {
    return this.#client.seen;
  }

  #named(name: string): DeviceDiscovery | undefined {
    return [...this.devices().values()].find(({ device }) => device.name === name);
  }

  #latest({ from = 0, to }: SeenSpan = {}): ReadonlyMap<string, string> {
    return new Map(this.#client.seen.slice(from, to).map(({ topic, text }) => [topic, text]));
  }
}

function boltStateOf(
  component: Extract<Component, { platform: 'lock'; state_locked?: unknown }>,
  payload: string,
): string {
  const { state_locked, state_unlocked, state_locking, state_unlocking, state_jammed } = component;
  const words = {
    locked: state_locked,
    unlocked: state_unlocked,
    locking: state_locking,
    unlocking: state_unlocking,
    jammed: state_jammed,
  };
  return Object.entries(words).find(([, word]) => word === payload)?.[0] ?? 'unchanged';
}

function binaryStateOf(component: Component, payload: string): string {
  if ('unique_id' in component && 'payload_on' in component) {
    return payload === component.payload_on ? 'on' : payload === component.payload_off ? 'off' : 'unchanged';
  }
  return payload.toLowerCase();
}

/** lock.py, binary_sensor.py and sensor.py: a payload that is none of the known ones changes nothing. */
function stateOf(component: Component, payload: string): string {
  if ('payload_reset' in component && payload === component.payload_reset) {
    return 'unknown';
  }
  if (component.platform === 'update') {
    // Without a latest version the state is unknown.
    const { installed_version: installed, latest_version: latest } = updateMessage.parse(JSON.parse(payload));
    return latest === undefined ? 'unknown' : latest === installed ? 'off' : 'on';
  }
  if (component.platform === 'lock' && 'state_locked' in component) {
    return boltStateOf(component, payload);
  }
  if (payload === 'None') {
    return 'unknown';
  }
  return component.platform === 'binary_sensor' ? binaryStateOf(component, payload) : payload;
}
