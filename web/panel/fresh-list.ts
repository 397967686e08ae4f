// Reads the locks anew when a person asks for it.
import type { PageContext } from './page-context.ts';

/** Rejects with a `CallError` that says what kept the service from listing the locks; what is known is read in any case. */
export async function readFreshList({ call, read }: Pick<PageContext, 'call' | 'read'>): Promise<void> {
  try {
    await call('refresh');
  } finally {
    await read('status', 'link.show', 'locks', 'locks.settings');
  }
}
