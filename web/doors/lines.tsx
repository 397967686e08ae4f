// Lines as they come in, in a table that scrolls by itself.
import type { VNode } from 'preact';

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
