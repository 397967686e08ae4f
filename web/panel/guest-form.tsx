// The form of one guest: name, code, schedule and locks.
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { CodeFault } from '../../src/domain/access-code-policy.ts';
import type { GuestLocks } from '../../src/domain/guest.ts';
import type { LockId } from '../../src/domain/lock.ts';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { Field } from './fields.tsx';
import { type LockFacts, useLockFacts } from './lock-facts.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure } from './pieces.tsx';
import { PinField } from './pin-field.tsx';
import { scheduleOf, typedOf } from './schedule-fields.tsx';
import { NO_SCHEDULE, settledZone, type TypedWhen, ZonedSchedule } from './zoned-schedule.tsx';

interface FormProps {
  /** Null: a new one. */
  readonly guest: GuestView | null;
  readonly onClose: () => void;
}

export function GuestForm(props: FormProps): VNode {
  const facts = useLockFacts();
  return facts === null ? <p>Loading …</p> : <LoadedForm {...props} facts={facts} />;
}

interface LoadedProps extends FormProps {
  readonly facts: readonly LockFacts[];
}

interface Typed extends TypedWhen {
  readonly name: string;
  readonly pin: string;
  readonly locks: GuestLocks;
}

const NO_FAULTS: readonly CodeFault[] = [];

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

function useGuestForm({ guest, facts, onClose }: LoadedProps) {
  const { call, read, state } = usePageContext();
  const zoneOfGuest = guest?.timeZone ?? facts[0]?.timeZone ?? OWN_ZONE;
  const [typed, setTyped] = useState<Typed>(() => ({
    name: guest?.name ?? '',
    pin: '',
    schedule: typedOf(guest?.schedule ?? { kind: 'always' }, zoneOfGuest, state.status?.serviceNow ?? 0),
    locks: guest?.locks ?? 'all',
    zone: '',
  }));
  // Dates are on the clocks of the first lock; what a guest has already stays on the clocks on which it is shown.
  const first = facts.find(({ lockId }) => typed.locks === 'all' || typed.locks.includes(lockId));
  const timeZone = guest?.timeZone ?? first?.timeZone ?? OWN_ZONE;
  const [faults, setFaults] = useState(NO_FAULTS);
  const saving = useAction();
  const save = async (): Promise<void> => {
    const isSchedule = scheduleOf(typed.schedule, timeZone) !== null;
    setFaults(isSchedule ? NO_FAULTS : [NO_SCHEDULE]);
    if (!isSchedule) {
      return;
    }
    await saving.run(async () => {
      const zone =
        first === undefined ? timeZone : await settledZone(call, first.lockId, timeZone, typed.zone);
      const schedule = scheduleOf(typed.schedule, zone) ?? { kind: 'always' };
      const name = typed.name.trim();
      const { pin, locks } = typed;
      const answer =
        guest === null
          ? await call('guests.add', { draft: { name, pin, schedule }, locks })
          : await call('guests.update', {
              guest: guest.id,
              changes: { name, schedule, locks, ...(pin === '' ? {} : { pin }) },
            });
      setFaults(answer.kind === 'invalid' ? answer.faults : NO_FAULTS);
      await read('guests.list');
      if (answer.kind === 'saved') {
        onClose();
      }
    });
  };
  const faultOf = (field: CodeFault['field']): string | null =>
    faults.find((fault) => fault.field === field)?.words ?? null;
  return { typed, setTyped, timeZone, zoneFrom: first?.zoneFrom ?? 'option', faultOf, saving, save };
}

function LoadedForm(props: LoadedProps): VNode {
  const { guest, facts, onClose } = props;
  const { typed, setTyped, timeZone, zoneFrom, faultOf, saving, save } = useGuestForm(props);
  const chosen = facts.filter(({ lockId }) => typed.locks === 'all' || typed.locks.includes(lockId));
  return (
    <form
      noValidate
      class="code-form"
      aria-label={guest === null ? 'New guest' : `Change ${guest.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name"
        help="Plain letters and digits, at most 24."
        value={typed.name}
        fault={faultOf('name')}
        showsFault
        onInput={(name) => {
          setTyped({ ...typed, name });
        }}
      />
      <PinField
        pin={typed.pin}
        locks={chosen}
        isNew={guest === null}
        fault={faultOf('pin')}
        onType={(pin) => {
          setTyped({ ...typed, pin });
        }}
      />
      <ZonedSchedule
        typed={typed}
        known={{ timeZone, zoneFrom }}
        fault={faultOf('schedule')}
        onType={(changes) => {
          setTyped({ ...typed, ...changes });
        }}
      />
      <LocksField
        locks={typed.locks}
        fault={faultOf('lock')}
        onType={(locks) => {
          setTyped({ ...typed, locks });
        }}
      />
      <Failure failure={saving.failure} />
      <div class="pushes">
        <Button kind="main" isBusy={saving.isBusy} onPress="submit">
          {guest === null ? 'Add the guest' : 'Save'}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function LocksField(props: {
  readonly locks: GuestLocks;
  readonly fault: string | null;
  readonly onType: (locks: GuestLocks) => void;
}): VNode {
  const { locks, fault, onType } = props;
  const { state } = usePageContext();
  const id = useId();
  return (
    <fieldset class="schedule" aria-describedby={`${id}-about`}>
      <legend>Locks</legend>
      <div class="choices">
        <label>
          <input
            type="radio"
            name={id}
            checked={locks === 'all'}
            onChange={() => {
              onType('all');
            }}
          />
          All locks, also new ones
        </label>
        <label>
          <input
            type="radio"
            name={id}
            checked={locks !== 'all'}
            onChange={() => {
              onType((state.locks ?? []).map((lock) => lock.id));
            }}
          />
          Only these
        </label>
      </div>
      {locks !== 'all' && <NamedLocks locks={locks} onType={onType} />}
      <div id={`${id}-about`} class="about">
        <p class="fault" aria-live="polite">
          {fault}
        </p>
      </div>
    </fieldset>
  );
}

function NamedLocks(props: {
  readonly locks: readonly LockId[];
  readonly onType: (locks: readonly LockId[]) => void;
}): VNode {
  const { locks, onType } = props;
  const { state } = usePageContext();
  return (
    <div class="choices">
      {(state.locks ?? []).map((lock) => (
        <label key={lock.id}>
          <input
            type="checkbox"
            checked={locks.includes(lock.id)}
            onChange={({ currentTarget: { checked } }) => {
              const others = locks.filter((one) => one !== lock.id);
              onType(checked ? [...others, lock.id] : others);
            }}
          />
          <bdi>{lock.description.name}</bdi>
        </label>
      ))}
    </div>
  );
}
