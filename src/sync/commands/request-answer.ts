// What became of a request, as soon as that is known. What comes later shows in the lock itself.
import type { RequestRefusal } from '../../domain/intent-policy.ts';
import type { LatchkeyError } from '../../support/errors.ts';

export type RequestAnswer =
  /**
   * `accepted`: the service took the command. `uncertain`: it may have. `already`: the lock is there. `joined`: a
   * command in flight brings it about. `superseded`: a later request took its place.
   */
  | { readonly kind: 'accepted' | 'uncertain' | 'already' | 'joined' | 'superseded' }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };
