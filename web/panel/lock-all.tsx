// Locks all doors that are unlocked, after a question that names them.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../src/panel/lock-view.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Confirmed, Failure, Status } from './pieces.tsx';
import { moveWords, nameOf } from './words.ts';

/** From so many on: one door has its own button. */
const MANY = 2;

export function LockAll({ locks }: { readonly locks: readonly LockView[] }): VNode | null {
  const { call } = usePageContext();
  const locking = useAction();
  const [answers, setAnswers] = useState<readonly string[]>([]);
  const open = locks.filter(isToBeLocked);
  const names = new Intl.ListFormat('en').format(open.map(nameOf));
  const lockOne = async (lock: LockView): Promise<string> => {
    const words = moveWords(await call('lock', { lock: lock.id }));
    return words === '' ? '' : `${nameOf(lock)}: ${words}`;
  };
  return (
    <>
      {open.length >= MANY && (
        <Confirmed
          action="Lock all"
          of={`${String(open.length)} unlocked`}
          question={`Lock ${names}?`}
          isBusy={locking.isBusy}
          onConfirm={() => {
            setAnswers([]);
            void locking.run(async () => {
              setAnswers(await Promise.all(open.map(lockOne)));
            });
          }}
        />
      )}
      <Status>
        {answers.filter(Boolean).map((answer) => (
          <p key={answer} class="warning">
            {answer}
          </p>
        ))}
      </Status>
      <Failure failure={locking.failure} />
    </>
  );
}

function isToBeLocked({ bolt, target, presence, description }: LockView): boolean {
  return (
    bolt === 'unsecured' && target !== 'secured' && presence === 'reachable' && description.role !== 'reader'
  );
}
