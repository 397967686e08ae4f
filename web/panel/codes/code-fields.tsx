// The fields that guests, cleaners and the code of one lock have in common: name, digits and schedule.
import type { VNode } from 'preact';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import type { LockZone } from '../../../src/domain/codes/lock-zone.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import { t } from '../../../src/words/translate.ts';
import { Field } from '../parts/fields.tsx';
import { PinField } from './pin-field.tsx';
import type { TypedCode } from './typed-code.ts';
import { ZonedSchedule } from './zoned-schedule.tsx';

type NameAndPinTyped = Pick<TypedCode, 'name' | 'pin'>;

interface NameAndPinProps {
  /** The rules of the locks that the code is for. */
  readonly locks: readonly TakenLengths[];
  readonly isNew: boolean;
  /** What the field of the name says below. */
  readonly nameHelp: string;
  readonly faultOf: (field: CodeFault['field']) => string | null;
  readonly pinFault: string | null;
}

export function CodeFields(
  props: NameAndPinProps & {
    readonly typed: TypedCode;
    readonly type: (changes: Partial<TypedCode>) => void;
    readonly zone: LockZone;
  },
): VNode {
  const { typed, type, zone, faultOf } = props;
  return (
    <>
      <NameAndPin {...props} />
      <ZonedSchedule typed={typed} known={zone} fault={faultOf('schedule')} onType={type} />
    </>
  );
}

export function NameAndPin(
  props: NameAndPinProps & {
    readonly typed: NameAndPinTyped;
    readonly type: (changes: Partial<NameAndPinTyped>) => void;
  },
): VNode {
  const { typed, type, locks, isNew, nameHelp, faultOf, pinFault } = props;
  return (
    <>
      <Field
        label={t('Name')}
        help={nameHelp}
        value={typed.name}
        fault={faultOf('name')}
        showsFault
        onInput={(name) => type({ name })}
      />
      <PinField
        pin={typed.pin}
        locks={locks}
        isNew={isNew}
        fault={pinFault}
        onType={(pin) => type({ pin })}
      />
    </>
  );
}
