// Composes the credentialing interface of one account, for the owner's pages and for a command line without an owner.

import type { FeatureAccount } from '../../../app/features.ts';
import { PartnerCredentials } from '../../../app/partner/partner-credentials.ts';
import { verdictOn } from '../../../cloud/service-checkup.ts';
import type { Verdict } from '../../../domain/account/service-check.ts';
import { message } from '../../../domain/language/message.ts';
import type { Account } from '../../../installation/installation.ts';
import { accountPlace } from '../../../installation/place.ts';
import { openStorage } from '../../../storage/storage.ts';
import type { Clock } from '../../../support/clock.ts';
import { FinalError } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import type { CallOptions } from '../client/credential-gateway.ts';
import { CredentialingClient } from '../client/credentialing-client.ts';
import type { InterfaceLogin } from '../client/credentialing-session.ts';
import { CredentialImport } from '../import/credential-import.ts';
import { CredentialIssuer } from '../import/credential-issuer.ts';
import { SqliteCreateAttempts } from '../tables/create-attempts.ts';
import { SqliteRateWindows } from '../tables/rate-windows.ts';
import { CredentialingLogin, type LoginFrom } from './login.ts';
import { type InterfaceConfig, interfaceIn } from './options.ts';

/** A check does not wait for a window to reset, in milliseconds (our choice). */
const LONGEST_WAIT_MS = 3_000;

export class Credentialing {
  readonly client: CredentialingClient;
  readonly issuer: CredentialIssuer;
  readonly importer: CredentialImport;
  readonly #login: CredentialingLogin;

  /** Throws a final error when the address may not be called. */
  constructor(
    written: InterfaceConfig,
    {
      partner,
      subscriptionKeys,
      storage,
      clock,
    }: Pick<FeatureAccount, 'partner' | 'subscriptionKeys' | 'storage' | 'clock'>,
  ) {
    const windows = storage.openFeature(({ quick }) => new SqliteRateWindows(quick));
    const attempts = storage.openFeature(({ durable }) => new SqliteCreateAttempts(durable));
    this.#login = new CredentialingLogin(written, storage.secrets);
    this.client = new CredentialingClient({
      credentialsUrl: written.url,
      allowInsecureLoopback: partner.allowInsecureLoopback,
      subscriptionKeys,
      login: this.#login.require,
      tokens: this.#login,
      windows,
      clock,
    });
    const shared = { gateway: this.client, attempts, clock };
    this.issuer = new CredentialIssuer(shared);
    this.importer = new CredentialImport({ ...shared, windows });
  }

  get loginFrom(): LoginFrom {
    return this.#login.from;
  }

  /**
   * Logs in with a pair, and keeps it when the service takes it; null: with the one that is in force. Rejects with
   * `bad-configuration` when the service refuses it.
   */
  async login(pair: InterfaceLogin | null, options: CallOptions = {}): Promise<void> {
    if (pair !== null && this.loginFrom === 'config') {
      throw new FinalError(
        'bad-configuration',
        message(
          'config.json has a login of the credentialing interface, which wins. Change it there, or take it out.',
        ),
      );
    }
    await this.client.login(pair ?? this.#login.require(), options);
    if (pair !== null) {
      this.#login.save(pair);
    }
  }

  /** Whether the interface answers and takes the login. Never rejects. */
  async check(): Promise<Verdict> {
    return verdictOn(this.client.list({ longestWaitMs: LONGEST_WAIT_MS }));
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** For a tool beside the account's owner: rate windows and tokens are shared through the database. */
export interface OwnCredentialing {
  readonly credentialing: Credentialing;
  close(): Promise<void>;
}

/** Throws a final error (`bad-configuration`) that names the missing options, or as `openStorage` does. */
export function openCredentialing({ config, folder }: Account, clock: Clock, log: Log): OwnCredentialing {
  const { partner } = config;
  const written = partner === null ? null : interfaceIn(partner.features);
  if (partner === null || written === null) {
    throw noInterface(config.name, partner === null ? config.missing : ['partner.credentialsUrl']);
  }
  const path = accountPlace(folder, config).databaseFile;
  const storage = openStorage({ path, clock, log });
  try {
    const keys = new PartnerCredentials({
      partner,
      secrets: storage.secrets,
      assertOwned: () => {
        throw new FinalError('not-owner', message('Only the owner of the account changes its credentials.'));
      },
      log,
    });
    const account = { partner, subscriptionKeys: keys.requireKeys, storage, clock };
    const credentialing = new Credentialing(written, account);
    return {
      credentialing,
      close: async () => {
        await credentialing.close();
        storage.close();
      },
    };
  } catch (error) {
    storage.close();
    throw error;
  }
}

function noInterface(name: string, options: readonly string[]): FinalError {
  return new FinalError(
    'bad-configuration',
    message('"{name}" has no credentialing interface yet. Missing: {options}.', { name, options }),
  );
}
