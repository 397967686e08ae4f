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
import { type TypedCode, touchedCode, useToldVersion } from './touched.ts';
import { NO_SCHEDULE, settledZone, ZonedSchedule } from './zoned-schedule.tsx';

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
  // Dates are on the clocks of the first lock; what a guest has already stays on the clocks on which it is shown.
  const first = facts.find(({ lockId }) => typed.locks === 'all' || typed.locks.includes(lockId));
  const timeZone = guest?.timeZone ?? first?.timeZone ?? OWN_ZONE;
  const [faults, setFaults] = useState(NO_FAULTS);
  const saving = useAction();
  useToldVersion(saving.failure, () => {
    setRevision(guest?.revision ?? 0);
  });
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
