// A form in a sheet: what is typed, why it was refused, and the buttons that save it or leave it.
import type { ComponentChildren, VNode } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { Message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Form } from '../../shared/form.tsx';
import { type PageAction, useAction, usePageContext } from '../state/page-context.ts';
import { Button, Failure } from './pieces.tsx';
import { SheetTitle } from './sheet.tsx';

/** What is typed in a form, what of it was refused, and how the saving goes. */
export function useEditForm<
  Typed extends object,
  Fault extends { readonly field: string; readonly words: Message },
>(open: () => Typed) {
  const [opened] = useState(open);
  const [typed, setTyped] = useState(opened);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const saving = useAction();
  return {
    opened,
    typed,
    type: (changes: Partial<Typed>): void => setTyped({ ...typed, ...changes }),
    faults,
    setFaults,
    faultOf: (field: Fault['field']): string | null => {
      const found = faults.find((fault) => fault.field === field);
      return found === undefined ? null : t(found.words);
    },
    saving,
    /** Resolves with the answer; null: it failed, as the form says. `after`: reads anew what may have changed, in either case. */
    submit: async <Answer extends { readonly kind: string; readonly faults?: readonly Fault[] }>(
      ask: () => Promise<Answer>,
      after: () => Promise<unknown>,
    ): Promise<Answer | null> => {
      const answers: Answer[] = [];
      setFaults([]);
      const isDone = await saving.run(async () => {
        try {
          const answer = await ask();
          answers.push(answer);
          setFaults(answer.faults ?? []);
        } finally {
          await after();
        }
      });
      return isDone ? (answers[0] ?? null) : null;
    },
  };
}

/** Listeners hear the title of its sheet. */
export function EditForm(props: {
  /** What the button that saves it says. */
  readonly action: string;
  readonly saving: Pick<PageAction, 'isBusy' | 'failure'>;
  readonly save: () => Promise<void>;
  readonly onClose: () => void;
  /** Buttons between saving and leaving. */
  readonly between?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { action, saving, save, onClose, between, children } = props;
  return (
    <Form noValidate class="code-form" aria-label={useContext(SheetTitle)} onSubmit={() => void save()}>
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
  readonly fault?: string | null;
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { legend, fault, about, children } = props;
  const id = useId();
  const isDescribed = about !== undefined || fault !== undefined;
  return (
    <fieldset class="schedule" aria-describedby={isDescribed ? id : undefined}>
      <legend>{legend}</legend>
      {children}
      {isDescribed && (
        <div id={id} class="about">
          {about}
          <p class="fault" aria-live="polite">
            {fault}
          </p>
        </div>
      )}
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

/** Some of several, such as locks or calendars. `spoken`: what listeners hear of a short name. */
export function NamedChoices<Id extends string>(props: {
  readonly all: readonly { readonly id: Id; readonly name: string; readonly spoken?: string }[];
  readonly chosen: readonly Id[];
  readonly onType: (chosen: readonly Id[]) => void;
}): VNode {
  const { all, chosen, onType } = props;
  return (
    <div class="choices">
      {all.map(({ id, name, spoken }) => (
        <label key={id}>
          <input
            type="checkbox"
            aria-label={spoken}
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

/** The locks of the account, to be chosen from. */
export function useNamedLocks(): readonly { readonly id: LockId; readonly name: string }[] {
  const { state } = usePageContext();
  return (state.locks ?? []).map((lock) => ({ id: lock.id, name: nameOf(lock) }));
}
