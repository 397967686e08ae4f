// Who or what moved a bolt: the accessor types of the service as a closed union, plus `other` for words to come.

/** How the bolt was moved (specification, Accessor types). `own-command`: by a command of ours; `unavailable`: while the lock was offline. */
export type AccessMethod =
  | 'virtual-key'
  | 'one-touch'
  | 'access-code'
  | 'auto-relock'
  | 'thumbturn'
  | 'unlock-button'
  | 'lock-button'
  | 'schedule'
  | 'platform'
  | 'platform-key'
  | 'own-command'
  | 'unavailable'
  | 'other';

export interface Accessor {
  readonly method: AccessMethod;
  readonly id: string | null;
  /** What the account calls the code or person, or null. Never an entered code. */
  readonly name: string | null;
}
