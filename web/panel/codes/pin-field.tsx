// The field of a code's digits, with a suggestion that is hard to guess.
import type { VNode } from 'preact';
import { commonLength, type TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import { t } from '../../../src/words/translate.ts';
import { Field } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';

export function PinField(props: {
  readonly pin: string;
  /** The lengths that the locks of this code take. */
  readonly locks: readonly TakenLengths[];
  /** Empty means that it stays. */
  readonly isNew: boolean;
  readonly fault: string | null;
  readonly onType: (pin: string) => void;
}): VNode {
  const { pin, locks, isNew, fault, onType } = props;
  const length = commonLength(locks);
  const digits = digitsWords(locks, length);
  return (
    <>
      <Field
        label={t('Code')}
        help={isNew ? digits : `${digits} ${t('Leave empty to keep the present one.')}`}
        kind="digits"
        value={pin}
        fault={fault}
        showsFault
        onInput={onType}
      />
      {length !== null && (
        <div class="pushes">
          <Button onPress={() => onType(randomPin(length))}>{t('Suggest a code')}</Button>
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
