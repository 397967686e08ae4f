// Controls under their labels.
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';

/** A control of any kind, which takes the id that its label names; with help or a fault, `ID-about` describes it. */
export function Labelled(props: {
  readonly label: string;
  readonly help?: ComponentChildren;
  /** A sentence; null without one. */
  readonly fault?: string | null;
  readonly children: (id: string) => ComponentChildren;
}): VNode {
  const { label, help, fault, children } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {(help !== undefined || fault !== undefined) && (
        <div id={`${id}-about`} class="about">
          {help !== undefined && <p>{help}</p>}
          <p class="fault" aria-live="polite">
            {fault}
          </p>
        </div>
      )}
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
    <Labelled label={label}>
      {(id) => (
        <select
          id={id}
          value={String(chosen)}
          onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
        >
          {names.map((name, index) => (
            // Names may repeat, as those of locks do.
            <option key={index} value={String(index)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
