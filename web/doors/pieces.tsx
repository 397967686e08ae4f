// The small pieces that every part of the page is made of.
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';

/** A button that does one thing; `of` tells a listener, who does not see the card, what it belongs to. */
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
