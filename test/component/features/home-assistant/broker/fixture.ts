// Locks at a real broker beside an account that a test moves by hand, and Home Assistant at the other side.

import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RestartFacts } from '../../../../../src/domain/account/restart-facts.ts';
import type { BoltPosition } from '../../../../../src/domain/locks/bolt.ts';
import { type LockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import type { Instant } from '../../../../../src/domain/time/instant.ts';
import { BrokerRecord } from '../../../../../src/features/home-assistant/account/broker-record.ts';
import type { MqttLockOptions } from '../../../../../src/features/home-assistant/broker/lock-options.ts';
import {
  MqttLocks,
  type MqttLocksParts,
} from '../../../../../src/features/home-assistant/broker/mqtt-locks.ts';
import { USUAL_TOPICS } from '../../../../../src/features/home-assistant/broker/topics.ts';
import { type Clock, systemClock } from '../../../../../src/support/clock.ts';
import { type Mosquitto, startMosquitto } from '../../../../harness/mosquitto.ts';
import { describedAs, FRONT, StandInRuntime } from '../../../../stand-ins/account/runtime.ts';
import { MemoryValues } from '../../../../stand-ins/database/values.ts';
import { HomeAssistant } from '../../../../support/home-assistant.ts';
import { keptLog } from '../../../../support/kept-log.ts';
import { carrierAt } from '../../../../support/mqtt-carrier.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

export const DEFAULTS: MqttLockOptions = {
  hidden: false,
  name: null,
  commands: 'both',
  remoteUnlock: true,
  lowBattery: 20,
};

/** Of the account, and what its topics begin with. */
/** An account without a PIN, pages, stays and guests. */
export const PLAIN_ACCOUNT = {
  homeAssistant: true,
  account: 'Latchkey',
  remotePin: null,
  pagesUrl: null,
  stays: { calendars: () => [], list: () => [], subscribe: () => () => {} },
  guests: null,
  evidenceMaxAgeMs: 900_000,
  version: '0.1.0',
} satisfies Partial<MqttLocksParts>;

const ID = 'a1b2c3d4';
export const BASE = `latchkey/Latchkey-${ID}`;

/** Pauses between attempts pass a hundred times as fast, and so does the time that a connection has to be old. */
export const hasty: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 100,
  after: (delayMs, callback) => systemClock.after(delayMs / 100, callback),
};

/** Ten times as fast: another publisher counts for six seconds, and a busy broker may be silent for one. */
export const brisk: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 10,
  after: (delayMs, callback) => systemClock.after(delayMs / 10, callback),
};

/** A runtime whose service's time goes on by itself. */
export class LiveRuntime extends StandInRuntime {
  /** How far the service's time is ahead of this machine's, in milliseconds. */
  aheadMs = 0;

  constructor() {
    super(Date.now() - 2_000);
  }

  override serviceNow(): Instant | null {
    return super.serviceNow() === null ? null : Date.now() + this.aheadMs;
  }
}

export interface BrokerHome {
  readonly broker: Mosquitto;
  readonly runtime: LiveRuntime;
  readonly kept: MemoryValues;
  /** What an account keeps that is called "Latchkey" and has this id. */
  memory(kept?: MemoryValues, id?: string, known?: readonly LockId[]): BrokerRecord;
  readonly ha: HomeAssistant;
  readonly lines: readonly string[];
  options: MqttLockOptions;
  /** The changes that a restart would bring. */
  restart: RestartFacts;
  /** Begins to show the locks, with the options of now. */
  open(parts?: Partial<MqttLocksParts>): MqttLocks;
  readonly openCarrier: MqttLocksParts['openCarrier'];
  configure(options: MqttLockOptions): void;
}

/** One lock, "Front door", locked and confirmed by a poll. */
export async function brokerHome(lines: readonly string[] = []): Promise<BrokerHome> {
  const broker = await startMosquitto({ folder: join(temporaryFolder(), 'broker'), lines });
  const ha = await HomeAssistant.connect(broker.url);
  const runtime = new LiveRuntime();
  const kept = new MemoryValues();
  runtime.add(unknownLock(FRONT, describedAs('Front door')));
  reportPosition(runtime, 'secured');
  const logged: string[] = [];
  const log = keptLog(logged);
  const listeners = new Set<(id: typeof FRONT) => void>();
  const home: BrokerHome = {
    broker,
    runtime,
    kept,
    ha,
    lines: logged,
    options: DEFAULTS,
    restart: { running: '0.1.0', installed: null, isNeeded: false },
    memory: (values = kept, id = ID, knownLocks = []) =>
      new BrokerRecord({
        settings: values,
        url: broker.url.href,
        account: 'Latchkey',
        knownLocks,
        newId: () => id,
        log,
      }),
    openCarrier: ({ clientId, will, subscriptions }) =>
      carrierAt(
        broker.url,
        { session: { clientId, expirySeconds: 0, receiveAtMost: 16 }, will, subscriptions },
        { pauseClock: hasty, log },
      ),
    open(parts = {}) {
      const locks = new MqttLocks({
        memory: home.memory(),
        topics: USUAL_TOPICS,
        runtime,
        onChange: () => {},
        openCarrier: home.openCarrier,
        optionsFor: () => home.options,
        subscribeOptions: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        ...PLAIN_ACCOUNT,
        restart: () => home.restart,
        clock: hasty,
        log,
        ...parts,
      });
      onTestFinished(async () => locks.close());
      return locks;
    },
    configure(options) {
      home.options = options;
      for (const listener of listeners) {
        listener(FRONT);
      }
    },
  };
  onTestFinished(async () => {
    ha.close();
    await broker.stop();
  });
  return home;
}

/** The same, opened with these parts; Home Assistant shows the lock. */
export async function servedHome(
  parts: Partial<MqttLocksParts> = {},
  lines: readonly string[] = [],
): Promise<BrokerHome & { readonly locks: MqttLocks }> {
  const home = await brokerHome(lines);
  const locks = home.open(parts);
  await shows(home, 'lock', 'locked');
  return Object.assign(home, { locks });
}

/** Resolves when Home Assistant shows this state of an entity. */
export async function shows(
  { ha }: BrokerHome,
  key: string,
  state: string | undefined,
  name = 'Front door',
): Promise<void> {
  await expect.poll(() => ha.shows(name, key)).toBe(state);
}

/** The position is polled, so that moves after it count as recent. */
export function reportPosition(runtime: StandInRuntime, bolt: BoltPosition): void {
  runtime.report(FRONT, {
    source: 'poll',
    bolt,
    connected: true,
    battery: { grade: 'normal', percent: 87 },
    wifiDbm: -58,
  });
}
