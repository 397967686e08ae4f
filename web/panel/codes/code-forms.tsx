// The form of a code: a guest's, on all locks or some, or one of single locks, which no guest stands for.
import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CodeDraft, CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { GuestLocks } from '../../../src/domain/codes/guest.ts';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { ListedCode, LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { t } from '../../../src/words/translate.ts';
import {
  Choices,
  EditForm,
  NamedChoices,
  RadioChoices,
  useEditForm,
  useNamedLocks,
} from '../parts/edit-form.tsx';
import { Waiting } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';
import type { Call } from '../state/transport.ts';
import { NameAndPin } from './code-fields.tsx';
import { type ReadCodes, useLockRules } from './lock-codes.ts';
import { SavedCode, useSavedCode } from './saved-code.tsx';
import {
  NO_SCHEDULE,
  ScheduleFields,
  scheduleOf,
  settledZone,
  type TypedSchedule,
  typedOf,
} from './schedule-fields.tsx';

export interface CodeFormProps {
  /** Whose code it is; null: a new guest's. Left out: no guest's, but one of single locks. */
  readonly guest?: GuestView | null;
  /** The code of `lock` that is changed; left out: a new one. */
  readonly code?: ListedCode;
  /** The lock of a code; left out: a person has to say on which of several it is to be. */
  readonly lock?: LockId | undefined;
  /** The codes of the locks are to be read again: they may be others than shown. */
  readonly onTried?: ReadCodes['readAll'];
  readonly onClose: () => void;
}

export function CodeForm(props: CodeFormProps): VNode {
  const { rules, failure } = useLockRules(props.guest === undefined ? props.lock : 'all');
  return rules === null ? <Waiting failure={failure} /> : <Form {...props} rules={rules} />;
}

interface FormProps extends CodeFormProps {
  readonly rules: readonly LockRules[];
}

interface Typed {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
  readonly schedule: TypedSchedule;
  readonly locks: GuestLocks;
}

function Form(props: FormProps): VNode {
  const { guest, code, rules, onClose } = props;
  const { typed, type, faultOf, saving, save, saved, wanted, zone } = useCode(props);
  const isNew = (guest ?? code ?? null) === null;
  const hasLocks = guest !== undefined || (isNew && rules.length > 1);
  const add = t(guest === undefined ? 'Add the code' : 'Add the guest');
  return saved !== null ? (
    <SavedCode {...saved} onClose={onClose} />
  ) : (
    <EditForm action={isNew ? add : t('Save')} {...{ saving, save, onClose }}>
      <NameAndPin
        {...{ typed, type, guest, isNew }}
        locks={wanted}
        // Where no field shows what the lock has against it, that of the digits does.
        faultOf={(field) => faultOf(field) ?? (field === 'pin' && !hasLocks ? faultOf('lock') : null)}
      />
      <ScheduleFields
        schedule={typed.schedule}
        onType={(schedule) => type({ schedule })}
        zone={zone}
        fault={faultOf('schedule')}
      />
      {hasLocks && (
        <LocksField
          mayBeAll={guest !== undefined}
          locks={typed.locks}
          fault={faultOf('lock')}
          onType={(locks) => type({ locks })}
        />
      )}
    </EditForm>
  );
}

function useCode(props: FormProps) {
  const { guest, code, rules, onTried, onClose } = props;
  const known = guest ?? code ?? null;
  const { call, read, state } = usePageContext();
  const form = useEditForm<Typed, CodeFault>(() => {
    const locks = firstLocks(props);
    const { timeZone } = zoneOf(guest, rulesOf(rules, locks));
    const schedule = typedOf(known?.schedule ?? ALWAYS, timeZone, state.status?.serviceNow ?? 0);
    return { name: known?.name ?? '', pin: '', schedule, locks };
  });
  const { opened, typed, saving } = form;
  const { saved, finish } = useSavedCode(onClose);
  const wanted = rulesOf(rules, typed.locks);
  const zone = zoneOf(guest, wanted);
  const [revision, setRevision] = useState(known?.revision ?? 0);
  // A person who was shown another version, and saves again, means the new one: also at once.
  useLayoutEffect(() => {
    if (saving.failure?.code === 'changed-meanwhile') {
      setRevision(known?.revision ?? 0);
    }
  }, [saving.failure]);
  const save = async (): Promise<void> => {
    const isSame = known !== null && typed.schedule === opened.schedule;
    const missing = [
      ...(isSame || scheduleOf(typed.schedule, zone.timeZone) !== null ? [] : [NO_SCHEDULE]),
      ...(typed.locks.length > 0 ? [] : [NO_LOCK]),
    ];
    if (missing.length > 0) {
      form.setFaults(missing);
      return;
    }
    const answer = await form.submit(
      async () => {
        const timeZone = await settledZone(call, wanted[0]?.lockId, zone.timeZone, typed.schedule.zone);
        const schedule = scheduleOf(typed.schedule, timeZone);
        return send(call, props, { ...form, schedule, revision });
      },
      async () => {
        await read(guest === undefined ? 'codes.operations' : 'guests.list');
        await onTried?.(wanted.map(({ lockId }) => lockId));
      },
    );
    if (answer !== null && (answer.faults ?? []).length === 0) {
      finish(answer.guest?.name ?? typed.name.trim(), typed.pin, answer.guest);
    }
  };
  return { ...form, save, saved, wanted, zone };
}

/** Where it is at first. */
function firstLocks({ guest, lock, rules }: FormProps): GuestLocks {
  if (guest !== undefined) {
    return guest?.locks ?? 'all';
  }
  const only = rules.length > 1 ? [] : rules.map(({ lockId }) => lockId);
  return lock === undefined ? only : [lock];
}

interface Answer {
  readonly kind: string;
  readonly faults?: readonly CodeFault[];
  readonly guest?: GuestView;
}

/** `schedule` null: it cannot be read. `revision`: the version that the person saw. */
async function send(
  call: Call,
  { guest, code, lock }: CodeFormProps,
  form: { opened: Typed; typed: Typed; schedule: CodeSchedule | null; revision: number },
): Promise<Answer> {
  const { opened, typed, schedule, revision } = form;
  const { locks, pin } = typed;
  const draft = { name: typed.name.trim(), pin, schedule: schedule ?? ALWAYS };
  const changes = touched(opened, typed, schedule);
  if (guest === null) {
    return call('guests.add', { draft, locks });
  }
  if (guest !== undefined) {
    return call('guests.update', { guest: guest.id, changes, revision });
  }
  if (code === undefined) {
    return addTo(call, locks === 'all' ? [] : locks, draft);
  }
  return Object.keys(changes).length === 0
    ? { kind: 'same' }
    : call('codes.update', { lock, code: code.id, changes, revision });
}

/** Every lock is asked whether it takes the code before any of them gets it. */
async function addTo(call: Call, locks: readonly LockId[], draft: CodeDraft): Promise<Answer> {
  const checked = await Promise.all(
    locks.map(async (lock) => call('codes.check', { lock, code: null, values: draft })),
  );
  const refused = checked.flatMap(({ faults }) => faults);
  if (refused.length > 0) {
    return { kind: 'invalid', faults: refused };
  }
  const answers: readonly Answer[] = await Promise.all(
    locks.map(async (lock) => call('codes.add', { lock, draft })),
  );
  return { kind: 'tried', faults: answers.flatMap(({ faults = [] }) => faults) };
}

const ALWAYS = { kind: 'always' } as const;

const NO_LOCK: CodeFault = {
  field: 'lock',
  reason: 'values-invalid',
  words: message('Choose at least one lock.'),
};

/** The rules of these locks; while none is chosen, of all. */
function rulesOf(rules: readonly LockRules[], locks: GuestLocks): readonly LockRules[] {
  return rules.filter(({ lockId }) => locks === 'all' || locks.length === 0 || locks.includes(lockId));
}

/** Dates are on the clocks of the first lock; the stored dates of a guest stay on the clocks on which they are shown. */
function zoneOf(guest: GuestView | null | undefined, [first]: readonly LockRules[]): LockZone {
  const timeZone = guest?.timeZone ?? first?.timeZone ?? machineZone();
  return { timeZone, zoneFrom: first?.zoneFrom ?? 'option' };
}

/** Other members are not sent, so that an old form does not undo another person's changes. */
function touched(opened: Typed, typed: Typed, schedule: CodeSchedule | null): object {
  return {
    ...(typed.name === opened.name ? {} : { name: typed.name.trim() }),
    ...(typed.pin === '' ? {} : { pin: typed.pin }),
    ...(typed.schedule === opened.schedule || schedule === null ? {} : { schedule }),
    ...(typed.locks === opened.locks ? {} : { locks: typed.locks }),
  };
}

function LocksField(props: {
  readonly mayBeAll: boolean;
  readonly locks: GuestLocks;
  readonly fault: string | null;
  readonly onType: (locks: GuestLocks) => void;
}): VNode {
  const { mayBeAll, locks, fault, onType } = props;
  const known = useNamedLocks();
  return (
    <Choices legend={t('Locks')} fault={fault}>
      {mayBeAll && (
        <RadioChoices
          choices={[
            [true, t('All locks, including new ones')],
            [false, t('Only these')],
          ]}
          chosen={locks === 'all'}
          onChoose={(isAll) => onType(isAll ? 'all' : known.map(({ id }) => id))}
        />
      )}
      {locks !== 'all' && <NamedChoices all={known} chosen={locks} onType={onType} />}
    </Choices>
  );
}
