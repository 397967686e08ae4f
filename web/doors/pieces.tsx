// The small pieces that every part of the page is made of.
import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

/** A button that does one thing; `of` tells a listener, who does not see the card, what it belongs to. */
export function Push(props: {
  readonly onPush: () => void;
  readonly of?: string;
  readonly pressed?: boolean;
  readonly children: string;
}): VNode {
  const { onPush, of, pressed, children } = props;
  return (
    <button
      type="button"
      onClick={onPush}
      {...(of === undefined ? {} : { 'aria-label': `${children}, ${of}` })}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      {children}
    </button>
  );
}

/** A section of the page under its heading. */
export function Part(props: { readonly title: string; readonly children: ComponentChildren }): VNode {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** Something to unfold; `of` tells a listener what it belongs to. What nobody has unfolded is not even made. */
export function Fold(props: {
  readonly title: string;
  readonly of: string;
  readonly children: () => ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>
        {props.title}
        <span class="unseen">, {props.of}</span>
      </summary>
      {isOpen && props.children()}
    </details>
  );
}

/** A labelled control; the label is above it. */
export function Field(props: {
  readonly label: string;
  readonly children: (id: string) => ComponentChildren;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(id)}
    </div>
  );
}

/** A choice among named things, by their index. */
export function Choice(props: {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}): VNode {
  const { label, names, chosen, onChoose } = props;
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={String(chosen)}
          onChange={({ currentTarget }) => {
            onChoose(Number(currentTarget.value));
          }}
        >
          {names.map((name, index) => (
            <option key={name} value={String(index)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
