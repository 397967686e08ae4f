// Keeps the login of the credentialing interface and its token in the vault, for one service only.
import { createHash } from 'node:crypto';
import { message } from '../../../domain/language/message.ts';
import type { KeptValues } from '../../../storage/account/settings.ts';
import { FinalError } from '../../../support/errors.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { InterfaceLogin, StoredToken, TokenStore } from '../client/credentialing-session.ts';
import type { InterfaceConfig } from './options.ts';

const LOGIN_KEY = 'credentialing.login';
const TOKEN_KEY = 'credentialing.token';

const NO_LOGIN = message(
  'There is no login of the credentialing interface yet. Enter it with: {command}, or in config.json ({username} and {password}).',
  {
    command: 'npx homebridge-latchkey credentials login',
    username: 'partner.credentialsUsername',
    password: 'partner.credentialsPassword',
  },
);

/** Where the login in force comes from; null without one. */
export type LoginFrom = 'config' | 'vault' | null;

export class CredentialingLogin implements TokenStore {
  readonly #written: InterfaceLogin | null;
  readonly #secrets: Pick<KeptValues, 'read' | 'write' | 'erase'>;
  /** Secrets kept for one address are never sent to another. */
  readonly #service: string;

  constructor({ url, login }: InterfaceConfig, secrets: Pick<KeptValues, 'read' | 'write' | 'erase'>) {
    this.#written = login;
    this.#secrets = secrets;
    this.#service = createHash('sha256').update(url).digest('hex');
  }

  get from(): LoginFrom {
    if (this.#written !== null) {
      return 'config';
    }
    return this.#kept() === null ? null : 'vault';
  }

  /** The login in force. Throws `bad-configuration`, which says where to enter it, while there is none. */
  readonly require = (): InterfaceLogin => {
    const login = this.#written ?? this.#kept();
    if (login === null) {
      throw new FinalError('bad-configuration', NO_LOGIN);
    }
    return login;
  };

  /** Stores a login that the service has accepted. */
  save({ username, password }: InterfaceLogin): void {
    this.#secrets.write(LOGIN_KEY, { username, password, service: this.#service });
  }

  read(): StoredToken | null {
    const record = this.#secrets.read(TOKEN_KEY);
    if (!isObject(record) || record['service'] !== this.#service) {
      return null;
    }
    const { token, username, expiresAt } = record;
    return typeof token === 'string' && typeof username === 'string' && typeof expiresAt === 'number'
      ? { token, username, expiresAt }
      : null;
  }

  write(token: StoredToken | null): void {
    if (token === null) {
      this.#secrets.erase(TOKEN_KEY);
    } else {
      this.#secrets.write(TOKEN_KEY, { ...token, service: this.#service });
    }
  }

  #kept(): InterfaceLogin | null {
    const record = this.#secrets.read(LOGIN_KEY);
    if (!isObject(record) || record['service'] !== this.#service) {
      return null;
    }
    const { username, password } = record;
    return typeof username === 'string' && typeof password === 'string' ? { username, password } : null;
  }
}
