// The form of one access code: a new one, for one lock or several, or a change of one.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CodeDraft } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CodeAnswer, ListedCode } from '../../../src/engine/codes/access-codes.ts';
import { t } from '../../../src/words/translate.ts';
import { EditForm, NamedChoices } from '../parts/edit-form.tsx';
import { usePageContext } from '../state/page-context.ts';
import type { Call } from '../state/transport.ts';
import { CodeFields } from './code-fields.tsx';
import { SavedCode } from './saved-code.tsx';
import { NO_FAULTS, useTypedCode } from './typed-code.ts';

export interface CodeFormProps {
  readonly lockId: LockId;
  /** What the lock takes, and the zone of its dates. */
  readonly facts: LockZone & TakenLengths;
  /** The code that is changed; null: a new one. */
  readonly code: ListedCode | null;
  readonly onClose: () => void;
  /** The codes of the lock are to be read again: they may be others than shown. */
  readonly onTried: () => Promise<void>;
}

export function CodeForm({ lockId, facts, code, onClose, onTried }: CodeFormProps): VNode {
  const { call, read, state } = usePageContext();
  const { typed, type, setFaults, faultOf, saving, save } = useTypedCode(code, facts.timeZone, {
    lockIds: [lockId],
  });
  const [saved, setSaved] = useState<CodeDraft | null>(null);
  const send = async (): Promise<void> =>
    save(lockId, facts.timeZone, async (draft, changes, revision) => {
      try {
        const found = await (code === null
          ? addTo(call, typed.lockIds, draft)
          : change(call, lockId, { code: code.id, changes, revision }));
        setFaults(found);
        await read('codes.operations');
        if (found.length === 0) {
          if (typed.pin === '') {
            onClose();
          } else {
            setSaved(draft);
          }
        }
      } finally {
        await onTried();
      }
    });
  if (saved !== null) {
    return <SavedCode name={saved.name} pin={saved.pin} onClose={onClose} />;
  }
  const others = (state.locks ?? []).filter(({ id }) => id !== lockId);
  return (
    <EditForm
      label={code === null ? t('New code') : t('Change {name}', { name: code.name })}
      action={t(code === null ? 'Add the code' : 'Save')}
      {...{ saving, onClose }}
      save={send}
    >
      <CodeFields
        typed={typed}
        type={type}
        locks={[facts]}
        zone={facts}
        isNew={code === null}
        nameHelp={t('Plain letters and digits, at most 24.')}
        faultOf={faultOf}
        pinFault={faultOf('pin') ?? faultOf('lock')}
      />
      {code === null && others.length > 0 && (
        <fieldset class="schedule">
          <legend>{t('Also on')}</legend>
          <NamedChoices
            all={others.map((lock) => ({ id: lock.id, name: lock.description.name }))}
            chosen={typed.lockIds}
            onType={(lockIds) => type({ lockIds: [...lockIds] })}
          />
        </fieldset>
      )}
    </EditForm>
  );
}

/** Every lock is asked whether it takes the code before any of them gets it. */
async function addTo(
  call: Call,
  lockIds: readonly LockId[],
  draft: CodeDraft,
): Promise<readonly CodeFault[]> {
  const checked = await Promise.all(
    lockIds.map(async (lock) => call('codes.check', { lock, code: null, values: draft })),
  );
  const faults = checked.flatMap((check) => check.faults);
  if (faults.length > 0) {
    return faults;
  }
  const answers = await Promise.all(lockIds.map(async (lock) => call('codes.add', { lock, draft })));
  return answers.flatMap(faultsIn);
}

async function change(
  call: Call,
  lock: LockId,
  wanted: {
    readonly code: ListedCode['id'];
    readonly changes: CodeChanges;
    readonly revision: number;
  },
): Promise<readonly CodeFault[]> {
  return Object.keys(wanted.changes).length === 0
    ? NO_FAULTS
    : faultsIn(await call('codes.update', { lock, ...wanted }));
}

function faultsIn(answer: CodeAnswer): readonly CodeFault[] {
  return answer.kind === 'invalid' ? answer.faults : NO_FAULTS;
}
