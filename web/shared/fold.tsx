// Something to unfold.
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

/** `of` tells a listener what it belongs to. What nobody has unfolded is not even made. */
export function Fold(props: {
  readonly title: string;
  readonly of?: string;
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
        {props.of !== undefined && <span class="unseen">, {props.of}</span>}
      </summary>
      {isOpen && <div class="unfolded">{props.children()}</div>}
    </details>
  );
}
