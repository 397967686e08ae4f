// Something to unfold.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** `of` names the surroundings to people who listen to the page. The content is made only when it is unfolded. */
export function Fold(props: {
  readonly title: string;
  readonly of?: string;
  /** Unfolds it once it is true: something in there has to be seen. */
  readonly opens?: boolean;
  readonly children: () => ComponentChildren;
}): VNode {
  const { opens = false } = props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (opens) {
      setOpen(true);
    }
  }, [opens]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {props.title}
        {props.of !== undefined && <span class="unseen">, {props.of}</span>}
      </summary>
      {isOpen && <div class="unfolded">{props.children()}</div>}
    </details>
  );
}
