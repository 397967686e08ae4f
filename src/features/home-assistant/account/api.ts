// MQTT of one account: opened by its owner, shown to pages and other processes, with a login kept in the vault.
import { join } from 'node:path';
import type { FeatureAccount, OpenFeature, ServedAccount } from '../../../app/features.ts';
import { message } from '../../../domain/language/message.ts';
import { RestartWatch } from '../../../installation/restart-watch.ts';
import { FinalError } from '../../../support/errors.ts';
import { byLabel, type Metric, single } from '../../../support/server/prometheus.ts';
import { isEncryptedBroker, type MqttConfig } from '../options/mqtt-config.ts';
import type { MqttApi, MqttView } from '../panel/views.ts';
import { BrokerLogin, type Login } from './broker-login.ts';
import { BrokerRecord, identifyAtLinking, newAccountId } from './broker-record.ts';
import { MqttService } from './service.ts';

const OFF: MqttView = {
  broker: null,
  encrypted: false,
  state: 'off',
  trouble: null,
  homeAssistant: false,
  loginFrom: null,
  username: null,
  topics: null,
  refused: {},
};

export class AccountMqtt implements MqttApi, OpenFeature {
  readonly #account: FeatureAccount;
  readonly #login: BrokerLogin | null;
  readonly #restart: RestartWatch;
  /** Null while this process does not own the account. */
  #service: MqttService | null = null;

  constructor(account: FeatureAccount) {
    this.#account = account;
    const { config, storage, configFile, homebridgeFolder } = account;
    this.#restart = new RestartWatch(configFile ?? join(homebridgeFolder, 'config.json'), config.name);
    this.#login = config.mqtt === null ? null : new BrokerLogin(config.mqtt, storage.secrets);
  }

  linking(): void {
    const { storage, config, log } = this.#account;
    identifyAtLinking(storage.settings, config.name, log);
  }

  /** Opens the connection, if the configuration wants one. */
  serve(served: ServedAccount): void {
    const { mqtt } = this.#account.config;
    if (mqtt === null || this.#service !== null) {
      return;
    }
    this.#service = new MqttService({
      ...this.#account,
      ...served,
      mqtt,
      memory: () => this.#memory(mqtt),
      restart: () => this.#restart.facts(),
      login: () => this.#login?.current() ?? null,
    });
    this.#service.open();
  }

  metrics(): readonly Metric[] {
    const { broker, state, refused } = this.status();
    const isConnected = state === 'connected' ? 1 : 0;
    const refusedHelp = 'Refused commands over MQTT, as docs/operate/mqtt.md names the reasons.';
    return broker === null
      ? []
      : [
          single('latchkey_mqtt_connected', 'gauge', '1 while the broker is connected.', isConnected),
          byLabel('latchkey_mqtt_refused_total', 'counter', refusedHelp, 'reason', refused),
        ];
  }

  ending(): { readonly broker: string | null } {
    return { broker: this.status().broker };
  }

  /** Takes the account's devices and topics from the broker. */
  async end(): Promise<{ readonly broker: string | null }> {
    const { broker, state } = this.status();
    await this.#close(true);
    return { broker: state === 'connected' ? null : broker };
  }

  async close(): Promise<void> {
    // The locks of a demo are gone for good when it ends.
    await this.#close(this.#account.config.demo);
  }

  async #close(isForGood: boolean): Promise<void> {
    const service = this.#service;
    this.#service = null;
    await service?.close({ isForGood });
  }

  status(): MqttView {
    const { mqtt } = this.#account.config;
    if (mqtt === null) {
      return OFF;
    }
    const { protocol, host } = new URL(mqtt.url);
    return {
      broker: `${protocol}//${host}`,
      encrypted: isEncryptedBroker(mqtt.url),
      ...(this.#service?.state() ?? { state: 'off', trouble: null, topics: null, refused: {} }),
      homeAssistant: mqtt.homeAssistant,
      loginFrom: this.#login?.from ?? null,
      username: this.#login?.current()?.username ?? null,
    };
  }

  #memory({ url }: MqttConfig): BrokerRecord {
    const { storage, config, log } = this.#account;
    return new BrokerRecord({
      settings: storage.settings,
      url,
      account: config.name,
      knownLocks: storage.knownLocks.all().map(({ id }) => id),
      newId: newAccountId,
      log,
    });
  }

  async login(login: Login | null): Promise<MqttView> {
    if (this.#login === null) {
      throw new FinalError(
        'bad-request',
        message('MQTT is off. Enter a "Broker" ({option}), then restart.', { option: 'mqtt.url' }),
      );
    }
    this.#account.assertOwned();
    this.#login.save(login);
    await this.#service?.renew();
    return this.status();
  }
}
