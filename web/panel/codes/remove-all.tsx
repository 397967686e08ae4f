// The sheet that removes every code of a lock: it takes the name of the lock, typed.
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
import { useAction, usePageContext } from '../state/page-context.ts';

export function RemoveAll(props: {
  readonly locks: readonly LockView[];
  /** The lock that the page shows; null: all of them, and a person has to say which is meant. */
  readonly chosen: LockView | null;
  readonly onClose: () => void;
}): VNode {
  const { locks, onClose } = props;
  const [lock, setLock] = useState(props.chosen ?? locks[0]);
  return (
    <Sheet title={t('Remove all codes of a lock')} onClose={onClose}>
      {locks.length > 1 && (
        <Choice
          label={t('Of which lock')}
          names={locks.map(nameOf)}
          chosen={locks.findIndex(({ id }) => id === lock?.id)}
          onChoose={(index) => setLock(locks[index])}
        />
      )}
      {lock !== undefined && <Question key={lock.id} lock={lock} onClose={onClose} />}
    </Sheet>
  );
}

function Question(props: { readonly lock: LockView; readonly onClose: () => void }): VNode {
  const { lock, onClose } = props;
  const { call, read, state } = usePageContext();
  const [typed, setTyped] = useState('');
  const hasGuests = (state['guests.list'] ?? []).some(({ onLocks }) =>
    onLocks.some(({ lockId, codeId }) => lockId === lock.id && codeId !== null),
  );
  const removing = useAction();
  const name = nameOf(lock);
  const isMeant = typed.trim() === name.trim();
  const remove = async (): Promise<void> => {
    const isStarted = await removing.run(async () => {
      await call('codes.clear', { lock: lock.id });
      await read('codes.operations');
    });
    if (isStarted) {
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
        fault={null}
        showsFault={false}
        onInput={setTyped}
      />
      <Failure failure={removing.failure} />
      <div class="pushes">
        <Button kind="risky" isOff={!isMeant} isBusy={removing.isBusy} onPress={() => void remove()}>
          {t('Remove all codes')}
        </Button>
        <Button onPress={onClose}>{t('Cancel')}</Button>
      </div>
    </>
  );
}
