// Locks all doors that are unlocked, after a question that names them.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { locale, t } from '../../../src/words/translate.ts';
import { answerSign } from '../parts/lock-signs.ts';
import { Confirmed, Status } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { shownError } from '../state/transport.ts';

/** Shown from this number on: one door has its own button. */
const MANY = 2;

export function LockAll({ locks }: { readonly locks: readonly LockView[] }): VNode | null {
  const { call } = usePageContext();
  const locking = useAction();
  const [answers, setAnswers] = useState<readonly string[]>([]);
  const open = locks.filter(isToBeLocked);
  const names = new Intl.ListFormat(locale() ?? 'en').format(open.map(nameOf));
  /** One failure does not hide the outcome of the others. */
  const lockOne = async (lock: LockView): Promise<string> => {
    const words = await call('lock', { lock: lock.id }).then(
      answerSign,
      (thrown: unknown) => shownError(thrown).message,
    );
    return words === '' ? '' : t('{name}: {what}', { name: nameOf(lock), what: words });
  };
  return (
    <>
      {open.length >= MANY && (
        <Confirmed
          action={t('Lock all')}
          of={t('{count, plural, one {# unlocked} other {# unlocked}}', { count: open.length })}
          question={t('Lock {names}?', { names })}
          isBusy={locking.isBusy}
          onConfirm={() => {
            setAnswers([]);
            void locking.run(async () => setAnswers(await Promise.all(open.map(lockOne))));
          }}
        />
      )}
      <Status>
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

function isToBeLocked({ bolt, target, presence, description }: LockView): boolean {
  return (
    bolt === 'unsecured' && target !== 'secured' && presence === 'reachable' && description.role !== 'reader'
  );
}
