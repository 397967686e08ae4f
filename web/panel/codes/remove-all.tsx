// The sheet that removes all codes of a lock, once a person has typed its name.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';

export function RemoveAll(props: {
  readonly locks: readonly LockView[];
  /** The lock that the page shows; null: all of them, and a person has to say which is meant. */
  readonly chosen: LockView | null;
  readonly onClose: () => void;
}): VNode {
  const { locks, chosen, onClose } = props;
  const [id, setId] = useState((chosen ?? locks[0])?.id);
  const index = locks.findIndex((one) => one.id === id);
  return (
    <Sheet title={t('Remove all codes of a lock')} onClose={onClose}>
      {locks.length > 1 && (
        <Choice
          label={t('Of which lock')}
          names={locks.map(nameOf)}
          chosen={index}
          onChoose={(next) => setId(locks[next]?.id)}
        />
      )}
      <OfLock key={id} lock={locks[index]} onClose={onClose} />
    </Sheet>
  );
}

/** What is typed, and why it failed, is of one lock; locks may have the same name. */
function OfLock(props: { readonly lock: LockView | undefined; readonly onClose: () => void }): VNode {
  const { lock, onClose } = props;
  const { state } = usePageContext();
  const { isBusy, failure, change } = useChange('codes.operations');
  const [typed, setTyped] = useState('');
  const id = lock?.id;
  const name = lock === undefined ? '' : nameOf(lock).trim();
  const hasGuests = (state['guests.list'] ?? []).some(({ onLocks }) =>
    onLocks.some(({ lockId, codeId }) => lockId === id && codeId !== null),
  );
  const remove = async (): Promise<void> => {
    if (await change('codes.clear', { lock: id })) {
      onClose();
    }
  };
  return (
    <>
      <Field
        label={t('Type the name of the lock to remove all its codes')}
        help={
          <>
            {tRich('{name}. Read-only codes stay.', { name: <bdi>{name}</bdi> })}
            {hasGuests && ` ${t('Codes of guests are removed, too.')}`}
          </>
        }
        value={typed}
        onInput={setTyped}
      />
      <Failure failure={failure} />
      <div class="pushes">
        <Button
          kind="risky"
          isOff={lock === undefined || typed.trim() !== name}
          isBusy={isBusy}
          onPress={() => void remove()}
        >
          {t('Remove all codes')}
        </Button>
        <Button onPress={onClose}>{t('Cancel')}</Button>
      </div>
    </>
  );
}
