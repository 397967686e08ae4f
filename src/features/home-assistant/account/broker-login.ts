// The login at the MQTT broker: of config.json, or one that a page has kept in the vault for this broker only.
import { createHash } from 'node:crypto';
import { message } from '../../../domain/language/message.ts';
import type { KeptValues } from '../../../storage/account/settings.ts';
import { FinalError } from '../../../support/errors.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { MqttConfig } from '../options/mqtt-config.ts';

const KEY = 'mqtt.login';

export type Login = NonNullable<MqttConfig['login']>;

export class BrokerLogin {
  readonly #config: MqttConfig;
  readonly #secrets: Pick<KeptValues, 'read' | 'write' | 'erase'>;
  /** A login kept for one broker is never sent to another. */
  readonly #broker: string;

  constructor(config: MqttConfig, secrets: Pick<KeptValues, 'read' | 'write' | 'erase'>) {
    this.#config = config;
    this.#secrets = secrets;
    this.#broker = createHash('sha256').update(config.url).digest('hex');
  }

  get from(): 'config' | 'page' | null {
    if (this.#config.login !== null) {
      return 'config';
    }
    return this.#kept() === null ? null : 'page';
  }

  /** Null: the broker is used without one. */
  current(): Login | null {
    return this.#config.login ?? this.#kept();
  }

  /** Null forgets it. Throws `bad-request` where config.json has one. */
  save(login: Login | null): void {
    if (this.#config.login !== null) {
      throw new FinalError(
        'bad-request',
        message('{option} is set in config.json; change it there.', { option: 'mqtt.username' }),
      );
    }
    if (login === null) {
      this.#secrets.erase(KEY);
    } else {
      this.#secrets.write(KEY, { ...login, broker: this.#broker });
    }
  }

  #kept(): Login | null {
    const record = this.#secrets.read(KEY);
    if (!isObject(record) || record['broker'] !== this.#broker) {
      return null;
    }
    const { username, password } = record;
    return typeof username === 'string' && (typeof password === 'string' || password === null)
      ? { username, password }
      : null;
  }
}
