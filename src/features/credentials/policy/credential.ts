// Credentials that open a lock with a phone, as property staff issue them through the BLE credentialing interface.

declare const brand: unique symbol;

export type CredentialId = string & { readonly [brand]: 'CredentialId' };

/** Names a text as a credential's id: at the edges, where texts come in. */
export function credentialId(text: string): CredentialId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists only for the compiler
  return text as CredentialId;
}

/** Card formats that the interface encodes (wire contract 8). */
export const CARD_FORMATS = ['26A', '34S', '35X', '37H', '37X', '48X'] as const;

/** The operations of the credentialing interface, one rate window each. */
export const CREDENTIAL_OPERATIONS = [
  'login',
  'create',
  'create-raw',
  'save-no-tour',
  'get',
  'get-by-user',
  'list',
  'delete-no-tour-of-lock',
  'delete-no-tour',
  'delete',
  'delete-by-user',
] as const;
export type CredentialOperation = (typeof CREDENTIAL_OPERATIONS)[number];

export interface CredentialHolder {
  /** UUIDv4 that the property's own system gave this person. */
  readonly userId: string;
  readonly mobileNumber: string;
}

export interface CardDraft extends CredentialHolder {
  readonly kind: 'card';
  /** One of `CARD_FORMATS`, once `draftFaults` has no objection. */
  readonly cardFormat: string;
  readonly facilityCode: number;
  readonly issueCode: number;
  /** Null: the service gives the next free one. */
  readonly cardNumber: number | null;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A raw credential to be issued: bits as another system encoded them. They open a lock, so they are a secret. */
export interface RawDraft extends CredentialHolder {
  readonly kind: 'raw';
  /** Hexadecimal. */
  readonly rawCredential: string;
  readonly bitLength: number;
}

export type CredentialDraft = CardDraft | RawDraft;

/** A credential as the service describes it. Members that it omits are null. */
export interface Credential extends CredentialHolder {
  readonly id: CredentialId;
  readonly kind: 'card' | 'raw';
  readonly cardFormat: string | null;
  readonly cardNumber: number | null;
  readonly facilityCode: number | null;
  readonly issueCode: number | null;
  /** Whether a phone has fetched it; null when the service does not report that. */
  readonly isDownloaded: boolean | null;
  readonly attributes: Readonly<Record<string, string>>;
  /** The bits of a raw credential, which some services repeat. A secret: compared, exported on request, never logged. */
  readonly rawCredential: string | null;
  readonly bitLength: number | null;
}

/** The bytes that let a phone open a lock that was never visited with a programmer. */
export interface NoTourPayload {
  readonly deviceSerialNumber: string;
  /** Base64. */
  readonly payload: string;
}

/** Attribute that names the site of a credential (wire contract 8). */
export const SITE_ATTRIBUTE = 'siteId';

/** Whether a credential belongs to a site; null stands for every site. */
export function isOfSite({ attributes }: Pick<Credential, 'attributes'>, site: string | null): boolean {
  return site === null || attributes[SITE_ATTRIBUTE] === site;
}

/** User ids are UUIDs: the same id in other letter case is the same user. */
export function userKey(userId: string): string {
  return userId.toLowerCase();
}
