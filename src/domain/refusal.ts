// Reasons for which the lock or the service refuses, and how the caller should react to each.

/**
 * How the caller should react to a refusal.
 * `contradiction`: a failure that claims success, or the reverse, so the lock must be read. `busy`: another command is running, wait.
 * `jammed`: a state of the bolt. `offline`: the lock did not answer in time. `passing`: the service stumbled, a person
 * may try again. `wrong-request`: the same request would fail the same way. `clash`: it collides with a code that exists.
 */
export type RefusalHandling =
  | 'contradiction'
  | 'busy'
  | 'jammed'
  | 'offline'
  | 'passing'
  | 'wrong-request'
  | 'clash';

interface RefusalMeaning {
  readonly words: string;
  readonly handling: RefusalHandling;
}

/** One row for every reason the service can name (specification, Device command error codes), and one for the rest. */
const MEANINGS = {
  'claims-success': {
    words: 'the service contradicts itself on whether it was done',
    handling: 'contradiction',
  },
  'general-failure': { words: 'the lock reported a general failure', handling: 'passing' },
  'code-exists': { words: 'this access code already exists', handling: 'clash' },
  'pin-out-of-range': { words: 'the PIN must be 4 to 8 digits', handling: 'wrong-request' },
  'code-name-exists': { words: 'an access code with this name already exists', handling: 'clash' },
  'code-not-added': {
    words: 'the lock could not store the access code; it may be full',
    handling: 'passing',
  },
  'code-not-deleted': { words: 'the lock could not delete the access code', handling: 'passing' },
  'storage-update-network': { words: 'the service lost its network while saving', handling: 'passing' },
  'storage-update-silent': { words: 'the service got no answer while saving', handling: 'passing' },
  'storage-update-denied': { words: 'the service was not allowed to save', handling: 'passing' },
  'storage-delete-network': { words: 'the service lost its network while deleting', handling: 'passing' },
  'storage-delete-silent': { words: 'the service got no answer while deleting', handling: 'passing' },
  'storage-delete-denied': { words: 'the service was not allowed to delete', handling: 'passing' },
  'lock-silent': { words: 'the lock did not answer; its Wi-Fi may be down', handling: 'offline' },
  'json-assembly': { words: 'the service could not build its message', handling: 'passing' },
  'json-parsing': { words: 'the service could not read the request', handling: 'wrong-request' },
  'code-id-missing': { words: 'no access code was named', handling: 'wrong-request' },
  'pin-missing': { words: 'no PIN was given', handling: 'wrong-request' },
  'code-name-missing': { words: 'the access code has no name', handling: 'wrong-request' },
  'schedule-missing': { words: 'the access code has no schedule', handling: 'wrong-request' },
  'parameters-invalid': { words: 'the service did not accept the request', handling: 'wrong-request' },
  'user-disabled-missing': { words: 'the user-disabled status is missing', handling: 'wrong-request' },
  'activation-missing': { words: 'the time of activation is missing', handling: 'wrong-request' },
  'expiration-missing': { words: 'the time of expiration is missing', handling: 'wrong-request' },
  'values-invalid': { words: 'a value in the request is not valid', handling: 'wrong-request' },
  'command-unknown': { words: 'the service does not know this command', handling: 'wrong-request' },
  'user-not-on-lock': { words: 'the lock does not have this access code', handling: 'wrong-request' },
  'code-id-duplicate': { words: 'the lock holds this access code twice', handling: 'clash' },
  'code-name-too-long': { words: 'the name is longer than 24 characters', handling: 'wrong-request' },
  'code-length-missing': { words: 'the length of the access code is missing', handling: 'wrong-request' },
  'code-length-out-of-range': {
    words: 'this lock does not take access codes of that length',
    handling: 'wrong-request',
  },
  'code-id-invalid': { words: 'there is no such access code', handling: 'wrong-request' },
  'bolt-jammed': { words: 'the bolt is jammed', handling: 'jammed' },
  'schedule-locking': { words: 'the lock reported an error of its locking schedule', handling: 'passing' },
  'schedule-invalid': { words: 'the schedule is not valid', handling: 'wrong-request' },
  'schedule-too-large': { words: 'the schedule has too many windows', handling: 'wrong-request' },
  'lock-busy': { words: 'the lock is busy with another command', handling: 'busy' },
  'code-subset-in-use': { words: 'a shorter code that begins this one is in use', handling: 'clash' },
  'code-superset-in-use': { words: 'a longer code that begins with this one is in use', handling: 'clash' },
  unrecognised: { words: 'the lock refused for a reason we do not know', handling: 'passing' },
} as const satisfies Record<string, RefusalMeaning>;

export type RefusalReason = keyof typeof MEANINGS;

export function isRefusalReason(text: string): text is RefusalReason {
  return Object.hasOwn(MEANINGS, text);
}

/** The reason in a person's words, without a full stop. */
export function refusalWords(reason: RefusalReason): string {
  return MEANINGS[reason].words;
}

export function refusalHandling(reason: RefusalReason): RefusalHandling {
  return MEANINGS[reason].handling;
}

/**
 * Whether a command that was refused for this reason never reached the bolt (wire contract 12): a closed list. With any
 * other reason, such as a lock that did not answer, the bolt may have moved.
 */
export function certainlyMovedNothing(reason: RefusalReason): boolean {
  return (
    NOTHING_MOVED.has(refusalHandling(reason)) || reason === 'code-not-added' || reason === 'code-not-deleted'
  );
}

const NOTHING_MOVED: ReadonlySet<RefusalHandling> = new Set(['wrong-request', 'clash', 'busy']);
