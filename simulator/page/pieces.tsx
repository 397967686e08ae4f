// The small pieces that every part of the page is made of.
import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';

/** A button for one action; `of` names its card to people who listen to the page. */
export function Button(props: {
  readonly onPress: () => void;
  readonly of?: string;
  readonly pressed?: boolean;
  readonly children: string;
}): VNode {
  const { onPress, of, pressed, children } = props;
  return (
    <button
      type="button"
      onClick={onPress}
      {...(of === undefined ? {} : { 'aria-label': `${children}, ${of}` })}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      {children}
    </button>
  );
}

/**
 * A section of the page, folded away under its heading; `note` summarises its content. It is made when
 * it is first unfolded, and keeps its input from then on, folded or not.
 */
export function Part(props: {
  readonly title: string;
  readonly note?: string;
  readonly children: () => ComponentChildren;
}): VNode {
  const { title, note = '', children } = props;
  const id = useId();
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <section aria-labelledby={id}>
      <details onToggle={() => setWasOpened(true)}>
        <summary>
          <h2 id={id}>{title}</h2>
          {note !== '' && <span class="note">{note}</span>}
        </summary>
        {wasOpened && <div class="inside">{children()}</div>}
      </details>
    </section>
  );
}

export function Lines(props: {
  readonly label: string;
  readonly columns: readonly string[];
  /** The text that is shown while there are no lines. */
  readonly none: string;
  readonly children: readonly VNode[];
}): VNode {
  const { label, columns, none, children } = props;
  return (
    // A region that scrolls has to be reached without a mouse.
    <div class="scroller" tabIndex={0} role="region" aria-label={label}>
      <table class="lines">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {children.length === 0 && <p>{none}</p>}
    </div>
  );
}
