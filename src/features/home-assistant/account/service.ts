// MQTT for one account: loads the client, opens the locks at the broker, and reports faults.

import type { FeatureAccount, ServedAccount } from '../../../app/features.ts';
import type { RestartFacts } from '../../../domain/account/restart-facts.ts';
import type { Message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { SourcedValues } from '../../../domain/locks/settings.ts';
import type { BrokerOptions } from '../../../mqtt/broker-options.ts';
import type { CancelTimer } from '../../../support/clock.ts';
import { messageOf, wordsOf } from '../../../support/errors.ts';
import { readOptionFile } from '../../../support/files/option-file.ts';
import { t } from '../../../words/translate.ts';
import type { BrokerMemory } from '../broker/broker-memory.ts';
import type { RefusalCounts } from '../broker/command-refusals.ts';
import type { MqttLockOptions } from '../broker/lock-options.ts';
import type { CarrierNeeds, MqttLocks } from '../broker/mqtt-locks.ts';
import type { MqttConfig } from '../options/mqtt-config.ts';
import type { Login } from './broker-login.ts';

/** Delay before the start, in milliseconds (our choice): it loads much code while Home reads all its locks. */
const OPENS_AFTER_MS = 1_000;

/** Commands that may wait for their acknowledgement at once (our choice). */
const RECEIVE_AT_MOST = 32;

/** The pause between attempts to connect, in milliseconds (our choice): a broker that came back shows old states until we do. */
const LONGEST_PAUSE_MS = 5_000;

export interface MqttServiceState {
  readonly state: 'starting' | 'connecting' | 'connected' | 'waiting';
  readonly trouble: Message | null;
  /** What every topic of the account begins with; null before the start. */
  readonly topics: string | null;
  readonly refused: RefusalCounts;
}

export class MqttService {
  readonly #parts;
  #locks: MqttLocks | null = null;
  /** Why it could not be opened; null otherwise. */
  #obstacle: Message | null = null;
  #cancel: CancelTimer | null = null;
  #opening: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    parts: Pick<FeatureAccount, 'config' | 'emit' | 'clock' | 'random' | 'log'> &
      ServedAccount & {
        readonly mqtt: MqttConfig;
        /** Opens what the account remembers of this broker. Throws `storage-failed` on a disk error. */
        readonly memory: () => BrokerMemory;
        readonly restart: () => RestartFacts;
        readonly login: () => Login | null;
      },
  ) {
    this.#parts = parts;
  }

  open(): void {
    this.#cancel = this.#parts.clock.after(OPENS_AFTER_MS, () => {
      this.#opening = this.#open();
    });
  }

  state(): MqttServiceState {
    const locks = this.#locks;
    const state = locks?.state;
    const rest = { topics: locks?.base ?? null, refused: locks?.refused ?? {} };
    if (locks === null || state === undefined || state.kind === 'closed') {
      return { state: 'starting', trouble: this.#obstacle, ...rest };
    }
    return { state: state.kind, trouble: state.kind === 'waiting' ? state.reason : locks.trouble, ...rest };
  }

  /** Ends the connection and opens it with the login of now. One at a time: a second connection would hear each command, too. */
  async renew(): Promise<void> {
    this.#cancel?.();
    this.#opening = this.#opening.then(async () => this.#reopen());
    await this.#opening;
  }

  /** `isForGood`: takes its devices and topics from the broker. */
  async close({ isForGood }: { readonly isForGood: boolean }): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#opening;
    await this.#locks?.close(isForGood);
  }

  async #reopen(): Promise<void> {
    await this.#locks?.close();
    this.#locks = null;
    await this.#open();
  }

  /** Never rejects: without MQTT, everything else goes on. */
  async #open(): Promise<void> {
    const { log } = this.#parts;
    try {
      this.#obstacle = null;
      this.#locks = this.#closed ? null : await this.#openLocks();
    } catch (error) {
      const why = wordsOf(error);
      this.#obstacle = why;
      log.warn(`${t('MQTT is not started.')} ${t(why)}`);
    }
    this.#report();
  }

  /** The connection, or the reason for none, has changed. */
  readonly #report = (): void => {
    this.#parts.emit({ type: 'mqtt' });
  };

  readonly #subscribeOptions = (listener: (id: LockId) => void): (() => void) =>
    this.#parts.subscribe((event) => {
      if (event.type === 'lock-settings') {
        listener(event.id);
      }
    });

  async #openLocks(): Promise<MqttLocks | null> {
    const { mqtt: options, config, booked, runtime, lockOptions, clock, random, log } = this.#parts;
    const { MqttLocks, loadMqtt, openMqttCarrier } = await loadModules();
    const mqtt = await loadMqtt();
    if (this.#closed) {
      return null;
    }
    const tls = brokerTls(options);
    const login = this.#parts.login();
    return new MqttLocks({
      memory: this.#parts.memory(),
      topics: options.topics,
      account: config.name,
      stays: booked,
      guests: options.accessCodes ? runtime.guests : null,
      remotePin: config.remotePin,
      pagesUrl: this.#parts.pagesUrl(),
      runtime,
      onChange: this.#report,
      openCarrier: (needs) => {
        const carrier = openMqttCarrier({
          mqtt,
          options: brokerOptions(options, tls, login, needs),
          clock,
          random,
          longestPauseMs: LONGEST_PAUSE_MS,
          log,
        });
        carrier.subscribeState(this.#report);
        return carrier;
      },
      optionsFor: (id) => optionsAtBroker(options, lockOptions(id)),
      subscribeOptions: this.#subscribeOptions,
      homeAssistant: options.homeAssistant,
      evidenceMaxAgeMs: config.evidenceMaxAgeMs,
      version: this.#parts.restart().running,
      restart: this.#parts.restart,
      clock,
      log,
    });
  }
}

/** The client is loaded only here: homes without MQTT do not pay for it. */
async function loadModules() {
  const [{ MqttLocks }, { loadMqtt }, { openMqttCarrier }] = await Promise.all([
    import('../broker/mqtt-locks.ts'),
    import('../../../mqtt/mqtt-package.ts'),
    import('../../../mqtt/mqtt-carrier.ts'),
  ]);
  return { MqttLocks, loadMqtt, openMqttCarrier };
}

function brokerOptions(
  config: MqttConfig,
  tls: BrokerOptions['tls'],
  login: Login | null,
  { clientId, will, subscriptions }: CarrierNeeds,
): BrokerOptions {
  // No session outlives its connection: a command that waited for us would come too late.
  const session = { clientId, expirySeconds: 0, receiveAtMost: RECEIVE_AT_MOST };
  return { url: new URL(config.url), tls, login, session, will, subscriptions };
}

/** A broker does not tell administrators apart, so such a lock is never unlocked over MQTT. */
function optionsAtBroker({ commands }: MqttConfig, options: SourcedValues): MqttLockOptions {
  return {
    hidden: options.hide.value,
    name: options.name.value,
    commands: commands === 'both' && options.adminOnly.value ? 'lockOnly' : commands,
    remoteUnlock: options.remoteUnlock.value,
    lowBattery: options.lowBattery.value,
  };
}

/** Certificates and keys, read anew at each opening. Throws `bad-configuration` for a file that cannot be read. */
function brokerTls({ caFile, clientCertificate }: MqttConfig): BrokerOptions['tls'] {
  return {
    ca: caFile === null ? null : readOptionFile(caFile, 'mqtt.ca'),
    client:
      clientCertificate === null
        ? null
        : {
            certificate: readOptionFile(clientCertificate.certFile, 'mqtt.certFile'),
            key: readOptionFile(clientCertificate.keyFile, 'mqtt.keyFile'),
          },
  };
}

/** Why MQTT cannot be started at all, with the next step; null when only the broker can prevent it. */
export function mqttObstacle(config: MqttConfig): string | null {
  try {
    brokerTls(config);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
