// MQTT of one account: opened by its owner, shown to pages and other processes, with a login kept in the vault.
import { join } from 'node:path';
import type { ComposeParts } from '../../../app/account/compose-parts.ts';
import { RestartWatch } from '../../../app/account/restart-watch.ts';
import type { OwnedLink } from '../../../app/linking/owned-link.ts';
import { message } from '../../../domain/language/message.ts';
import type { Storage } from '../../../storage/storage.ts';
import { FinalError } from '../../../support/errors.ts';
import { isEncryptedBroker, type MqttConfig } from '../options/mqtt-config.ts';
import type { MqttApi, MqttView } from '../panel/views.ts';
import { BrokerLogin, type Login } from './broker-login.ts';
import { BrokerRecord, newAccountId } from './broker-record.ts';
import { type BrokeredAccount, MqttService } from './service.ts';

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

export class AccountMqtt implements MqttApi {
  readonly #parts;
  readonly #login: BrokerLogin | null;
  readonly #restart: RestartWatch;
  /** Null while this process does not own the account. */
  #service: MqttService | null = null;

  constructor(
    parts: Pick<ComposeParts, 'configFile' | 'homebridgeFolder' | 'clock' | 'random' | 'log'> & {
      readonly composition: BrokeredAccount & { readonly storage: Storage; readonly link: OwnedLink };
      /** The address of the account's pages; null without them. */
      readonly pagesUrl: () => string | null;
    },
  ) {
    this.#parts = parts;
    const { config, storage } = parts.composition;
    this.#restart = new RestartWatch(
      parts.configFile ?? join(parts.homebridgeFolder, 'config.json'),
      config.name,
    );
    this.#login = config.mqtt === null ? null : new BrokerLogin(config.mqtt, storage.secrets);
  }

  /** Opens the connection, if the configuration wants one. */
  open(): void {
    const { composition } = this.#parts;
    const { mqtt } = composition.config;
    if (mqtt === null || this.#service !== null) {
      return;
    }
    this.#service = new MqttService({
      ...this.#parts,
      ...composition,
      mqtt,
      memory: () => this.#memory(mqtt),
      restart: () => this.#restart.facts(),
      login: () => this.#login?.current() ?? null,
    });
    this.#service.open();
  }

  async close(): Promise<void> {
    // The locks of a demo are gone for good when it ends.
    await this.#close(this.#parts.composition.config.demo);
  }

  /** Takes the account's devices and topics from the broker. */
  async closeForGood(): Promise<void> {
    await this.#close(true);
  }

  async #close(isForGood: boolean): Promise<void> {
    const service = this.#service;
    this.#service = null;
    await service?.close({ isForGood });
  }

  status(): MqttView {
    const { mqtt } = this.#parts.composition.config;
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
    const { composition, log } = this.#parts;
    const { storage, config } = composition;
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
    this.#parts.composition.link.assertOwned();
    this.#login.keep(login);
    await this.#service?.renew();
    return this.status();
  }
}
