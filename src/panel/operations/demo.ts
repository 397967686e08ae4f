// The one operation of the demo: turning a simulated bolt by hand. An account has none.
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { AccountRuntime } from '../../engine/account-runtime.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLock, operation } from './operation.ts';

/** A hand at the simulated doors. Rejects with a retry error when the simulator does not answer. */
export type DemoHand = (lock: LockId, to: BoltPosition) => Promise<void>;

const turn = () => oneLock().extend({ to: z.enum(['secured', 'unsecured']) });

export const DEMO_OPERATIONS = {
  /** Resolves when the locks were listed since. */
  'demo.turn': operation(
    'pages',
    'changes',
    turn,
    async (
      { demoHand, runtime }: { readonly demoHand: DemoHand | null; readonly runtime: AccountRuntime },
      { lock, to },
    ) => {
      if (demoHand === null) {
        throw new FinalError(
          'not-permitted',
          message('Only the simulated locks of the demo can be turned here.'),
        );
      }
      await demoHand(lock, to);
      await runtime.refresh({ afresh: true });
      return { turned: lock };
    },
  ),
};
