// A form in a sheet: what is typed, why it was refused, and the buttons that save it or leave it.
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { Form } from '../../shared/form.tsx';
import type { CallError } from '../state/transport.ts';
import { Button, Failure } from './pieces.tsx';

export function EditForm(props: {
  /** Said to listeners. */
  readonly label: string;
  /** What the button that saves it says. */
  readonly action: string;
  readonly saving: { readonly isBusy: boolean; readonly failure: CallError | null };
  readonly save: () => Promise<void>;
  readonly onClose: () => void;
  /** Buttons between saving and leaving. */
  readonly between?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { label, action, saving, save, onClose, between, children } = props;
  return (
    <Form noValidate class="code-form" aria-label={label} onSubmit={() => void save()}>
      {children}
      <Failure failure={saving.failure} />
      <div class="pushes">
        <Button kind="main" isBusy={saving.isBusy} onPress="submit">
          {action}
        </Button>
        {between}
        <Button onPress={onClose}>{t('Cancel')}</Button>
      </div>
    </Form>
  );
}

/** Choices under one heading; `about`: what is said of them beside the fault. */
export function Choices(props: {
  readonly legend: string;
  readonly fault: string | null;
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { legend, fault, about, children } = props;
  const id = useId();
  return (
    <fieldset class="schedule" aria-describedby={id}>
      <legend>{legend}</legend>
      {children}
      <div id={id} class="about">
        {about}
        <p class="fault" aria-live="polite">
          {fault}
        </p>
      </div>
    </fieldset>
  );
}

/** One of several, as buttons that exclude each other. */
export function RadioChoices<Value>(props: {
  readonly choices: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}): VNode {
  const { choices, chosen, onChoose } = props;
  const id = useId();
  return (
    <div class="choices">
      {choices.map(([value, label]) => (
        <label key={label}>
          <input type="radio" name={id} checked={chosen === value} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
    </div>
  );
}

/** Some of several, such as locks or calendars. */
export function NamedChoices<Id extends string>(props: {
  readonly all: readonly { readonly id: Id; readonly name: string }[];
  readonly chosen: readonly Id[];
  readonly onType: (chosen: readonly Id[]) => void;
}): VNode {
  const { all, chosen, onType } = props;
  return (
    <div class="choices">
      {all.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) => {
              const others = chosen.filter((one) => one !== id);
              onType(checked ? [...others, id] : others);
            }}
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </div>
  );
}
