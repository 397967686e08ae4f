// Whether this process may act for another user of the machine, which some tests need.
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = 0;

/** Root of a container that knows one user only, as the private network of `npm test` is, cannot give a file away. */
export function mayGiveAwayTo(user: number): boolean {
  if (process.geteuid?.() !== ROOT) {
    return false;
  }
  const probe = mkdtempSync(join(tmpdir(), 'latchkey-probe-'));
  try {
    chownSync(probe, user, user);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true });
  }
}
