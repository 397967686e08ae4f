// Reads the locks anew when a person asks for it.
import type { PageContext } from '../state/page-context.ts';

/** Rejects with a `CallError` that tells why the locks could not be listed; known data is read in any case. */
export async function readFreshList({ call, read }: Pick<PageContext, 'call' | 'read'>): Promise<void> {
  try {
    await call('refresh');
  } finally {
    await read('status', 'link.show', 'locks', 'locks.settings');
  }
}
