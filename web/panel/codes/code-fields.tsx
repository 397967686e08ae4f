// The fields that guests, cleaners and the code of one lock have in common: name and digits, which are suggested so that they are hard to guess.
import type { VNode } from 'preact';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { asCalled, isStorable, nameOnLocks, namesTaken } from '../../../src/domain/codes/names.ts';
import { commonLength, type TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { onLockWords } from '../../../src/words/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { Field } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

export function NameAndPin(props: {
  readonly typed: { readonly name: string; readonly pin: string };
  readonly type: (changes: { readonly name?: string; readonly pin?: string }) => void;
  /** The lengths that the locks of this code take. */
  readonly locks: readonly TakenLengths[];
  /** Else digits that are left out stay. */
  readonly isNew: boolean;
  /** Whose code it is; null: a new guest's. Undefined: no guest's, so that the lock stores the name as it is. */
  readonly guest: GuestView | null | undefined;
  readonly faultOf: (field: CodeFault['field']) => string | null;
}): VNode {
  const { typed, type, locks, isNew, guest, faultOf } = props;
  const guests = usePageContext().state['guests.list'] ?? [];
  const length = commonLength(locks);
  const digits = digitsWords(locks, length);
  return (
    <>
      <Field
        label={t('Name')}
        help={
          guest === undefined
            ? t('Plain letters and digits, at most 24.')
            : nameHelp(typed.name, guest, guests)
        }
        value={typed.name}
        fault={faultOf('name')}
        onInput={(name) => type({ name })}
      />
      <Field
        label={t('Code')}
        help={isNew ? digits : `${digits} ${t('Leave empty to keep the present one.')}`}
        kind="digits"
        value={typed.pin}
        fault={faultOf('pin')}
        onInput={(pin) => type({ pin })}
      />
      {length !== null && (
        <div class="pushes">
          <Button onPress={() => type({ pin: randomPin(length) })}>{t('Suggest a code')}</Button>
        </div>
      )}
    </>
  );
}

/** The name that the lock would store beside the typed one. Codes that were not read yet may still change it. */
function nameHelp(typed: string, guest: GuestView | null, guests: readonly GuestView[]): string {
  const called = asCalled(typed);
  if (isStorable(called)) {
    return t('In any script. Where a lock can’t store the name, its code gets a plain one.');
  }
  const others = guests.filter(({ id }) => id !== guest?.id);
  const taken = namesTaken(called, others);
  return onLockWords({ name: '', nameOnLock: nameOnLocks(called, guest?.nameOnLock ?? null, taken) });
}

function digitsWords(locks: readonly TakenLengths[], length: number | null): string {
  if (length === null) {
    return t(
      'No number of digits fits all of these locks. Choose fewer locks, and give each group its own code.',
    );
  }
  return locks.some(({ knownLength }) => knownLength !== null)
    ? t('{count, plural, one {# digit} other {# digits}}.', { count: length })
    : t('4 to 8 digits.');
}

/** Digits from the browser's secure source, each as likely as the others. */
export function randomPin(length: number): string {
  let pin = '';
  while (pin.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    pin += byte < 250 ? String(byte % 10) : '';
  }
  return pin;
}
