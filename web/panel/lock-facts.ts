// What the locks of an account take as codes, for a form that is about several of them.
import { useEffect, useState } from 'preact/hooks';
import type { LockId } from '../../src/domain/lock.ts';
import type { LockZone } from '../../src/domain/lock-zone.ts';
import type { TakenLengths } from '../../src/domain/pin-length.ts';
import { usePageContext } from './page-context.ts';

export interface LockFacts extends LockZone, TakenLengths {
  readonly lockId: LockId;
}

/** What the locks take. A lock that does not answer is left out: it is compared when it does. */
export function useLockFacts(): readonly LockFacts[] | null {
  const { state, call } = usePageContext();
  const [facts, setFacts] = useState<readonly LockFacts[] | null>(null);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const answers = await Promise.allSettled(
        (state.locks ?? []).map(async ({ id }) => ({ id, listed: await call('codes.list', { lock: id }) })),
      );
      const known = answers.filter((answer) => answer.status === 'fulfilled');
      setFacts(known.map(({ value: { id, listed } }) => Object.assign(listed, { lockId: id })));
    };
    void read();
  }, []);
  return facts;
}
