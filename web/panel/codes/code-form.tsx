// The form of one access code: a new one, for one lock or several, or a change of one.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CodeDraft } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CodeAnswer, ListedCode } from '../../../src/sync/codes/access-codes.ts';
import { t } from '../../../src/words/translate.ts';
import { EditForm, LockChoices } from '../parts/edit-form.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import type { Call } from '../state/transport.ts';
import { CodeFields } from './code-fields.tsx';
import { scheduleOf, typedOf } from './schedule-fields.tsx';
import { type TypedCode, touchedCode, useToldVersion } from './touched.ts';
import { NO_SCHEDULE, settledZone } from './zoned-schedule.tsx';

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

interface Typed extends TypedCode {
  readonly lockIds: readonly LockId[];
}

const NO_FAULTS: readonly CodeFault[] = [];
const ALWAYS = { kind: 'always' } as const;

/** What is typed, what is wrong with it, and saving it. */
function useCodeForm({ lockId, facts: { timeZone }, code, onClose, onTried }: CodeFormProps) {
  const { call, read, state } = usePageContext();
  const [opened] = useState<Typed>(() => ({
    name: code?.name ?? '',
    pin: '',
    schedule: typedOf(code?.schedule ?? { kind: 'always' }, timeZone, state.status?.serviceNow ?? 0),
    lockIds: [lockId],
    zone: '',
  }));
  const [typed, setTyped] = useState(opened);
  const [revision, setRevision] = useState(code?.revision ?? 0);
  const [faults, setFaults] = useState(NO_FAULTS);
  const saving = useAction();
  useToldVersion(saving.failure, () => setRevision(code?.revision ?? 0));
  const save = async (): Promise<void> => {
    setFaults(NO_FAULTS);
    if (
      scheduleOf(typed.schedule, timeZone) === null &&
      (code === null || typed.schedule !== opened.schedule)
    ) {
      setFaults([NO_SCHEDULE]);
      return;
    }
    await saving.run(async () => {
      const schedule = scheduleOf(typed.schedule, await settledZone(call, lockId, timeZone, typed.zone));
      const draft = { name: typed.name.trim(), pin: typed.pin, schedule: schedule ?? ALWAYS };
      const changes = touchedCode(opened, typed, { ...draft, schedule });
      try {
        const found = await (code === null
          ? addTo(call, typed.lockIds, draft)
          : change(call, lockId, { code: code.id, changes, revision }));
        setFaults(found);
        await read('codes.operations');
        if (found.length === 0) {
          onClose();
        }
      } finally {
        await onTried();
      }
    });
  };
  const faultOf = (field: CodeFault['field']): string | null => {
    const found = faults.find((fault) => fault.field === field);
    return found === undefined ? null : t(found.words);
  };
  return { typed, setTyped, faultOf, saving, save };
}

export function CodeForm(props: CodeFormProps): VNode {
  const { lockId, facts, code, onClose } = props;
  const { typed, setTyped, faultOf, saving, save } = useCodeForm(props);
  const { state } = usePageContext();
  const others = (state.locks ?? []).filter(({ id }) => id !== lockId);
  return (
    <EditForm
      label={code === null ? t('New code') : t('Change {name}', { name: code.name })}
      action={t(code === null ? 'Add the code' : 'Save')}
      {...{ saving, save, onClose }}
    >
      <CodeFields
        typed={typed}
        type={(changes) => setTyped({ ...typed, ...changes })}
        locks={[facts]}
        zone={facts}
        isNew={code === null}
        faultOf={faultOf}
        pinFault={faultOf('pin') ?? faultOf('lock')}
      />
      {code === null && others.length > 0 && (
        <fieldset class="schedule">
          <legend>{t('Also on')}</legend>
          <LockChoices
            locks={others.map((lock) => ({ id: lock.id, name: lock.description.name }))}
            chosen={typed.lockIds}
            onType={(lockIds) => setTyped({ ...typed, lockIds })}
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
