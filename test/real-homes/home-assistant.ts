// The real Home Assistant, in a folder of its own: set up by its interfaces as its pages do, then read and operated.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import { freePort } from '../harness/free-port.ts';
import type { Bridge } from '../harness/homebridge.ts';
import { Conversation, type Message } from './conversation.ts';
import { Program } from './program.ts';
import { HOME_ASSISTANT, LIBRARIES_FOLDER, pythonOf } from './programs.ts';

const STARTED_WITHIN_MS = 120_000;

const BLUEPRINTS = join(import.meta.dirname, '../../deploy/home-assistant/blueprints');

/** No integration by itself: the pages and the cloud are not tried. */
const CONFIGURATION = [
  'api:',
  'websocket_api:',
  'config:',
  'onboarding:',
  'history:',
  'logbook:',
  'zeroconf:',
  'automation: !include automations.yaml',
  'script: !include scripts.yaml',
  '',
];

const entityState = z.object({
  entity_id: z.string(),
  state: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  last_changed: z.string(),
});
export type EntityState = z.output<typeof entityState>;

const entity = z.looseObject({
  entity_id: z.string(),
  unique_id: z.string(),
  platform: z.string(),
  device_id: z.string().nullable(),
  disabled_by: z.string().nullable(),
  original_name: z.string().nullish(),
});
export type Entity = z.output<typeof entity>;

export type Integration = 'mqtt' | 'homekit_controller' | 'matter';

const stateChange = z.object({
  event_type: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** An event on Home Assistant's bus. */
export type BusEvent = z.output<typeof stateChange> & { /** Of `performance.now()`. */ readonly at: number };

const flowStep = z.object({
  flow_id: z.string(),
  type: z.string(),
  step_id: z.string().nullish(),
  errors: z.record(z.string(), z.string()).nullish(),
  reason: z.string().nullish(),
  data_schema: z.array(z.record(z.string(), z.unknown())).nullish(),
});
export type FlowStep = z.output<typeof flowStep>;

const progress = z.array(z.object({ flow_id: z.string(), handler: z.string(), context: z.looseObject({}) }));

export class HomeAssistant {
  /** Every event on the bus since the start, its own restarts included. */
  readonly events: BusEvent[] = [];
  readonly #folder: string;
  readonly #port: number;
  readonly #earlierLines: string[] = [];
  #program: Program;
  #token = '';
  #conversation: Conversation | null = null;

  /** Starts it with its first user, so that nothing of the onboarding is left. `yaml`: more lines of its configuration. */
  static async start(folder: string, yaml: readonly string[] = []): Promise<HomeAssistant> {
    const port = await freePort();
    mkdirSync(join(folder, '.storage'), { recursive: true });
    writeFileSync(join(folder, 'configuration.yaml'), [...CONFIGURATION, ...yaml].join('\n'));
    writeFileSync(join(folder, 'automations.yaml'), '[]');
    writeFileSync(join(folder, 'scripts.yaml'), '{}');
    for (const [key, stored] of Object.entries(storedBefore(port))) {
      writeFileSync(join(folder, '.storage', key), JSON.stringify({ key, ...stored }));
    }
    const home = new HomeAssistant(folder, port);
    try {
      await home.#untilUp();
      await home.#onboard();
      await home.#converse();
    } catch (error) {
      await home.close();
      throw error;
    }
    return home;
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#program = this.#run();
  }

  /** Everything that it wrote, across restarts. */
  get log(): readonly string[] {
    return [...this.#earlierLines, ...this.#program.lines];
  }

  /** Warnings and errors, each with the lines that belong to it, but for what the test's own machine causes. */
  complaints(): string[] {
    const entries: string[] = [];
    for (const line of this.log) {
      const isNew = /^\d{4}-\d\d-\d\d /.test(line);
      if (isNew || entries.length === 0) {
        entries.push(line);
      } else {
        entries[entries.length - 1] += `\n${line}`;
      }
    }
    return entries
      .filter((entry) => / (?:WARNING|ERROR|CRITICAL) /.test(entry))
      .filter((entry) => !OF_THE_MACHINE.test(entry));
  }

  async states(): Promise<readonly EntityState[]> {
    return z.array(entityState).parse(await this.#get('/api/states'));
  }

  /** What an integration brought, from the registry: an entity that is turned off is there, too. */
  async entities(platform: Integration): Promise<readonly Entity[]> {
    const all = z.array(entity).parse(await this.result({ type: 'config/entity_registry/list' }));
    return all.filter((one) => one.platform === platform);
  }

  /** The lock of that name at an integration, by its entity id; waits until it is there and available. */
  async lock(platform: Integration, name: string): Promise<string> {
    const id = `lock.${name.toLowerCase().replaceAll(' ', '_')}`;
    return vi.waitFor(
      async () => {
        const all = await this.entities(platform);
        const found = all.find(
          ({ entity_id }) => entity_id === id || new RegExp(`^${id}_\\d+$`).test(entity_id),
        );
        if (found === undefined) {
          throw new Error(`${platform} brought no ${name}: ${all.map((one) => one.entity_id).join(', ')}`);
        }
        // A service called on an unavailable entity does nothing, and is one line of complaint.
        if ((await this.state(found.entity_id))?.state === 'unavailable') {
          throw new Error(`${found.entity_id} is not available yet`);
        }
        return found.entity_id;
      },
      { timeout: 40_000, interval: 50 },
    );
  }

  /** Undefined without such an entity. */
  async state(entityId: string): Promise<EntityState | undefined> {
    return (await this.states()).find(({ entity_id }) => entity_id === entityId);
  }

  /** Waits until the entity's state is the wanted one. */
  async shows(entityId: string, wanted: string, withinMs = 40_000): Promise<void> {
    await vi.waitFor(
      async () => {
        const shown = (await this.state(entityId))?.state;
        if (shown !== wanted) {
          throw new Error(`${entityId} is ${String(shown)}, not ${wanted}`);
        }
      },
      { timeout: withinMs, interval: 50 },
    );
  }

  /** Calls a service as an automation does; null when it was taken, else what it says. */
  async call(name: `${string}.${string}`, entityId: string, data: Message = {}): Promise<string | null> {
    const [domain, service] = name.split('.');
    const answer = await this.ask({
      type: 'call_service',
      domain,
      service,
      service_data: data,
      target: { entity_id: entityId },
    });
    return answer['success'] === true ? null : JSON.stringify(answer['error']);
  }

  /** The answer to a command of its WebSocket interface. */
  async ask(message: Message): Promise<Message> {
    if (this.#conversation === null) {
      throw new Error('Home Assistant is not running');
    }
    return this.#conversation.ask(message);
  }

  /** The result of such a command; throws when it was refused. */
  async result(message: Message): Promise<unknown> {
    const answer = await this.ask(message);
    if (answer['success'] !== true) {
      throw new Error(`${JSON.stringify(message)}: ${JSON.stringify(answer)}`);
    }
    return answer['result'];
  }

  /** Text of a template, as an automation renders it. */
  async render(template: string): Promise<string> {
    return (await this.#fetch('/api/template', { template })).text();
  }

  /** Adds an integration as a person does, with what each of its forms asks for. */
  async add(handler: string, ...forms: readonly Message[]): Promise<FlowStep> {
    let step = flowStep.parse(await this.#post('/api/config/config_entries/flow', { handler }));
    for (const form of forms) {
      step = await this.fill(step.flow_id, form);
    }
    return step;
  }

  /** The next form of a flow under way. */
  async fill(flowId: string, form: Message): Promise<FlowStep> {
    return flowStep.parse(await this.#post(`/api/config/config_entries/flow/${flowId}`, form));
  }

  /** Over a broker. */
  async addMqtt(port: number): Promise<void> {
    const other_settings = { set_client_cert: false, set_ca_cert: 'off' };
    this.#added(await this.add('mqtt', { broker: '127.0.0.1', port, protocol: '5', other_settings }));
  }

  /** Through the server of the Matter SDK's controller, which has the bridge. */
  async addMatter(url: string): Promise<void> {
    this.#added(await this.add('matter', { url }));
  }

  /** By the code of a bridge that it has found in the network. */
  async addHomeKit({ username, pin }: Bridge): Promise<void> {
    const flowId = await vi.waitFor(
      async () => {
        const flows = await this.discovered();
        const found = flows.find(({ context }) => context['unique_id'] === username.toLowerCase());
        if (found === undefined) {
          throw new Error(`Home Assistant has not found ${username}: ${JSON.stringify(flows)}`);
        }
        return found.flow_id;
      },
      { timeout: 60_000, interval: 200 },
    );
    // The first form begins the pairing, at which a device without a label would show its code.
    await this.fill(flowId, { pairing_code: pin });
    this.#added(await this.fill(flowId, { pairing_code: pin }));
  }

  #added(step: FlowStep): void {
    if (step.type !== 'create_entry') {
      throw new Error(`Home Assistant did not add it: ${JSON.stringify(step)}`);
    }
  }

  /** What it has found in the network and offers to add. */
  async discovered(): Promise<z.output<typeof progress>> {
    return progress.parse(await this.result({ type: 'config_entries/flow/progress' }));
  }

  /** Makes an automation by its own interface, as its editor does. */
  async automate(id: string, automation: Message): Promise<void> {
    await this.#post(`/api/config/automation/config/${id}`, automation);
  }

  /** The same for a script, `script.<id>`. */
  async script(id: string, script: Message): Promise<void> {
    await this.#post(`/api/config/script/config/${id}`, script);
  }

  /** Imports a blueprint of the project, as `latchkey/<name>.yaml`. */
  async importBlueprint(domain: 'automation' | 'script', name: string): Promise<void> {
    const path = join(BLUEPRINTS, domain, `${name}.yaml`);
    const yaml = readFileSync(path, 'utf8');
    await this.result({ type: 'blueprint/save', domain, path: `latchkey/${name}`, yaml });
  }

  /** Stops it, or kills it as a power cut would, and starts it again. */
  async restart(how: 'stop' | 'kill' = 'stop'): Promise<void> {
    this.#conversation?.close();
    await this.#program[how]();
    this.#earlierLines.push(...this.#program.lines);
    this.#program = this.#run();
    await this.#untilUp();
    await this.#converse();
  }

  async close(): Promise<void> {
    this.#conversation?.close();
    await this.#program.stop();
  }

  #run(): Program {
    const args = ['-m', 'homeassistant', '--skip-pip', '-c', this.#folder];
    return new Program(pythonOf(HOME_ASSISTANT), args, { LD_LIBRARY_PATH: LIBRARIES_FOLDER });
  }

  async #untilUp(): Promise<void> {
    await vi.waitFor(async () => fetch(this.#url('/auth/providers')), {
      timeout: STARTED_WITHIN_MS,
      interval: 100,
    });
  }

  /** The first user, and a token that outlives restarts. */
  async #onboard(): Promise<void> {
    const client_id = this.#url('/');
    const user = { client_id, name: 'Owner', username: 'owner', password: 'owner', language: 'en' };
    const created = z
      .object({ auth_code: z.string() })
      .parse(await this.#post('/api/onboarding/users', user));
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: created.auth_code,
      client_id,
    });
    const answer = await fetch(this.#url('/auth/token'), { method: 'POST', body: form });
    this.#token = z.object({ access_token: z.string() }).parse(await answer.json()).access_token;
    await this.#converse();
    this.#token = z
      .string()
      .parse(
        await this.result({ type: 'auth/long_lived_access_token', client_name: 'tests', lifespan: 365 }),
      );
    this.#conversation?.close();
  }

  async #converse(): Promise<void> {
    const conversation = await Conversation.open(
      this.#url('/api/websocket').replace('http', 'ws'),
      'id',
      (news) => {
        const event = stateChange.safeParse(news['event']);
        if (event.success) {
          this.events.push({ ...event.data, at: performance.now() });
        }
      },
    );
    this.#conversation = conversation;
    conversation.say({ type: 'auth', access_token: this.#token });
    await this.result({ type: 'subscribe_events' });
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#fetch(path)).json();
  }

  async #post(path: string, body: Message): Promise<unknown> {
    return (await this.#fetch(path, body)).json();
  }

  async #fetch(path: string, body?: Message): Promise<Response> {
    const answer = await fetch(this.#url(path), {
      headers: {
        'content-type': 'application/json',
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) {
      throw new Error(`${path}: ${String(answer.status)} ${await answer.text()}`);
    }
    return answer;
  }

  #url(path: string): string {
    return `http://127.0.0.1:${String(this.#port)}${path}`;
  }
}

/**
 * What it has stored before its first start. A port in its YAML is taken back after five minutes, with a restart. Of its first
 * questions only the user is left: the others look for devices of all kinds.
 */
function storedBefore(port: number): Readonly<Record<string, object>> {
  const stable = {
    server_port: port,
    server_host: ['127.0.0.1'],
    cors_allowed_origins: [],
    login_attempts_threshold: -1,
    ip_ban_enabled: true,
    ssl_profile: 'intermediate_v6',
    use_x_frame_options: true,
    created_at: '2026-11-27T00:00:00+00:00',
    error: null,
    error_message: null,
  };
  return {
    http: { version: 3, minor_version: 1, data: { stable, pending: null, yaml_migration_done: true } },
    onboarding: { version: 4, minor_version: 1, data: { done: ['core_config', 'analytics', 'integration'] } },
  };
}

/** It misses packages of kinds of devices that no test has. */
const OF_THE_MACHINE =
  /Skipping pip|zlib_ng|No module named|Unable to set up dependencies|Could not setup dependencies/;
