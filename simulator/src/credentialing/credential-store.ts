// The credentials of one partner client: one per user, card numbers unique per (format, facility code).
import type { CardCredentialRequest, NoTourPayload, RawCredentialRequest } from './credential-fields.ts';
import type { CredentialingSettings } from './credentialing-settings.ts';
import { CredentialingRefusal } from './refusal.ts';

/** A credential as the service shows it (wire contract 8). The card members of a raw credential are null. */
export interface CredentialRecord {
  readonly credentialId: string;
  readonly userId: string;
  readonly mobileNumber: string;
  readonly payloadType: 'Basic' | 'Raw';
  readonly cardFormat: CardCredentialRequest['cardFormat'] | null;
  readonly cardNumber: number | null;
  readonly facilityCode: number | null;
  readonly issueCode: number | null;
  readonly isDownloaded: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** The bits of a raw credential, where the service shows them. */
  readonly rawCredential?: string;
  readonly bitLength?: number;
}

interface Stored {
  record: CredentialRecord;
  readonly payloads: Map<string, NoTourPayload>;
}

/** Card numbers of one (format, facility code): those in use, and the next one to hand out. */
interface CardSeries {
  readonly taken: Set<number>;
  next: number;
}

/** Ids are looked up without regard to case, as UUIDs are. A missing entry is always a 404 refusal. */
export class CredentialStore {
  readonly #newId: () => string;
  readonly #byId = new Map<string, Stored>();
  readonly #idByUser = new Map<string, string>();
  readonly #series = new Map<string, CardSeries>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Issues a card credential; 409 when the user has one already or the wished card number is in use. */
  createCard(
    request: CardCredentialRequest,
    settings: CredentialingSettings,
  ): CredentialRecord & { readonly cardNumber: number } {
    this.#refuseSecond(request.userId, settings);
    const { cardNumber: requested, ...fields } = request;
    const cardNumber = this.#takeCardNumber(`${fields.cardFormat}/${String(fields.facilityCode)}`, requested);
    const record = {
      credentialId: this.#newId(),
      userId: fields.userId,
      mobileNumber: fields.mobileNumber,
      payloadType: 'Basic' as const,
      cardFormat: fields.cardFormat,
      cardNumber,
      facilityCode: fields.facilityCode,
      issueCode: fields.issueCode,
      isDownloaded: false,
      attributes: fields.attributes,
    };
    this.#save(record);
    return record;
  }

  /** Issues a raw credential; its bits are written to the phone, and shown again where they are echoed. 409 for a second one. */
  createRaw(request: RawCredentialRequest, settings: CredentialingSettings): CredentialRecord {
    this.#refuseSecond(request.userId, settings);
    const { rawCredential, bitLength } = request;
    const record: CredentialRecord = {
      credentialId: this.#newId(),
      userId: request.userId,
      mobileNumber: request.mobileNumber,
      payloadType: 'Raw',
      cardFormat: null,
      cardNumber: null,
      facilityCode: null,
      issueCode: null,
      isDownloaded: false,
      attributes: {},
      ...(settings.rawRecord === 'echoed' ? { rawCredential, bitLength } : {}),
    };
    this.#save(record);
    return record;
  }

  /** Every credential, oldest first. */
  list(): readonly CredentialRecord[] {
    return [...this.#byId.values()].map((stored) => stored.record);
  }

  get(credentialId: string): CredentialRecord {
    return this.#find(credentialId).record;
  }

  getByUser(userId: string): CredentialRecord {
    return this.#find(this.#idOfUser(userId)).record;
  }

  /** Adds payloads, each replacing the one for the same lock; answers all of the credential's payloads. */
  savePayloads(credentialId: string, payloads: readonly NoTourPayload[]): readonly NoTourPayload[] {
    const stored = this.#find(credentialId);
    for (const payload of payloads) {
      stored.payloads.set(payload.deviceSerialNumber, payload);
    }
    return [...stored.payloads.values()];
  }

  deletePayload(credentialId: string, deviceSerialNumber: string): void {
    if (!this.#find(credentialId).payloads.delete(deviceSerialNumber)) {
      throw new CredentialingRefusal(404, 'No no-tour payload for this device.');
    }
  }

  deletePayloads(credentialId: string): void {
    const { payloads } = this.#find(credentialId);
    if (payloads.size === 0) {
      throw new CredentialingRefusal(404, 'No no-tour payloads for this credential.');
    }
    payloads.clear();
  }

  delete(credentialId: string): void {
    const { record } = this.#find(credentialId);
    this.#byId.delete(record.credentialId.toLowerCase());
    this.#forgetUser(record);
    this.#series.get(seriesOf(record))?.taken.delete(record.cardNumber ?? 0);
  }

  deleteByUser(userId: string): void {
    this.delete(this.#idOfUser(userId));
  }

  #save(record: CredentialRecord): void {
    this.#byId.set(record.credentialId.toLowerCase(), { record, payloads: new Map() });
    this.#idByUser.set(record.userId.toLowerCase(), record.credentialId);
  }

  /** Where one user may have several, the newest of the others is the user's now. */
  #forgetUser({ userId, credentialId }: CredentialRecord): void {
    const user = userId.toLowerCase();
    if (this.#idByUser.get(user) === credentialId) {
      const other = this.list().findLast((record) => record.userId.toLowerCase() === user);
      this.#idByUser.delete(user);
      if (other !== undefined) {
        this.#idByUser.set(user, other.credentialId);
      }
    }
  }

  #refuseSecond(userId: string, { secondCredential }: CredentialingSettings): void {
    if (secondCredential === 'refused' && this.#idByUser.has(userId.toLowerCase())) {
      throw new CredentialingRefusal(409, 'This user has a credential already.');
    }
  }

  #find(credentialId: string): Stored {
    const stored = this.#byId.get(credentialId.toLowerCase());
    if (stored === undefined) {
      throw new CredentialingRefusal(404, 'No credential with this id.');
    }
    return stored;
  }

  #idOfUser(userId: string): string {
    const credentialId = this.#idByUser.get(userId.toLowerCase());
    if (credentialId === undefined) {
      throw new CredentialingRefusal(404, 'No credential for this user.');
    }
    return credentialId;
  }

  #takeCardNumber(seriesKey: string, requested: number | undefined): number {
    const series = this.#series.get(seriesKey) ?? { taken: new Set<number>(), next: 1 };
    this.#series.set(seriesKey, series);
    if (requested !== undefined && series.taken.has(requested)) {
      throw new CredentialingRefusal(409, 'This card number is in use.');
    }
    const cardNumber = requested ?? nextFree(series);
    series.taken.add(cardNumber);
    return cardNumber;
  }
}

/** Counts upward only: the number of a deleted credential may still open a door, so it is not handed out again. */
function nextFree(series: CardSeries): number {
  while (series.taken.has(series.next)) {
    series.next += 1;
  }
  series.next += 1;
  return series.next - 1;
}

function seriesOf(record: CredentialRecord): string {
  return `${String(record.cardFormat)}/${String(record.facilityCode)}`;
}
