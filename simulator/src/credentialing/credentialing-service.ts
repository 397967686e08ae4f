// The credentialing interface without HTTP: its operations, users, windows and the switches a test may turn.
import { readCardCredential, readLogin, readNoTourPayloads, readRawCredential } from './credential-fields.ts';
import { CredentialStore } from './credential-store.ts';
import { type CredentialingSettings, DEFAULT_CREDENTIALING_SETTINGS } from './credentialing-settings.ts';
import { type CredentialingUser, Logins, TOKEN_LIFETIME_SECONDS } from './logins.ts';
import { OPERATIONS, type OperationName, RATE_WINDOW_MS } from './operations.ts';
import { type RateVerdict, RateWindows } from './rate-windows.ts';
import { CredentialingRefusal } from './refusal.ts';

export interface CredentialingOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly newToken: () => string;
  readonly users: readonly CredentialingUser[];
  readonly settings?: Partial<CredentialingSettings>;
}

/** A request on its way to an operation. Only `Authentication Token` comes without a user. */
export interface OperationCall {
  readonly clientId: string;
  readonly user: CredentialingUser | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  /** Reads the JSON body; throws a 400 refusal. Called last, because the body is checked last. */
  readonly readBody: () => unknown;
}

/** Status and JSON body; an absent body is sent as none. */
export interface OperationAnswer {
  readonly status: 200 | 201 | 204;
  readonly body?: unknown;
}

type Handler = (call: OperationCall, store: CredentialStore) => OperationAnswer;

const NO_CONTENT: OperationAnswer = { status: 204 };

const parameter = (call: OperationCall, name: string): string => call.parameters[name] ?? '';

/** One object for the whole interface; each partner client sees its own credentials only. */
export class CredentialingService {
  readonly #options: CredentialingOptions;
  readonly #logins: Logins;
  readonly #windows = new RateWindows(RATE_WINDOW_MS);
  readonly #stores = new Map<string, CredentialStore>();
  #settings: CredentialingSettings;

  readonly #handlers: Readonly<Record<OperationName, Handler>> = {
    'Authentication Token': (call) => {
      const token = this.#logins.logIn(call.clientId, readLogin(call.readBody()), this.#options.now());
      return { status: 200, body: { token, expiresIn: TOKEN_LIFETIME_SECONDS } };
    },
    'Create Credential': (call, store) => {
      const request = readCardCredential(
        call.readBody(),
        call.user?.mayIssueRestricted ?? false,
        this.#settings,
      );
      const { credentialId, cardNumber } = store.createCard(request, this.#settings);
      return { status: 201, body: { credentialId, cardNumber } };
    },
    'Create Raw Credential': (call, store) => {
      const { credentialId } = store.createRaw(
        readRawCredential(call.readBody(), this.#settings),
        this.#settings,
      );
      return { status: 201, body: { credentialId } };
    },
    'Save No-Tour Payloads': (call, store) => {
      const credentialId = parameter(call, 'credentialId');
      store.get(credentialId);
      return { status: 200, body: store.savePayloads(credentialId, readNoTourPayloads(call.readBody())) };
    },
    'Get Credential by Credential Id': (call, store) => ({
      status: 200,
      body: store.get(parameter(call, 'credentialId')),
    }),
    'Get Credential by User Id': (call, store) => ({
      status: 200,
      body: store.getByUser(parameter(call, 'userId')),
    }),
    'Get All Credentials': (_call, store) => ({ status: 200, body: store.list() }),
    'Delete No-Tour Payload by Device Serial Number': (call, store) => {
      store.deletePayload(parameter(call, 'credentialId'), parameter(call, 'deviceSerialNumber'));
      return NO_CONTENT;
    },
    'Delete No-Tour Payloads by Credential Id': (call, store) => {
      store.deletePayloads(parameter(call, 'credentialId'));
      return NO_CONTENT;
    },
    'Delete Credential by Credential Id': (call, store) => {
      store.delete(parameter(call, 'credentialId'));
      return NO_CONTENT;
    },
    'Delete Credential by User Id': (call, store) => {
      store.deleteByUser(parameter(call, 'userId'));
      return NO_CONTENT;
    },
  };

  constructor(options: CredentialingOptions) {
    this.#options = options;
    this.#logins = new Logins(options.users, options.newToken);
    this.#settings = { ...DEFAULT_CREDENTIALING_SETTINGS, ...options.settings };
  }

  get settings(): CredentialingSettings {
    return this.#settings;
  }

  configure(settings: Partial<CredentialingSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  /** Counts a request against the window of this key and operation (wire contract 9). */
  count(operation: OperationName, subscriptionKey: string): RateVerdict {
    const limit = this.#settings.limits[operation] ?? OPERATIONS[operation].limit;
    return this.#windows.count(`${subscriptionKey} ${operation}`, limit, this.#options.now(), this.#settings);
  }

  /** Seconds from now until an instant, never 0: a client that waits them comes late enough. */
  secondsUntil(at: number): number {
    return Math.max(Math.ceil((at - this.#options.now()) / 1000), 1);
  }

  userOf(clientId: string, token: string): CredentialingUser | undefined {
    return this.#logins.userOf(clientId, token, this.#options.now());
  }

  /** Does one operation, or throws a `CredentialingRefusal`. */
  perform(operation: OperationName, call: OperationCall): OperationAnswer {
    if (call.user !== undefined && call.user.role !== 'Administrator') {
      throw new CredentialingRefusal(403, `The role ${call.user.role} may not do this.`);
    }
    return this.#handlers[operation](call, this.#storeOf(call.clientId));
  }

  endTokens(): void {
    this.#logins.endAll();
  }

  clearWindows(): void {
    this.#windows.clear();
  }

  #storeOf(clientId: string): CredentialStore {
    const store = this.#stores.get(clientId) ?? new CredentialStore(this.#options.newId);
    this.#stores.set(clientId, store);
    return store;
  }
}
