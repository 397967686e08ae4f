// The fields that guests, cleaners and the code of one lock have in common: name and digits, which are suggested so that they are hard to guess.
import type { VNode } from 'preact';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { commonLength, type TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import { t } from '../../../src/words/translate.ts';
import { Field } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';

export function NameAndPin(props: {
  readonly typed: { readonly name: string; readonly pin: string };
  readonly type: (changes: { readonly name?: string; readonly pin?: string }) => void;
  /** The lengths that the locks of this code take. */
  readonly locks: readonly TakenLengths[];
  /** Else digits that are left out stay. */
  readonly isNew: boolean;
  /** What the field of the name says below. */
  readonly nameHelp: string;
  readonly faultOf: (field: CodeFault['field']) => string | null;
  /** Where no other field shows what the lock has against it. */
  readonly lockFault?: string | null;
}): VNode {
  const { typed, type, locks, isNew, nameHelp, faultOf, lockFault = null } = props;
  const length = commonLength(locks);
  const digits = digitsWords(locks, length);
  return (
    <>
      <Field
        label={t('Name')}
        help={nameHelp}
        value={typed.name}
        fault={faultOf('name')}
        onInput={(name) => type({ name })}
      />
      <Field
        label={t('Code')}
        help={isNew ? digits : `${digits} ${t('Leave empty to keep the present one.')}`}
        kind="digits"
        value={typed.pin}
        fault={faultOf('pin') ?? lockFault}
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
