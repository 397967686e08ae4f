// The sheet of a new code: the choice of a lock, and the form, once the rules of that lock are known.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Failure } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { CodeForm } from './code-form.tsx';
import { useLockCodes } from './lock-codes.ts';

export function NewCode(props: {
  readonly locks: readonly LockView[];
  readonly chosen: LockView | null;
  readonly onTried: (id: LockId) => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { locks, onTried, onClose } = props;
  const [id, setId] = useState(props.chosen?.id);
  const lock = locks.find((one) => one.id === id);
  return (
    <Sheet title={t('New code')} onClose={onClose}>
      {locks.length > 1 && (
        <Choice
          label={t('On which lock')}
          names={locks.map(nameOf)}
          chosen={locks.findIndex((one) => one === lock)}
          onChoose={(index) => setId(locks[index]?.id)}
        />
      )}
      {lock !== undefined && <FormOf key={lock.id} lock={lock} onTried={onTried} onClose={onClose} />}
    </Sheet>
  );
}

function FormOf(props: {
  readonly lock: LockView;
  readonly onTried: (id: LockId) => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { lock, onTried, onClose } = props;
  const { listed, failures } = useLockCodes([lock.id]);
  const facts = listed.get(lock.id);
  return facts === undefined ? (
    failures.has(lock.id) ? (
      <Failure failure={failures.get(lock.id) ?? null} />
    ) : (
      <p>{t('Loading …')}</p>
    )
  ) : (
    <CodeForm
      lockId={lock.id}
      facts={facts}
      code={null}
      onTried={async () => onTried(lock.id)}
      onClose={onClose}
    />
  );
}
