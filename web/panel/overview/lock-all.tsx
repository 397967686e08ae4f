// Locks all doors that are unlocked: one press, and five seconds in which it can be called off.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { answerSign } from '../parts/lock-signs.ts';
import { Button, Status } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { shownError } from '../state/transport.ts';

/** Shown from this number on: one door has its own button. */
const MANY = 2;

/** To lock is safe, so that no question is asked; a door may be left open on purpose, though (our choice). */
const UNDO_WITHIN_MS = 5_000;

export function LockAll({ locks }: { readonly locks: readonly LockView[] }): VNode | null {
  const { call } = usePageContext();
  const locking = useAction();
  const [answers, setAnswers] = useState<readonly string[]>([]);
  const { waiting, begin, undo } = useDelayed((chosen) => {
    void locking.run(async () => setAnswers(await Promise.all(chosen.map(lockOne))));
  });
  /** One failure does not hide the outcome of the others. */
  const lockOne = async (lock: LockView): Promise<string> => {
    const words = await call('lock', { lock: lock.id }).then(
      answerSign,
      (thrown: unknown) => shownError(thrown).message,
    );
    return words === '' ? '' : t('{name}: {what}', { name: nameOf(lock), what: words });
  };
  const open = locks.filter(isToBeLocked);
  return (
    <>
      {open.length >= MANY && waiting === null && (
        <Button
          of={t('{count, plural, one {# unlocked} other {# unlocked}}', { count: open.length })}
          isBusy={locking.isBusy}
          onPress={() => {
            setAnswers([]);
            begin(open);
          }}
        >
          {t('Lock all')}
        </Button>
      )}
      <Status>
        {waiting !== null && (
          <div class="notice undo">
            <p>{t('Locking in 5 seconds: {names}', { names: listWords(waiting.map(nameOf)) })}</p>
            <Button onPress={undo}>{t('Undo')}</Button>
          </div>
        )}
        {locking.isUnanswered && (
          <p class="warning">{t('The plugin hasn’t answered yet. Check the doors.')}</p>
        )}
        {answers.filter(Boolean).map((answer) => (
          <p key={answer} class="warning">
            {answer}
          </p>
        ))}
      </Status>
    </>
  );
}

/** Does it some seconds after it was begun, or at once when the page is left: only "Undo" calls it off. */
function useDelayed(act: (locks: readonly LockView[]) => void) {
  const [waiting, setWaiting] = useState<readonly LockView[] | null>(null);
  const due = useRef<{ readonly callOff: () => void; readonly act: () => void } | null>(null);
  const end = (): void => {
    due.current?.callOff();
    due.current = null;
    setWaiting(null);
  };
  const begin = (locks: readonly LockView[]): void => {
    const now = (): void => {
      end();
      act(locks);
    };
    due.current = { callOff: after(UNDO_WITHIN_MS, now), act: now };
    setWaiting(locks);
  };
  useEffect(() => {
    const leave = (): void => due.current?.act();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return { waiting, begin, undo: end };
}

function isToBeLocked({ bolt, target, presence, description }: LockView): boolean {
  return (
    bolt === 'unsecured' && target !== 'secured' && presence === 'reachable' && description.role !== 'reader'
  );
}
