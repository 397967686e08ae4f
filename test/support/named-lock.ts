// The description of a lock of which a test needs no more than its name.
import type { LockDescription } from '../../src/domain/lock.ts';

/** The service has said nothing but the name, and that the account owns it. */
export function named(name: string): LockDescription {
  return { name, model: '', serial: '', firmware: '', role: 'owner' };
}
