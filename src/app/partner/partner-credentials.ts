// The credentials in force, looked up on every use: those of config.json, completed by those that a page stored.
import type { PartnerConfig, WrittenCredentials } from '../../config/config.ts';
import {
  CREDENTIALS,
  type CredentialName,
  type Credentials,
  type CredentialsReading,
  changedCredentials,
  completeCredentials,
  isWritten,
  NO_CREDENTIALS,
  readKeptCredentials,
} from '../../config/credentials.ts';
import { featureAddresses } from '../../config/options/feature-options.ts';
import { problemSentences } from '../../config/options/problem-line.ts';
import { message } from '../../domain/language/message.ts';
import { serviceDigest } from '../../linking/service-digest.ts';
import type { KeptFrom, PartnerApi, PartnerView } from '../../panel/views/partner.ts';
import type { KeptValues } from '../../storage/account/settings.ts';
import { Emitter } from '../../support/emitter.ts';
import { FinalError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { isPrivateHost } from '../../support/server/private-hosts.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { waitingForCredentials } from '../../words/account.ts';

const KEY = 'partner.credentials';

/** The stored credentials, with the digest of the service for which they were entered: no other service gets them. */
interface KeptCredentials extends WrittenCredentials {
  readonly service: string;
}

export class PartnerCredentials implements PartnerApi {
  readonly #parts;
  readonly #changes: Emitter<CredentialsReading>;
  /** The credentials that a page stored for the service that config.json names. */
  #kept: WrittenCredentials = NO_CREDENTIALS;
  #holdsAnothers = false;
  #reading: CredentialsReading;

  /** Throws a retry error (`storage-failed`) when the vault cannot be read. */
  constructor(parts: {
    readonly partner: PartnerConfig;
    readonly secrets: Pick<KeptValues, 'read' | 'write'>;
    /** Throws unless this process owns the account: only the owner writes. */
    readonly assertOwned: () => void;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.log);
    this.#reading = this.#read();
  }

  /** Empty when nothing is missing. */
  get missing(): readonly string[] {
    return this.#reading.ok ? [] : this.#reading.missing;
  }

  /** Whether some are missing, while there are such as a page has kept for another service. */
  get lacksAnothers(): boolean {
    return this.#holdsAnothers && this.missing.length > 0;
  }

  /** Throws `bad-configuration`, which names the missing credentials and where to enter them. */
  readonly require = (): Credentials => {
    if (!this.#reading.ok) {
      throw new FinalError('bad-configuration', waitingForCredentials(this.#reading.missing));
    }
    return this.#reading.credentials;
  };

  /** The subscription keys alone, for calls that need no client. Throws as `require` does. */
  readonly requireKeys = (): readonly string[] => {
    const { subscriptionKeys } = this.#inForce();
    if (subscriptionKeys.length === 0) {
      throw new FinalError('bad-configuration', waitingForCredentials(['partner.subscriptionKeys']));
    }
    return subscriptionKeys;
  };

  /** Calls `listener` when other credentials are in force, until the returned function is called. */
  subscribe(listener: (reading: CredentialsReading) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Reads the vault again, as each time this process becomes the owner. Throws when it cannot be read. */
  reload(): void {
    this.#adopt(this.#read());
  }

  show(): PartnerView {
    const { partner } = this.#parts;
    const { authUrl, baseUrl, redirectUri } = partner;
    const { clientId, subscriptionKeys } = this.#inForce();
    return {
      authUrl,
      baseUrl,
      ...featureAddresses(partner.features),
      redirectUri,
      simulated: partner.allowInsecureLoopback && isPrivateHost(new URL(authUrl).hostname),
      clientId: { from: this.#from('clientId'), value: clientId },
      clientSecret: { from: this.#from('clientSecret') },
      subscriptionKeys: { from: this.#from('subscriptionKeys'), count: subscriptionKeys.length },
      missing: this.missing,
    };
  }

  save(change: Readonly<Record<string, unknown>>): PartnerView {
    const { partner, secrets, assertOwned } = this.#parts;
    assertOwned();
    const changed = changedCredentials(partner.credentials, this.#kept, change);
    if (!changed.ok) {
      throw new FinalError(
        'bad-request',
        message('Nothing was kept. {problems}', { problems: problemSentences(changed.problems) }),
      );
    }
    // An empty change must not erase the credentials of a former service.
    if (Object.values(change).some((value) => value !== undefined)) {
      // All credentials are one value, so that a failing disk leaves no mixture of old and new.
      const service = serviceDigest(partner);
      secrets.write(KEY, { ...changed.credentials, service } satisfies KeptCredentials);
      this.reload();
    }
    return this.show();
  }

  #inForce(): WrittenCredentials {
    const { credentials } = this.#parts.partner;
    return {
      clientId: credentials.clientId ?? this.#kept.clientId,
      clientSecret: credentials.clientSecret ?? this.#kept.clientSecret,
      subscriptionKeys: isWritten(credentials, 'subscriptionKeys')
        ? credentials.subscriptionKeys
        : this.#kept.subscriptionKeys,
    };
  }

  #from(name: CredentialName): KeptFrom {
    if (isWritten(this.#parts.partner.credentials, name)) {
      return 'config';
    }
    return isWritten(this.#kept, name) ? 'page' : null;
  }

  #read(): CredentialsReading {
    const { partner, secrets } = this.#parts;
    const record = secrets.read(KEY);
    const kept = isObject(record) ? readKeptCredentials(record) : NO_CREDENTIALS;
    const isOurs = isObject(record) && record['service'] === serviceDigest(partner);
    this.#kept = isOurs ? kept : NO_CREDENTIALS;
    this.#holdsAnothers = !isOurs && CREDENTIALS.some((name) => isWritten(kept, name));
    return completeCredentials(partner.credentials, this.#kept);
  }

  #adopt(reading: CredentialsReading): void {
    const changed = JSON.stringify(reading) !== JSON.stringify(this.#reading);
    this.#reading = reading;
    if (changed) {
      this.#changes.emit(reading);
    }
  }
}
