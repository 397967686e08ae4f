// The forms of a guest and of the code of one lock, which differ in their locks.
import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CodeDraft, CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { GuestLocks } from '../../../src/domain/codes/guest.ts';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import { asCalled, isStorable, nameOnLocks, namesTaken } from '../../../src/domain/codes/names.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { ListedCode, LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { onLockWords } from '../../../src/words/guests.ts';
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
import { usePageContext } from '../state/page-context.ts';
import type { Call } from '../state/transport.ts';
import { NameAndPin } from './code-fields.tsx';
import { useLockRules } from './lock-codes.ts';
import { SavedCode, useSavedCode } from './saved-code.tsx';
import {
  NO_SCHEDULE,
  ScheduleFields,
  scheduleOf,
  settledZone,
  type TypedWhen,
  typedOf,
} from './schedule-fields.tsx';

interface GuestFormProps {
  /** Null: a new one. */
  readonly guest: GuestView | null;
  readonly onClose: () => void;
}

export function GuestForm(props: GuestFormProps): VNode {
  const rules = useLockRules();
  return rules === null ? <p>{t('Loading …')}</p> : <LoadedGuestForm {...props} rules={rules} />;
}

function LoadedGuestForm(props: GuestFormProps & { readonly rules: readonly LockRules[] }): VNode {
  const { guest, rules, onClose } = props;
  const { call, read } = usePageContext();
  const wanted: { readonly locks: GuestLocks } = { locks: guest?.locks ?? 'all' };
  const form = useTypedCode(guest, zoneOf(guest, rules).timeZone, wanted);
  const { saved, finish } = useSavedCode(onClose);
  const { typed, type, faultOf, saving } = form;
  const { locks } = typed;
  const ofThese = rules.filter(({ lockId }) => locks === 'all' || locks.includes(lockId));
  const zone = zoneOf(guest, ofThese);
  const nameHelp = useNameHelp(guest, typed.name);
  const save = async (): Promise<void> => {
    const answer = await form.save(
      { lock: ofThese[0]?.lockId, timeZone: zone.timeZone },
      async (draft, edited, revision) => {
        const changes = { ...edited, ...(locks === form.opened.locks ? {} : { locks }) };
        return guest === null
          ? call('guests.add', { draft, locks })
          : call('guests.update', { guest: guest.id, changes, revision });
      },
      async () => read('guests.list'),
    );
    if (answer?.kind === 'saved') {
      finish(answer.guest.name, typed.pin, answer.guest);
    }
  };
  return saved !== null ? (
    <SavedCode {...saved} onClose={onClose} />
  ) : (
    <EditForm action={t(guest === null ? 'Add the guest' : 'Save')} {...{ saving, save, onClose }}>
      <NameAndPin {...{ typed, type, faultOf, nameHelp }} locks={ofThese} isNew={guest === null} />
      <ScheduleFields {...{ typed, type }} zone={zone} fault={faultOf('schedule')} />
      <LocksField locks={locks} fault={faultOf('lock')} onType={(now) => type({ locks: now })} />
    </EditForm>
  );
}

/** Dates are on the clocks of the first lock; the stored dates of a guest stay on the clocks on which they are shown. */
function zoneOf(guest: GuestView | null, [first]: readonly LockRules[]): LockZone {
  const timeZone = guest?.timeZone ?? first?.timeZone ?? machineZone();
  return { timeZone, zoneFrom: first?.zoneFrom ?? 'option' };
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

function LocksField(props: {
  readonly locks: GuestLocks;
  readonly fault: string | null;
  readonly onType: (locks: GuestLocks) => void;
}): VNode {
  const { locks, fault, onType } = props;
  const known = useNamedLocks();
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

export function CodeForm(props: {
  readonly lockId: LockId;
  /** What the lock takes, and the zone of its dates. */
  readonly facts: LockZone & TakenLengths;
  /** Null: a new one, for this lock or several. */
  readonly code: ListedCode | null;
  readonly onClose: () => void;
  /** The codes of the lock are to be read again: they may be others than shown. */
  readonly onTried: () => Promise<void>;
}): VNode {
  const { lockId: lock, facts, code, onClose, onTried } = props;
  const { timeZone } = facts;
  const { call, read } = usePageContext();
  const form = useTypedCode(code, timeZone, { lockIds: [lock] });
  const { saved, finish } = useSavedCode(onClose);
  const { typed, type, faultOf, saving } = form;
  const { name, pin, lockIds } = typed;
  const others = useNamedLocks().filter(({ id }) => id !== lock);
  const save = async (): Promise<void> => {
    const answer = await form.save(
      { lock, timeZone },
      async (draft, changes, revision) => {
        const isSame = code !== null && Object.keys(changes).length === 0;
        const faults = await (code === null
          ? addTo(call, lockIds, draft)
          : isSame
            ? []
            : faultsIn(await call('codes.update', { lock, code: code.id, changes, revision })));
        await read('codes.operations');
        return { kind: 'tried', faults };
      },
      onTried,
    );
    if (answer?.faults.length === 0) {
      finish(name.trim(), pin);
    }
  };
  return saved !== null ? (
    <SavedCode {...saved} onClose={onClose} />
  ) : (
    <EditForm action={t(code === null ? 'Add the code' : 'Save')} {...{ saving, save, onClose }}>
      <NameAndPin
        {...{ typed, type, faultOf }}
        locks={[facts]}
        isNew={code === null}
        nameHelp={t('Plain letters and digits, at most 24.')}
        lockFault={faultOf('lock')}
      />
      <ScheduleFields {...{ typed, type }} zone={facts} fault={faultOf('schedule')} />
      {code === null && others.length > 0 && (
        <Choices legend={t('Also on')}>
          <NamedChoices all={others} chosen={lockIds} onType={(now) => type({ lockIds: [...now] })} />
        </Choices>
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
  const faults = checked.flatMap(faultsIn);
  if (faults.length > 0) {
    return faults;
  }
  const answers = await Promise.all(lockIds.map(async (lock) => call('codes.add', { lock, draft })));
  return answers.flatMap(faultsIn);
}

function faultsIn(answer: object & { readonly faults?: readonly CodeFault[] }): readonly CodeFault[] {
  return answer.faults ?? [];
}

interface TypedCode extends TypedWhen {
  readonly name: string;
  /** Empty: the digits stay. */
  readonly pin: string;
}

interface KnownCode {
  readonly name: string;
  readonly schedule: CodeSchedule;
  readonly revision: number;
}

const ALWAYS = { kind: 'always' } as const;

/** `known`: the code that is changed; null: a new one. `more`: further fields of the form. */
function useTypedCode<More extends object>(known: KnownCode | null, timeZone: string, more: More) {
  const { call, state } = usePageContext();
  const form = useEditForm<TypedCode & More, CodeFault>(() => ({
    name: known?.name ?? '',
    pin: '',
    schedule: typedOf(known?.schedule ?? ALWAYS, timeZone, state.status?.serviceNow ?? 0),
    zone: '',
    ...more,
  }));
  const { opened, typed, saving } = form;
  const [revision, setRevision] = useState(known?.revision ?? 0);
  // A person who was shown another version, and saves again, means the new one: also at once.
  useLayoutEffect(() => {
    if (saving.failure?.code === 'changed-meanwhile') {
      setRevision(known?.revision ?? 0);
    }
  }, [saving.failure]);
  /**
   * `lock`: whose zone may have been asked for. `timeZone`: of the typed dates. `ask` gets the code as a whole, the members that
   * a person touched, and the version that the person saw.
   */
  const save = async <Answer extends { readonly kind: string; readonly faults?: readonly CodeFault[] }>(
    at: { readonly lock: LockId | undefined; readonly timeZone: string },
    ask: (draft: CodeDraft, changes: CodeChanges, revision: number) => Promise<Answer>,
    after: () => Promise<unknown>,
  ): Promise<Answer | null> => {
    const isTouched = known === null || typed.schedule !== opened.schedule;
    if (isTouched && scheduleOf(typed.schedule, at.timeZone) === null) {
      form.setFaults([NO_SCHEDULE]);
      return null;
    }
    return form.submit(async () => {
      const zone =
        at.lock === undefined ? at.timeZone : await settledZone(call, at.lock, at.timeZone, typed.zone);
      const schedule = scheduleOf(typed.schedule, zone);
      const draft = { name: typed.name.trim(), pin: typed.pin, schedule: schedule ?? ALWAYS };
      return ask(draft, touched(opened, typed, schedule), revision);
    }, after);
  };
  return { ...form, save };
}

/** Other members are not sent, so that an old form does not undo another person's changes. `schedule` null: it cannot be read. */
function touched(opened: TypedCode, typed: TypedCode, schedule: CodeSchedule | null): CodeChanges {
  const isSameTime = typed.schedule === opened.schedule && typed.zone === opened.zone;
  return {
    ...(typed.name === opened.name ? {} : { name: typed.name.trim() }),
    ...(typed.pin === '' ? {} : { pin: typed.pin }),
    ...(isSameTime || schedule === null ? {} : { schedule }),
  };
}
