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

/** One row for every reason the service can name (specification, Device command error codes), and one for the rest. */
const HANDLINGS = {
  'claims-success': 'contradiction',
  'general-failure': 'passing',
  'code-exists': 'clash',
  'pin-out-of-range': 'wrong-request',
  'code-name-exists': 'clash',
  'code-not-added': 'passing',
  'code-not-deleted': 'passing',
  'storage-update-network': 'passing',
  'storage-update-silent': 'passing',
  'storage-update-denied': 'passing',
  'storage-delete-network': 'passing',
  'storage-delete-silent': 'passing',
  'storage-delete-denied': 'passing',
  'lock-silent': 'offline',
  'json-assembly': 'passing',
  'json-parsing': 'wrong-request',
  'code-id-missing': 'wrong-request',
  'pin-missing': 'wrong-request',
  'code-name-missing': 'wrong-request',
  'schedule-missing': 'wrong-request',
  'parameters-invalid': 'wrong-request',
  'user-disabled-missing': 'wrong-request',
  'activation-missing': 'wrong-request',
  'expiration-missing': 'wrong-request',
  'values-invalid': 'wrong-request',
  'command-unknown': 'wrong-request',
  'user-not-on-lock': 'wrong-request',
  'code-id-duplicate': 'clash',
  'code-name-too-long': 'wrong-request',
  'code-length-missing': 'wrong-request',
  'code-length-out-of-range': 'wrong-request',
  'code-id-invalid': 'wrong-request',
  'bolt-jammed': 'jammed',
  'schedule-locking': 'passing',
  'schedule-invalid': 'wrong-request',
  'schedule-too-large': 'wrong-request',
  'lock-busy': 'busy',
  'code-subset-in-use': 'clash',
  'code-superset-in-use': 'clash',
  unrecognised: 'passing',
} as const satisfies Record<string, RefusalHandling>;

export type RefusalReason = keyof typeof HANDLINGS;

export function isRefusalReason(text: string): text is RefusalReason {
  return Object.hasOwn(HANDLINGS, text);
}

export function refusalHandling(reason: RefusalReason): RefusalHandling {
  return HANDLINGS[reason];
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
