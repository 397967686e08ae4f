// What stands above the list of codes: who waits for a yes after a restore, how changes go, and how the latest of them ended.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OldFile } from '../../../src/domain/codes/file-age.ts';
import { hasEnded } from '../../../src/domain/codes/operation.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { progressSentence } from '../../../src/words/codes.ts';
import { oldFileWords, UNREAD_ROWS } from '../../../src/words/guests.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure, Notice } from '../parts/pieces.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';

/** Ends of this many operations stay on the page. */
const SHOWN_ENDS = 3;

/** Of these locks; they are named where the account has more than one. */
export function CodeChanges({ locks }: { readonly locks: readonly LockView[] }): VNode {
  const { state } = usePageContext();
  const own = (state['codes.operations'] ?? []).filter(({ lockId }) => locks.some(({ id }) => id === lockId));
  const isOne = state.locks?.length === 1;
  const ended = own.filter(hasEnded).slice(-SHOWN_ENDS);
  const underWay = own.filter((operation) => !hasEnded(operation));
  return (
    <div role="status" class="status">
      {[...ended, ...underWay].map((operation) => {
        const { id, lockId, name, phase } = operation;
        const lock = isOne ? undefined : locks.find((one) => one.id === lockId);
        return (
          <Notice key={id} tone={phase === 'done' ? 'good' : phase === 'failed' ? 'bad' : 'plain'}>
            <p>
              {lock !== undefined && <bdi>{`${nameOf(lock)}: `}</bdi>}
              {phase === 'failed' && name !== null && <bdi>{`${name}: `}</bdi>}
              {progressSentence(operation)}
            </p>
          </Notice>
        );
      })}
    </div>
  );
}

interface Stored {
  readonly old: OldFile | null;
  readonly unread: number;
}

export function Proposals(): VNode {
  const { state, call } = usePageContext();
  /** Undefined: not answered yet. */
  const [answer, setAnswer] = useState<Stored | null | undefined>(undefined);
  const { isBusy, failure, change } = useChange('guests.list');
  const count = (state['guests.list'] ?? []).filter(({ isProposed }) => isProposed).length;
  useEffect(() => {
    void call('codes.proposals').then(setAnswer, () => setAnswer(null));
  }, [count > 0]);
  const old = answer?.old ?? null;
  // The list below shows the codes of unread guests as single codes, so this stands above it.
  const unread = (answer?.unread ?? 0) > 0 && <Notice tone="warning">{t(UNREAD_ROWS)}</Notice>;
  // The words come with the button, which would move from under the finger otherwise.
  if (count === 0 || answer === undefined) {
    return <>{unread}</>;
  }
  return (
    <>
      {unread}
      <section class="notice warning" aria-label={t('Confirm the guests')}>
        <p>
          {old !== null && `${t(oldFileWords(old))} `}
          {t(
            'Nobody is let in by what is stored until you confirm it, because somebody may have been removed since. Remove who may not come in any more, and codes below that belong to nobody; then confirm the others.',
          )}
        </p>
        <div class="pushes">
          <Button kind="main" isBusy={isBusy} onPress={() => void change('codes.confirm', {})}>
            {t('{count, plural, one {Confirm # guest} other {Confirm all # guests}}', { count })}
          </Button>
        </div>
        <Failure failure={failure} />
      </section>
    </>
  );
}
