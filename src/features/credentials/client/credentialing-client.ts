// The eleven operations of the credentialing interface, typed. An invalid field is refused before anything is sent.

import { type Message, message } from '../../../domain/language/message.ts';
import { FinalError, UncertainError } from '../../../support/errors.ts';
import {
  type Credential,
  type CredentialDraft,
  type CredentialId,
  type NoTourPayload,
} from '../policy/credential.ts';
import {
  draftFaults,
  type FieldFault,
  idProblem,
  payloadFaults,
  userIdProblem,
} from '../policy/credential-policy.ts';
import {
  decodeCreated,
  decodeCredential,
  decodeCredentials,
  decodePayloads,
  encodeDraft,
  encodePayloads,
} from './credential-codec.ts';
import { credentialEndpoints as endpoints } from './credential-endpoints.ts';
import type { CallOptions, CredentialListing, IssuedCredential } from './credential-gateway.ts';
import { unreadable } from './credentialing-errors.ts';
import { CredentialingInterface, type CredentialingSettings } from './credentialing-interface.ts';
import type { InterfaceLogin } from './credentialing-session.ts';

/**
 * Every method refuses an invalid field before a call, with `bad-request`, and rejects with the errors of
 * `support/errors.ts`. Creating rejects with `uncertain` when the service may have carried it out; every other call may
 * be repeated.
 */
export class CredentialingClient {
  readonly #service: CredentialingInterface;

  /** Throws a final error when the address may not be called. */
  constructor(settings: CredentialingSettings) {
    this.#service = new CredentialingInterface(settings);
  }

  /** Logs in and keeps the token. Rejects with `bad-configuration` when the pair is refused. */
  async login(login: InterfaceLogin, options: CallOptions = {}): Promise<void> {
    assertFields(loginFaults(login));
    await this.#service.session.login(login, options);
  }

  async create(draft: CredentialDraft, options: CallOptions = {}): Promise<IssuedCredential> {
    assertFields(draftFaults(draft));
    const isRaw = draft.kind === 'raw';
    const body = await this.#service.call(
      {
        operation: isRaw ? 'create-raw' : 'create',
        endpoint: isRaw ? endpoints.createRaw() : endpoints.create(),
        body: encodeDraft(draft),
        repeatable: false,
      },
      options,
    );
    const created = decodeCreated(body);
    if (created === null) {
      throw new UncertainError(message('The service took the credential, but its answer could not be read.'));
    }
    return created;
  }

  async list(options: CallOptions = {}): Promise<CredentialListing> {
    const { body, isPart } = await this.#service.ask(
      { operation: 'list', endpoint: endpoints.list(), repeatable: true },
      options,
    );
    const listing = decodeCredentials(body);
    if (listing === null) {
      throw unreadable('the list of credentials');
    }
    // A person on another page may have a credential. Without all pages, an absence proves nothing, and no second one may be issued.
    if (isPart) {
      throw unreadable('the whole list of credentials');
    }
    return listing;
  }

  async get(id: CredentialId, options: CallOptions = {}): Promise<Credential> {
    assertFields(faultOf('credentialId', idProblem(id)));
    return credentialOf(await this.#read('get', endpoints.get(id), options));
  }

  async getByUser(userId: string, options: CallOptions = {}): Promise<Credential> {
    assertFields(faultOf('userId', userIdProblem(userId)));
    return credentialOf(await this.#read('get-by-user', endpoints.getByUser(userId), options));
  }

  async delete(id: CredentialId, options: CallOptions = {}): Promise<void> {
    assertFields(faultOf('credentialId', idProblem(id)));
    await this.#read('delete', endpoints.delete(id), options);
  }

  async deleteByUser(userId: string, options: CallOptions = {}): Promise<void> {
    assertFields(faultOf('userId', userIdProblem(userId)));
    await this.#read('delete-by-user', endpoints.deleteByUser(userId), options);
  }

  /** Resolves with all payloads of the credential; null when the service does not list them. */
  async saveNoTour(
    id: CredentialId,
    payloads: readonly NoTourPayload[],
    options: CallOptions = {},
  ): Promise<readonly NoTourPayload[] | null> {
    assertFields([...faultOf('credentialId', idProblem(id)), ...payloadFaults(payloads)]);
    const body = await this.#service.call(
      {
        operation: 'save-no-tour',
        endpoint: endpoints.saveNoTour(id),
        body: encodePayloads(payloads),
        repeatable: true,
      },
      options,
    );
    return decodePayloads(body);
  }

  async deleteNoTour(id: CredentialId, options: CallOptions = {}): Promise<void> {
    assertFields(faultOf('credentialId', idProblem(id)));
    await this.#read('delete-no-tour', endpoints.deleteNoTour(id), options);
  }

  async deleteNoTourOfLock(
    id: CredentialId,
    deviceSerialNumber: string,
    options: CallOptions = {},
  ): Promise<void> {
    assertFields([
      ...faultOf('credentialId', idProblem(id)),
      ...faultOf('deviceSerialNumber', idProblem(deviceSerialNumber)),
    ]);
    await this.#read('delete-no-tour-of-lock', endpoints.deleteNoTourOfLock(id, deviceSerialNumber), options);
  }

  async close(): Promise<void> {
    await this.#service.close();
  }

  /** Calls without a body that may be repeated. */
  async #read(
    operation: Parameters<CredentialingInterface['call']>[0]['operation'],
    endpoint: Parameters<CredentialingInterface['call']>[0]['endpoint'],
    options: CallOptions,
  ): Promise<unknown> {
    return this.#service.call({ operation, endpoint, repeatable: true }, options);
  }
}

function credentialOf(body: unknown): Credential {
  const credential = decodeCredential(body);
  if (credential === null) {
    throw unreadable('the credential');
  }
  return credential;
}

const EMPTY = message('is empty');

function loginFaults({ username, password }: InterfaceLogin): readonly FieldFault[] {
  return [
    ...faultOf('username', username.trim() === '' ? EMPTY : null),
    ...faultOf('password', password === '' ? EMPTY : null),
  ];
}

function faultOf(field: string, problem: Message | null): readonly FieldFault[] {
  return problem === null ? [] : [{ field, problem }];
}

function assertFields(faults: readonly FieldFault[]): void {
  if (faults.length > 0) {
    const words = faults.map(({ field, problem }) => message('{field} {problem}', { field, problem }));
    throw new FinalError('bad-request', message('Nothing was sent: {faults}.', { faults: words }));
  }
}
