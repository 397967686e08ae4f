// The field of a code's digits, with a suggestion that is hard to guess.
import type { VNode } from 'preact';
import { Field } from './fields.tsx';
import { Button } from './pieces.tsx';

/** Long enough to be hard to guess, short enough to be remembered, in digits (our choice). */
const RANDOM_LENGTH = 6;

export function PinField(props: {
  readonly pin: string;
  /** How many digits a code must have; null: 4 to 8. */
  readonly pinLength: number | null;
  /** Empty means that it stays. */
  readonly isNew: boolean;
  readonly fault: string | null;
  readonly onType: (pin: string) => void;
}): VNode {
  const { pin, pinLength, isNew, fault, onType } = props;
  const digits = pinLength === null ? '4 to 8 digits.' : `${String(pinLength)} digits.`;
  return (
    <>
      <Field
        label="Code"
        help={isNew ? digits : `${digits} Leave empty to keep the present one.`}
        value={pin}
        fault={fault}
        showsFault
        onInput={onType}
      />
      <div class="pushes">
        <Button
          onPress={() => {
            onType(randomPin(pinLength ?? RANDOM_LENGTH));
          }}
        >
          Suggest a code
        </Button>
      </div>
    </>
  );
}

/** Digits from the browser's secure source, each as likely as the others. */
function randomPin(length: number): string {
  let pin = '';
  while (pin.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    pin += byte < 250 ? String(byte % 10) : '';
  }
  return pin;
}
