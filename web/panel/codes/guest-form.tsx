// The form of one guest: name, code, schedule and locks.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { GuestLocks } from '../../../src/domain/codes/guest.ts';
import { asCalled, isStorable, nameOnLocks, namesTaken } from '../../../src/domain/codes/names.ts';
import type { LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { onLockWords } from '../../../src/words/guests.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, EditForm, NamedChoices, RadioChoices } from '../parts/edit-form.tsx';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';
import { CodeFields } from './code-fields.tsx';
import { useLockRules } from './lock-codes.ts';
import { useMessageCopy } from './message-copy.tsx';
import { SavedCode } from './saved-code.tsx';
import { NO_FAULTS, useTypedCode } from './typed-code.ts';

interface FormProps {
  /** Null: a new one. */
  readonly guest: GuestView | null;
  readonly onClose: () => void;
}

export function GuestForm(props: FormProps): VNode {
  const rules = useLockRules();
  return rules === null ? <p>{t('Loading …')}</p> : <LoadedForm {...props} rules={rules} />;
}

interface LoadedProps extends FormProps {
  readonly rules: readonly LockRules[];
}

/** A guest whose digits are to be told. */
export interface Saved extends Pick<GuestView, 'id' | 'name' | 'nameOnLock'> {
  readonly pin: string;
}

function useGuestForm({ guest, rules, onClose }: LoadedProps) {
  const { call, read } = usePageContext();
  const zoneOfGuest = guest?.timeZone ?? rules[0]?.timeZone ?? machineZone();
  const chosen: { readonly locks: GuestLocks } = { locks: guest?.locks ?? 'all' };
  const form = useTypedCode(guest, zoneOfGuest, chosen);
  const [saved, setSaved] = useState<Saved | null>(null);
  const { typed } = form;
  const { locks } = typed;
  const ofThese = rules.filter(({ lockId }) => locks === 'all' || locks.includes(lockId));
  // Dates are on the clocks of the first lock; the stored dates of a guest stay on the clocks on which they are shown.
  const [first] = ofThese;
  const timeZone = guest?.timeZone ?? first?.timeZone ?? machineZone();
  const save = async (): Promise<void> =>
    form.save(first?.lockId, timeZone, async (draft, touched, revision) => {
      const changes = { ...touched, ...(locks === form.opened.locks ? {} : { locks }) };
      try {
        const answer = await (guest === null
          ? call('guests.add', { draft, locks })
          : call('guests.update', { guest: guest.id, changes, revision }));
        form.setFaults(answer.kind === 'invalid' ? answer.faults : NO_FAULTS);
        if (answer.kind === 'saved') {
          if (typed.pin === '') {
            onClose();
          } else {
            setSaved({ ...answer.guest, pin: typed.pin });
          }
        }
      } finally {
        await read('guests.list');
      }
    });
  return { ...form, saved, save, ofThese, zone: { timeZone, zoneFrom: first?.zoneFrom ?? 'option' } };
}

function LoadedForm(props: LoadedProps): VNode {
  const { guest, onClose } = props;
  const { typed, type, faultOf, saved, saving, save, ofThese, zone } = useGuestForm(props);
  const nameHelp = useNameHelp(guest, typed.name);
  if (saved !== null) {
    return <SavedGuest saved={saved} onClose={onClose} />;
  }
  return (
    <EditForm
      label={guest === null ? t('New guest') : t('Change {name}', { name: guest.name })}
      action={t(guest === null ? 'Add the guest' : 'Save')}
      {...{ saving, save, onClose }}
    >
      <CodeFields
        {...{ typed, type, zone, faultOf }}
        locks={ofThese}
        isNew={guest === null}
        nameHelp={nameHelp}
        pinFault={faultOf('pin')}
      />
      <LocksField locks={typed.locks} fault={faultOf('lock')} onType={(locks) => type({ locks })} />
    </EditForm>
  );
}

/** The name that the lock would store beside the typed one. Codes that were not read yet may still change it. */
export function useNameHelp(guest: GuestView | null, typed: string): string {
  const { state } = usePageContext();
  const called = asCalled(typed);
  if (isStorable(called)) {
    return t('In any script. Where a lock can’t store the name, its code gets a plain one.');
  }
  const others = (state['guests.list'] ?? []).filter(({ id }) => id !== guest?.id);
  const taken = namesTaken(called, others);
  return onLockWords({ name: '', nameOnLock: nameOnLocks(called, guest?.nameOnLock ?? null, taken) });
}

export function SavedGuest({
  saved,
  onClose,
}: {
  readonly saved: Saved;
  readonly onClose: () => void;
}): VNode {
  const { call } = usePageContext();
  const { copy, copying, said } = useMessageCopy(async (language, reader) =>
    call('guests.message', { guest: saved.id, language, reader }),
  );
  return (
    <>
      <SavedCode name={saved.name} pin={saved.pin} about={onLockWords(saved)} onClose={onClose}>
        <Button kind="main" isBusy={copying.isBusy} onPress={() => void copy()}>
          {t('Copy message')}
        </Button>
      </SavedCode>
      <Status>{said}</Status>
      <Failure failure={copying.failure} />
    </>
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
      {locks !== 'all' && <NamedChoices all={known} chosen={locks} onType={onType} />}
    </Choices>
  );
}
