// The hours of single locks of a calendar, such as the door of a house that opens earlier than its flats.
import type { VNode } from 'preact';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { Field } from '../parts/fields.tsx';
import type { TypedCalendar, TypedLockHours } from './calendar-draft.ts';

interface LockHoursProps {
  /** The chosen ones. */
  readonly locks: readonly { readonly id: LockId; readonly name: string }[];
  readonly typed: TypedCalendar;
  readonly type: (changes: Partial<TypedCalendar>) => void;
  readonly fault: string | null;
}

/** With a single lock, the hours of the calendar are its own. */
export function LockHoursFields(props: LockHoursProps): VNode | null {
  return props.locks.length < 2 ? null : (
    <Fold title={t('Hours of single locks')} opens={props.fault !== null}>
      {() => <Fields {...props} />}
    </Fold>
  );
}

function Fields({ locks, typed, type, fault }: LockHoursProps): VNode {
  const of = (id: LockId): TypedLockHours =>
    typed.lockHours.find(({ lock }) => lock === id) ?? { lock: id, minutesBefore: '', minutesAfter: '' };
  const change = (id: LockId, minutes: Partial<TypedLockHours>): void =>
    type({ lockHours: [...typed.lockHours.filter(({ lock }) => lock !== id), { ...of(id), ...minutes }] });
  return (
    <div class="code-form">
      <p>{t('For a door that several homes share. Leave empty for the minutes above.')}</p>
      {locks.map(({ id, name }) => (
        <div key={id} class="lock-hours">
          <Field
            label={t('{lock}: early (minutes)', { lock: name })}
            kind="digits"
            value={of(id).minutesBefore}
            fault={fault}
            onInput={(minutesBefore) => change(id, { minutesBefore })}
          />
          <Field
            label={t('{lock}: late (minutes)', { lock: name })}
            kind="digits"
            value={of(id).minutesAfter}
            onInput={(minutesAfter) => change(id, { minutesAfter })}
          />
        </div>
      ))}
    </div>
  );
}
