// The sheets that ask which lock is meant: of a new code, and of the removal of all codes, which takes the name of the lock, typed.
import { Fragment, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';
import { CodeForm } from './code-forms.tsx';
import { useLockCodes } from './lock-codes.ts';

interface LockSheetProps {
  readonly locks: readonly LockView[];
  /** The lock that the page shows; null: all of them, and a person has to say which is meant. */
  readonly chosen: LockView | null;
  readonly onClose: () => void;
}

export function NewCode(props: LockSheetProps & { readonly onTried: (id: LockId) => Promise<void> }): VNode {
  const { onTried, onClose } = props;
  return (
    <LockSheet {...props} title={t('New code')} label={t('On which lock')}>
      {(lock) => <NewCodeForm lock={lock} onTried={async () => onTried(lock.id)} onClose={onClose} />}
    </LockSheet>
  );
}

export function RemoveAll(props: LockSheetProps): VNode {
  return (
    <LockSheet {...props} title={t('Remove all codes of a lock')} label={t('Of which lock')}>
      {(lock) => <RemovalQuestion lock={lock} onClose={props.onClose} />}
    </LockSheet>
  );
}

/** `children`: what is asked of the chosen lock. */
function LockSheet(
  props: LockSheetProps & {
    readonly title: string;
    readonly label: string;
    readonly children: (lock: LockView) => VNode;
  },
): VNode {
  const { locks, title, label, onClose, children } = props;
  const [id, setId] = useState((props.chosen ?? locks[0])?.id);
  const index = locks.findIndex((one) => one.id === id);
  const lock = locks[index];
  return (
    <Sheet title={title} onClose={onClose}>
      {locks.length > 1 && (
        <Choice
          label={label}
          names={locks.map(nameOf)}
          chosen={index}
          onChoose={(next) => setId(locks[next]?.id)}
        />
      )}
      {lock !== undefined && <Fragment key={lock.id}>{children(lock)}</Fragment>}
    </Sheet>
  );
}

/** It opens once the rules of the lock are known. */
function NewCodeForm(props: {
  readonly lock: LockView;
  readonly onTried: () => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { lock, ...rest } = props;
  const { listed, failures } = useLockCodes([lock.id]);
  const facts = listed.get(lock.id);
  const failure = failures.get(lock.id);
  if (facts !== undefined) {
    return <CodeForm lockId={lock.id} facts={facts} code={null} {...rest} />;
  }
  return failure === undefined ? <p>{t('Loading …')}</p> : <Failure failure={failure} />;
}

function RemovalQuestion(props: { readonly lock: LockView; readonly onClose: () => void }): VNode {
  const { lock, onClose } = props;
  const { state } = usePageContext();
  const { isBusy, failure, change } = useChange('codes.operations');
  const [typed, setTyped] = useState('');
  const hasGuests = (state['guests.list'] ?? []).some(({ onLocks }) =>
    onLocks.some(({ lockId, codeId }) => lockId === lock.id && codeId !== null),
  );
  const name = nameOf(lock);
  const remove = async (): Promise<void> => {
    if (await change('codes.clear', { lock: lock.id })) {
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
          isOff={typed.trim() !== name.trim()}
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
