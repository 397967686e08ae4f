// The one user of a lock with `remotePin`, and that user's PIN: controllers read that they exist, and change nothing.
import { DISABLED_FOR_SECONDS, type PinVerdict, WRONG_PINS_AT_MOST } from '../../../support/remote-pin.ts';
import type { StatusName } from './command-status.ts';
import type { MatterApi } from './matter-api.ts';
import {
  DATA_OPERATION_ADD,
  OPERATION_ERROR,
  type OperationError,
  REMOTE_CREDENTIAL,
  REMOTE_USER_INDEX,
  STATUS,
} from './matter-values.ts';

/** Bounds of the PIN. */
const PIN_DIGITS = { least: 4, most: 8 } as const;

/** The feature makes controllers prompt for the PIN. The specification asks for users wherever there are PINs. */
export const PIN_FEATURES = ['PinCredential', 'CredentialOverTheAirAccess', 'User'] as const;

export const PIN_STATE = {
  requirePinForRemoteOperation: true,
  numberOfTotalUsersSupported: 1,
  numberOfPinUsersSupported: 1,
  numberOfCredentialsSupportedPerUser: 1,
  credentialRulesSupport: { single: true, dual: false, tri: false },
  // An empty PIN is one to lock with: Home Assistant asks for this length before it locks (docs/develop/matter.md, Where we differ).
  minPinCodeLength: 0,
  maxPinCodeLength: PIN_DIGITS.most,
  wrongCodeEntryLimit: WRONG_PINS_AT_MOST,
  userCodeTemporaryDisableTime: DISABLED_FOR_SECONDS,
} as const;

/** Ten characters at most. */
const USER_NAME = 'remotePin';
const OCCUPIED_ENABLED = 1;
const REMOTE_ONLY_USER = 9;
const SINGLE_CREDENTIAL = 0;

/** The index that stands for all credentials. */
const ALL = 0xfffe;

/** Created by no fabric, because config.json makes the user. */
const BY_NO_FABRIC = { creatorFabricIndex: null, lastModifiedFabricIndex: null } as const;

const REMOTE_USER = {
  userIndex: REMOTE_USER_INDEX,
  userName: USER_NAME,
  userUniqueId: null,
  userStatus: OCCUPIED_ENABLED,
  userType: REMOTE_ONLY_USER,
  credentialRule: SINGLE_CREDENTIAL,
  credentials: [REMOTE_CREDENTIAL],
  ...BY_NO_FABRIC,
  nextUserIndex: null,
} as const;

/** Why a command is refused that the account would accept, and its status. */
export interface Refusal {
  readonly why: string;
  readonly status: StatusName;
  /** Left out: unspecified. */
  readonly error?: OperationError;
}

const error = OPERATION_ERROR.INVALID_CREDENTIAL;

export const PIN_REFUSALS: Readonly<Record<Exclude<PinVerdict, 'right'>, Refusal>> = {
  missing: { why: 'the controller sent no PIN', status: 'Failure', error },
  wrong: { why: 'the PIN was wrong', status: 'Failure', error },
  disabled: {
    why: 'too many wrong PINs were sent; none from this controller is accepted for a minute',
    status: 'Failure',
    error,
  },
};

interface ForUser {
  readonly userIndex: number;
}

interface Credential {
  readonly credentialType: number;
  readonly credentialIndex: number;
}

interface SetCredential {
  readonly credential: Credential;
  readonly credentialData: Uint8Array;
}

/**
 * The commands of the User feature, by name. Statuses are those that the specification allows (Door Lock cluster, SetUser,
 * SetCredentialResponse, ClearCredential). matter.js hands on every index.
 */
export function userCommands({ MatterProtocolError }: MatterApi['status']) {
  const refuse = (status: number, clusterStatus?: number): never => {
    throw new MatterProtocolError('The PIN can be changed in config.json only', status, clusterStatus);
  };
  return {
    getUser: ({ userIndex }: ForUser) =>
      userIndex === REMOTE_USER_INDEX ? REMOTE_USER : refuse(STATUS.INVALID_COMMAND),
    setUser: ({ userIndex, operationType }: ForUser & { readonly operationType: number }) => {
      if (userIndex !== REMOTE_USER_INDEX) {
        refuse(STATUS.INVALID_COMMAND);
      }
      refuse(STATUS.FAILURE, operationType === DATA_OPERATION_ADD ? STATUS.OCCUPIED : undefined);
    },
    clearUser: ({ userIndex }: ForUser) =>
      refuse(userIndex === REMOTE_USER_INDEX || userIndex === ALL ? STATUS.FAILURE : STATUS.INVALID_COMMAND),
    getCredentialStatus: ({ credential }: { readonly credential: Credential }) => ({
      credentialExists: isRemotePin(credential),
      userIndex: isRemotePin(credential) ? REMOTE_USER_INDEX : null,
      ...BY_NO_FABRIC,
      nextCredentialIndex: nextAfter(credential),
    }),
    setCredential: (request: SetCredential) => ({
      status: refusalOf(request),
      userIndex: null,
      nextCredentialIndex: null,
    }),
    clearCredential: ({ credential }: { readonly credential: Credential | null }) =>
      refuse(isToBeCleared(credential) ? STATUS.FAILURE : STATUS.INVALID_COMMAND),
  };
}

/**
 * Never "duplicate": that would tell a guess from the PIN, as often as somebody likes. matter.js cannot answer "occupied"
 * here, which is no global status, and says "failure" itself.
 */
function refusalOf({ credential, credentialData: { length } }: SetCredential): number {
  if (!isRemotePin(credential) || length < PIN_DIGITS.least || length > PIN_DIGITS.most) {
    return STATUS.INVALID_COMMAND;
  }
  return STATUS.FAILURE;
}

function isRemotePin({ credentialType, credentialIndex }: Credential): boolean {
  return (
    credentialType === REMOTE_CREDENTIAL.credentialType &&
    credentialIndex === REMOTE_CREDENTIAL.credentialIndex
  );
}

/** Null asks for every credential. */
function isToBeCleared(credential: Credential | null): boolean {
  return (
    credential === null ||
    isRemotePin(credential) ||
    (credential.credentialType === REMOTE_CREDENTIAL.credentialType && credential.credentialIndex === ALL)
  );
}

/** The next credential of the type that exists. */
function nextAfter({ credentialType, credentialIndex }: Credential): number | null {
  const isBefore = credentialIndex < REMOTE_CREDENTIAL.credentialIndex;
  return isBefore && credentialType === REMOTE_CREDENTIAL.credentialType
    ? REMOTE_CREDENTIAL.credentialIndex
    : null;
}
