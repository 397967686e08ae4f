// Asks for the time zone of a lock, once, where dates are to be on its clocks and its zone is not known.
import type { VNode } from 'preact';
import { isTimeZone } from '../../../src/config/options/time-zone.ts';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { isZoneKnown, type LockZone } from '../../../src/domain/codes/lock-zone.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { t } from '../../../src/words/translate.ts';
import { Field } from '../parts/fields.tsx';
import type { Call } from '../state/transport.ts';
import { ScheduleFields, type TypedSchedule } from './schedule-fields.tsx';

/** The message for a malformed schedule. */
export const NO_SCHEDULE: CodeFault = {
  field: 'schedule',
  reason: 'schedule-invalid',
  words: message('Choose days and times.'),
};

/** When a code opens, and the zone of its dates where it is asked for. */
export interface TypedWhen {
  readonly schedule: TypedSchedule;
  /** Empty: the one that is known. */
  readonly zone: string;
}

export function ZonedSchedule(props: {
  readonly typed: TypedWhen;
  readonly known: LockZone;
  readonly fault: string | null;
  readonly onType: (changes: Partial<TypedWhen>) => void;
}): VNode {
  const { typed, known, fault, onType } = props;
  const isAsked = typed.schedule.kind === 'temporary' && !isZoneKnown(known);
  return (
    <>
      <ScheduleFields
        typed={typed.schedule}
        timeZone={known.timeZone}
        fault={fault}
        onType={(schedule) => onType({ schedule })}
      />
      {isAsked && (
        <Field
          label={t('Time zone of the lock')}
          help={t(
            'Where the lock is, such as {example}: the service gives no zone. It is kept for this lock.',
            {
              example: EXAMPLE,
            },
          )}
          value={typed.zone}
          fault={
            typed.zone === '' || isTimeZone(typed.zone.trim())
              ? null
              : t('This isn’t a time zone. Enter one such as {example}.', { example: EXAMPLE })
          }
          showsFault={false}
          onInput={(zone) => onType({ zone })}
        />
      )}
    </>
  );
}

const EXAMPLE = 'Europe/Paris';

/** Stores the typed zone as the lock's option, and returns it for the dates. */
export async function settledZone(call: Call, lock: LockId, known: string, typed: string): Promise<string> {
  const zone = typed.trim();
  if (zone === '') {
    return known;
  }
  await call('locks.configure', { lock, settings: { timeZone: zone } });
  return zone;
}
