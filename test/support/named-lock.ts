// The description of a lock for a test that needs only its name.
import type { LockDescription } from '../../src/domain/locks/lock.ts';

/** The service has said nothing but the name, and that the account owns it. */
export function named(name: string): LockDescription {
  return { name, model: '', serial: '', firmware: '', role: 'owner' };
}
