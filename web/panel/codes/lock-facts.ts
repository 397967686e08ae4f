// The rules of an account's locks for codes, for a form that is about several of them.
import { useEffect, useState } from 'preact/hooks';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { inTurns } from '../parts/in-turns.ts';
import { usePageContext } from '../state/page-context.ts';

export interface LockFacts extends LockZone, TakenLengths {
  readonly lockId: LockId;
}

/** The rules of the locks. A lock that does not answer is left out, and is compared when it does. */
export function useLockFacts(): readonly LockFacts[] | null {
  const { state, call } = usePageContext();
  const [facts, setFacts] = useState<readonly LockFacts[] | null>(null);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const locks = state.locks ?? [];
      const answers = new Map<LockId, LockFacts>();
      await inTurns(locks, async ({ id }) => {
        const listed = await call('codes.list', { lock: id }).catch(() => null);
        if (listed !== null) {
          answers.set(id, { ...listed, lockId: id });
        }
      });
      setFacts(locks.flatMap(({ id }) => answers.get(id) ?? []));
    };
    void read();
  }, []);
  return facts;
}
