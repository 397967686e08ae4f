// Fields that show their faults as they are filled in, and a line of text that is easily copied.
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { Labelled } from '../../shared/labelled.tsx';
import { copyAsked } from './clipboard.ts';
import { Button } from './pieces.tsx';

/** Where an option stands that a page cannot change. */
export const CONFIG_FILE = 'config.json';

export type FieldKind = 'digits' | 'address' | 'time' | 'date' | 'moment' | 'text';

const KINDS: Readonly<Record<FieldKind, object>> = {
  digits: { type: 'text', inputMode: 'numeric' },
  address: { type: 'text', inputMode: 'url' },
  time: { type: 'time' },
  date: { type: 'date' },
  moment: { type: 'datetime-local' },
  text: { type: 'text' },
};

export interface FieldProps {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly value: string;
  /** The fault and the next step, as a sentence; null without one. */
  readonly fault?: string | null;
  /** False: an empty field is at fault only once the focus has moved on. */
  readonly showsFault?: boolean;
  readonly isSecret?: boolean;
  /** What is typed, for the keyboard of a phone. */
  readonly kind?: FieldKind;
  readonly placeholder?: string;
  /** Has a button that copies the value, which is to be taken over exactly. */
  readonly isCopied?: boolean;
  /** Left out: the value is only read. */
  readonly onInput?: (value: string) => void;
  /** The focus has moved on, or Enter was pressed in the field. */
  readonly onDone?: () => void;
}

export function Field(props: FieldProps): VNode {
  const { label, help, value, fault = null, showsFault = true, isSecret = false, kind = 'text' } = props;
  const { placeholder, isCopied = false, onInput, onDone } = props;
  const line = useRef<HTMLInputElement>(null);
  const [wasLeft, setLeft] = useState(false);
  const shown = wasLeft || showsFault || value !== '' ? fault : null;
  return (
    <Labelled label={label} help={help} fault={shown}>
      {(id) => (
        <div class={isCopied ? 'copyable' : undefined}>
          <input
            id={id}
            ref={line}
            {...(isSecret ? { type: 'password' } : KINDS[kind])}
            value={value}
            readOnly={onInput === undefined}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={shown !== null}
            aria-describedby={`${id}-about`}
            {...(placeholder === undefined ? {} : { placeholder })}
            onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
            onBlur={() => {
              setLeft(true);
              onDone?.();
            }}
            onKeyDown={({ key }) => {
              if (key === 'Enter') {
                onDone?.();
              }
            }}
          />
          {isCopied && <CopyButton of={label} line={line} text={value.trim()} />}
        </div>
      )}
    </Labelled>
  );
}

/** Something that a page cannot change, with where it comes from unless the page says that of all. */
export function Fixed(props: {
  readonly label: string;
  readonly from: string | null;
  readonly fault?: string | null;
  readonly children: ComponentChildren;
}): VNode {
  const { fault = null } = props;
  return (
    <div class="field fixed">
      <span class="label">
        {props.label} {props.from !== null && <span class="tag">{props.from}</span>}
      </span>
      <p class="value">{props.children}</p>
      {fault !== null && (
        <p class="fault" tabIndex={-1}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** Copies a line, and confirms it; where the browser refuses, the line is chosen, for a person's keys. */
function CopyButton(props: {
  readonly of: string;
  readonly line: RefObject<HTMLInputElement | null>;
  readonly text: string;
}): VNode {
  const { of, line, text } = props;
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    const isDone = await copyAsked(async () => text, line.current);
    if (!isDone) {
      line.current?.select();
    }
    setSaid(t(isDone ? 'Copied' : 'Press Ctrl+C or ⌘C'));
  };
  return (
    <div>
      <Button of={of} onPress={() => void copy()}>
        {t('Copy')}
      </Button>
      <span class="about said" role="status">
        {said}
      </span>
    </div>
  );
}

/** A switch: on or off, in force at once. */
export function Switch(props: {
  readonly label: string;
  readonly help?: string;
  readonly isOn: boolean;
  readonly isFixed: boolean;
  /** False: the page says of all of them where they are set. */
  readonly isMarked?: boolean;
  readonly of: string;
  readonly onSwitch: (isOn: boolean) => void;
}): VNode {
  const id = useId();
  const { label, help, isOn, isFixed, isMarked = true, of, onSwitch } = props;
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={isFixed}
        {...(help === undefined ? {} : { 'aria-describedby': `${id}-about` })}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      <label for={id}>
        {label}
        <span class="unseen">, {of}</span>
        {isFixed && isMarked && <span class="tag">{CONFIG_FILE}</span>}
      </label>
      {help !== undefined && (
        <p id={`${id}-about`} class="about">
          {help}
        </p>
      )}
    </div>
  );
}
