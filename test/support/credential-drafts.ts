// A user's credentials as they are wanted, and one as the service has it, for the rules of credentials.
import {
  type CardDraft,
  type Credential,
  credentialId,
  type RawDraft,
} from '../../src/features/credentials/policy/credential.ts';

export const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';

/** The service chooses its number. */
export const CARD: CardDraft = {
  kind: 'card',
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  facilityCode: 12,
  issueCode: 0,
  cardNumber: null,
  attributes: { siteId: '7' },
};

export const RAW: RawDraft = {
  kind: 'raw',
  userId: USER,
  mobileNumber: '+15550100123',
  rawCredential: '1f00aa55c3',
  bitLength: 37,
};

/** The card, issued. */
export const HELD: Credential = {
  ...CARD,
  id: credentialId('c-1'),
  cardNumber: 1042,
  isDownloaded: false,
  rawCredential: null,
  bitLength: null,
};
