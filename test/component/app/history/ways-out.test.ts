// One move is one event with one author on every way out at once: Home, Matter, a broker, the activity list and the history.
import type { API, PlatformAccessory } from 'homebridge';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HomebridgeAPI } from '../../../../node_modules/homebridge/dist/api.js';
import { effectiveLockOptions } from '../../../../src/config/lock-options.ts';
import type { LockId } from '../../../../src/domain/locks/lock.ts';
import { BrokerRecord } from '../../../../src/features/home-assistant/account/broker-record.ts';
import { MqttLocks } from '../../../../src/features/home-assistant/broker/mqtt-locks.ts';
import { USUAL_TOPICS } from '../../../../src/features/home-assistant/broker/topics.ts';
import { Matter } from '../../../../src/features/matter/node/matter-accessories.ts';
import { isMatterApi } from '../../../../src/features/matter/node/matter-api.ts';
import { NodePresence } from '../../../../src/features/matter/node/node-presence.ts';
import { Homekit } from '../../../../src/homekit/accessory-registry.ts';
import { lockOptionsFor } from '../../../../src/plugin/homekit-options.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { openPushedHome } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { StandInBroker } from '../../../stand-ins/broker/broker.ts';
import { MemoryValues } from '../../../stand-ins/database/values.ts';
import { StandInMatter } from '../../../stand-ins/homebridge/matter.ts';
import { DEFAULTS as AT_BROKER, PLAIN_ACCOUNT } from '../../features/home-assistant/broker/fixture.ts';
import { DEFAULTS, keptLabels } from '../../features/matter/node/fixture.ts';

type Hears = 'webhooks' | 'polling';
type Token = 'opaque' | 'jwt';

async function opened(hears: Hears, accessTokenForm: Token): Promise<SimulatedHome> {
  return hears === 'webhooks'
    ? openPushedHome({ accessTokenForm })
    : SimulatedHome.linked({ simulator: { authorization: { accessTokenForm } } });
}

/** What each way out says of a move, in its own words. */
interface Said {
  readonly broker: readonly [eventType: string, how: string];
  /** LockOperationTypeEnum and OperationSourceEnum of the Door Lock cluster. */
  readonly matter: readonly [type: number, source: number];
  /** LockLastKnownAction; null where HomeKit has no such value. */
  readonly home: number | null;
  readonly activity: readonly [to: string, method: string];
}

const OURS: Said = {
  broker: ['unlocked', 'own-command'],
  matter: [1, 2],
  home: 7,
  activity: ['unsecured', 'own-command'],
};
const HAND: Said = {
  broker: ['locked', 'thumbturn'],
  matter: [0, 1],
  home: 9,
  activity: ['secured', 'thumbturn'],
};

/** Shows one lock in Home, over Matter and at a broker, beside the activity list and the history, and keeps what they say. */
function everyWayOut(home: SimulatedHome, id: LockId) {
  const { app, clock, config } = home;
  const { runtime } = app;
  const parts = { runtime, clock, log: silentLog, subscribeOptions: () => () => {} };
  const options = effectiveLockOptions(config, {}, id);

  const accessories: PlatformAccessory[] = [];
  const api = new HomebridgeAPI();
  api.on(
    'registerPlatformAccessories' as 'shutdown',
    ((added: readonly PlatformAccessory[]) => accessories.push(...added)) as unknown as () => void,
  );
  const homekit = new Homekit({
    ...parts,
    api: api as API,
    optionsFor: () => lockOptionsFor(config, options),
    restored: [],
  });

  const shell = new StandInMatter();
  const matterApi: unknown = shell;
  if (!isMatterApi(matterApi)) {
    throw new Error('The pretended shell is not as expected');
  }
  const matter = new Matter({
    ...parts,
    api: matterApi,
    plugin: 'plugin',
    platform: 'Platform',
    uuidOf: (text) => text,
    optionsFor: () => DEFAULTS,
    pin: null,
    presence: new NodePresence({ ...parts, hasOnlyLocks: () => true }),
    labels: keptLabels(),
    restored: [],
  });

  const broker = new StandInBroker();
  const mqtt = new MqttLocks({
    ...parts,
    memory: new BrokerRecord({
      settings: new MemoryValues(),
      url: 'mqtt://broker',
      account: 'Latchkey',
      knownLocks: [],
      newId: () => 'a1b2c3d4',
      log: silentLog,
    }),
    topics: USUAL_TOPICS,
    onChange: () => {},
    openCarrier: () => broker,
    optionsFor: () => AT_BROKER,
    ...PLAIN_ACCOUNT,
    restart: () => ({ running: '0.1.0', installed: null, isNeeded: false }),
  });
  onTestFinished(async () => {
    homekit.dispose();
    matter.dispose();
    await mqtt.close();
  });

  const action = accessories
    .find(({ displayName }) => displayName === 'Front door')
    ?.getService(api.hap.Service.LockManagement)
    ?.getCharacteristic(api.hap.Characteristic.LockLastKnownAction);
  const actions: unknown[] = [];
  action?.on(
    'change' as never,
    (({ newValue }: { readonly newValue: unknown }) => {
      actions.push(newValue);
    }) as never,
  );

  return {
    /** The moves since then, as they were said: events in their order, the history the oldest first. */
    said: async () => {
      const events = broker.published.flatMap(({ topic, payload }) =>
        topic.includes(id) && topic.endsWith('/event') ? [JSON.parse(String(payload)) as EventMessage] : [],
      );
      const operations = [...shell.endpoints.values()]
        .flatMap(({ reports }) => reports)
        .flatMap(({ name, value }) => (name === 'lockOperation' ? [value as Operation] : []));
      const activity = (await app.operations.activity({})).flatMap(({ detail, lock }) =>
        lock?.id === id && detail.type === 'bolt' && detail.move !== null ? [detail.move] : [],
      );
      const { lines } = await app.operations.history({ lock: id, limit: 10, deviceTime: false });
      const history = lines.flatMap((line) =>
        line.what === 'secured' || line.what === 'unsecured' ? [[line.what, line.by.method]] : [],
      );
      const states = broker.published.flatMap(({ topic, payload }) =>
        topic.includes(id) && topic.endsWith('/state') ? [JSON.parse(String(payload)) as StateMessage] : [],
      );
      return {
        broker: events.map(({ event_type: type, how }) => [type, how]),
        matter: operations.map(({ lockOperationType, operationSource }) => [
          lockOperationType,
          operationSource,
        ]),
        home: [...actions],
        activity: activity.map(({ to, by }) => [to, by.method]),
        history: history.toReversed(),
        state: states.at(-1)?.moved_how ?? null,
        card: (await app.operations.locks({})).find((lock) => lock.id === id)?.lastMove?.by.method ?? null,
      };
    },
  };
}

interface EventMessage {
  readonly event_type: string;
  readonly how: string;
}

interface StateMessage {
  readonly moved_how: string | null;
}

interface Operation {
  readonly lockOperationType: number;
  readonly operationSource: number;
}

/** The same move or moves, as every way out says them. */
function said(...moves: readonly Said[]) {
  return {
    broker: moves.map(({ broker }) => broker),
    matter: moves.map(({ matter }) => matter),
    home: moves.flatMap(({ home }) => (home === null ? [] : [home])),
    activity: moves.map(({ activity }) => activity),
    history: moves.map(({ activity }) => activity),
    state: moves.at(-1)?.activity[1],
    card: moves.at(-1)?.activity[1],
  };
}

/** Our unlock, carried out. */
async function unlocked(home: SimulatedHome, id: LockId): Promise<void> {
  void home.app.runtime.request(id, 'unsecured');
  while (home.simulator.world.inspect(id).bolt !== 'Unlocked') {
    await home.clock.advance(100);
  }
}

const AFTERWARDS: readonly (readonly [string, string, object, Said])[] = [
  ['a quick hand', 'turn-thumbturn', {}, HAND],
  [
    'a code',
    'type-code',
    { code: '2580', to: 'Locked' },
    { broker: ['locked', 'access-code'], matter: [0, 3], home: 4, activity: ['secured', 'access-code'] },
  ],
  [
    'the button outside',
    'press-one-touch',
    {},
    { broker: ['locked', 'one-touch'], matter: [0, 5], home: 2, activity: ['secured', 'one-touch'] },
  ],
  [
    "another person's app",
    'use-virtual-key',
    { userId: 'guest-of-house', to: 'Locked' },
    { broker: ['locked', 'virtual-key'], matter: [0, 2], home: null, activity: ['secured', 'virtual-key'] },
  ],
];

describe.each([
  ['webhooks', 'opaque'],
  ['webhooks', 'jwt'],
  ['polling', 'opaque'],
  ['polling', 'jwt'],
] as const)('with %s and a token that is %s, every way out', (hears, token) => {
  it('says our command once, which its result, an event and the history tell of (faults#170)', async () => {
    const home = await opened(hears, token);
    const front = home.idOf('Front door');
    const ways = everyWayOut(home, front);
    await unlocked(home, front);
    await home.clock.advance(90_000);
    expect(await ways.said()).toEqual(said(OURS));
  });

  it.each(AFTERWARDS)(
    'says our command and, half a second behind it, %s: each once, with its own author (faults#170)',
    async (_, action, details, move) => {
      const home = await opened(hears, token);
      const front = home.idOf('Front door');
      const ways = everyWayOut(home, front);
      await unlocked(home, front);
      await home.clock.advance(500);
      await home.control(`locks/Front%20door/${action}`, details);
      await home.clock.advance(90_000);
      expect(await ways.said()).toEqual(said(OURS, move));
    },
  );
});

it.each(['opaque', 'jwt'] as const)(
  'a hand that was faster than our command is said by every way out, and no command, where an event tells of it and the token is %s (faults#170)',
  async (token) => {
    const home = await opened('webhooks', token);
    const front = home.idOf('Front door');
    const ways = everyWayOut(home, front);
    void home.app.runtime.request(front, 'unsecured');
    await home.clock.advance(100);
    await home.control('locks/Front%20door/turn-thumbturn', { to: 'Unlocked' });
    await home.clock.advance(90_000);
    expect(await ways.said()).toEqual(
      said({
        broker: ['unlocked', 'thumbturn'],
        matter: [1, 1],
        home: 10,
        activity: ['unsecured', 'thumbturn'],
      }),
    );
  },
);

it.each(['opaque', 'jwt'] as const)(
  'our command is said once by every way out, where its event comes after its result and the token is %s (faults#170)',
  async (token) => {
    const home = await opened('webhooks', token);
    const front = home.idOf('Front door');
    const ways = everyWayOut(home, front);
    await home.control('house/fail-deliveries', { kind: 'delay', often: { rate: 1 }, delayMs: 4_000 });
    await unlocked(home, front);
    await home.clock.advance(2_000);
    expect((await ways.said()).broker).toEqual([OURS.broker]);
    await home.clock.advance(90_000);
    expect(await ways.said()).toEqual(said(OURS));
  },
);

const FASTER: Said = {
  broker: ['unlocked', 'thumbturn'],
  matter: [1, 1],
  home: 10,
  activity: ['unsecured', 'thumbturn'],
};

it.each([
  ['polling', 'opaque'],
  ['polling', 'jwt'],
  ['webhooks', 'opaque'],
  ['webhooks', 'jwt'],
] as const)(
  'with %s and a token that is %s, a hand that was faster than our command and is told of later is one event, and what keeps an author names the hand (faults#170)',
  async (hears, token) => {
    const home = await opened(hears, token);
    const front = home.idOf('Front door');
    const ways = everyWayOut(home, front);
    await home.control('house/fail-deliveries', { kind: 'delay', often: { rate: 1 }, delayMs: 4_000 });
    void home.app.runtime.request(front, 'unsecured');
    await home.clock.advance(500);
    await home.control('locks/Front%20door/turn-thumbturn', { to: 'Unlocked' });
    await home.clock.advance(3_000);
    expect(home.app.runtime.lock(front)?.lastMove?.by.method).toBe('own-command');
    await home.clock.advance(90_000);
    expect(await ways.said()).toEqual({
      ...said(FASTER),
      broker: [OURS.broker],
      matter: [OURS.matter],
      home: [OURS.home, FASTER.home],
    });
  },
);
