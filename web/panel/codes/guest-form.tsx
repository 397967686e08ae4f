// The form of one guest: name, code, schedule and locks.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { GuestLocks } from '../../../src/domain/codes/guests/guest.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, EditForm, LockChoices, RadioChoices } from '../parts/edit-form.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { CodeFields } from './code-fields.tsx';
import { type LockFacts, useLockFacts } from './lock-facts.ts';
import { scheduleOf, typedOf } from './schedule-fields.tsx';
import { type TypedCode, touchedCode, useToldVersion } from './touched.ts';
import { NO_SCHEDULE, settledZone } from './zoned-schedule.tsx';

interface FormProps {
  /** Null: a new one. */
  readonly guest: GuestView | null;
  readonly onClose: () => void;
}

export function GuestForm(props: FormProps): VNode {
  const facts = useLockFacts();
  return facts === null ? <p>{t('Loading …')}</p> : <LoadedForm {...props} facts={facts} />;
}

interface LoadedProps extends FormProps {
  readonly facts: readonly LockFacts[];
}

interface Typed extends TypedCode {
  readonly locks: GuestLocks;
}

const NO_FAULTS: readonly CodeFault[] = [];
const ALWAYS = { kind: 'always' } as const;

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

function useGuestForm({ guest, facts, onClose }: LoadedProps) {
  const { call, read, state } = usePageContext();
  const zoneOfGuest = guest?.timeZone ?? facts[0]?.timeZone ?? OWN_ZONE;
  const [opened] = useState<Typed>(() => ({
    name: guest?.name ?? '',
    pin: '',
    schedule: typedOf(guest?.schedule ?? { kind: 'always' }, zoneOfGuest, state.status?.serviceNow ?? 0),
    locks: guest?.locks ?? 'all',
    zone: '',
  }));
  const [typed, setTyped] = useState(opened);
  const [revision, setRevision] = useState(guest?.revision ?? 0);
  // Dates are on the clocks of the first lock; the stored dates of a guest stay on the clocks on which they are shown.
  const first = facts.find(({ lockId }) => typed.locks === 'all' || typed.locks.includes(lockId));
  const timeZone = guest?.timeZone ?? first?.timeZone ?? OWN_ZONE;
  const [faults, setFaults] = useState(NO_FAULTS);
  const saving = useAction();
  useToldVersion(saving.failure, () => setRevision(guest?.revision ?? 0));
  const save = async (): Promise<void> => {
    const isWrong =
      scheduleOf(typed.schedule, timeZone) === null && (guest === null || typed.schedule !== opened.schedule);
    setFaults(isWrong ? [NO_SCHEDULE] : NO_FAULTS);
    if (isWrong) {
      return;
    }
    await saving.run(async () => {
      const zone =
        first === undefined ? timeZone : await settledZone(call, first.lockId, timeZone, typed.zone);
      const schedule = scheduleOf(typed.schedule, zone);
      const { pin, locks } = typed;
      const draft = { name: typed.name.trim(), pin, schedule: schedule ?? ALWAYS };
      const changes = {
        ...touchedCode(opened, typed, { ...draft, schedule }),
        ...(locks === opened.locks ? {} : { locks }),
      };
      try {
        const answer = await (guest === null
          ? call('guests.add', { draft, locks })
          : call('guests.update', { guest: guest.id, changes, revision }));
        setFaults(answer.kind === 'invalid' ? answer.faults : NO_FAULTS);
        if (answer.kind === 'saved') {
          onClose();
        }
      } finally {
        await read('guests.list');
      }
    });
  };
  const faultOf = (field: CodeFault['field']): string | null => {
    const found = faults.find((fault) => fault.field === field);
    return found === undefined ? null : t(found.words);
  };
  return { typed, setTyped, timeZone, zoneFrom: first?.zoneFrom ?? 'option', faultOf, saving, save };
}

function LoadedForm(props: LoadedProps): VNode {
  const { guest, facts, onClose } = props;
  const { typed, setTyped, timeZone, zoneFrom, faultOf, saving, save } = useGuestForm(props);
  return (
    <EditForm
      label={guest === null ? t('New guest') : t('Change {name}', { name: guest.name })}
      action={t(guest === null ? 'Add the guest' : 'Save')}
      {...{ saving, save, onClose }}
    >
      <CodeFields
        typed={typed}
        type={(changes) => setTyped({ ...typed, ...changes })}
        locks={facts.filter(({ lockId }) => typed.locks === 'all' || typed.locks.includes(lockId))}
        zone={{ timeZone, zoneFrom }}
        isNew={guest === null}
        faultOf={faultOf}
        pinFault={faultOf('pin')}
      />
      <LocksField
        locks={typed.locks}
        fault={faultOf('lock')}
        onType={(locks) => setTyped({ ...typed, locks })}
      />
    </EditForm>
  );
}

function LocksField(props: {
  readonly locks: GuestLocks;
  readonly fault: string | null;
  readonly onType: (locks: GuestLocks) => void;
}): VNode {
  const { locks, fault, onType } = props;
  const { state } = usePageContext();
  const known = (state.locks ?? []).map(({ id, description }) => ({ id, name: description.name }));
  return (
    <Choices legend={t('Locks')} fault={fault}>
      <RadioChoices
        choices={[
          [true, t('All locks, including new ones')],
          [false, t('Only these')],
        ]}
        chosen={locks === 'all'}
        onChoose={(isAll) => onType(isAll ? 'all' : known.map(({ id }) => id))}
      />
      {locks !== 'all' && <LockChoices locks={known} chosen={locks} onType={onType} />}
    </Choices>
  );
}
