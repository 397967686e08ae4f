// A link to another page of the account, which is shown without loading anything.
import type { ComponentChildren, VNode } from 'preact';
import type { View } from '../state/views.ts';

export function PageLink(props: {
  readonly name: View;
  readonly view: View;
  readonly onShow: (view: View) => void;
  readonly onFocus?: (link: HTMLAnchorElement) => void;
  readonly children: ComponentChildren;
}): VNode {
  const { name, view, onShow, onFocus, children } = props;
  return (
    <a
      href={`#${name}`}
      aria-current={name === view ? 'page' : undefined}
      onFocus={({ currentTarget }) => onFocus?.(currentTarget)}
      onClick={(event) => {
        event.preventDefault();
        onShow(name);
      }}
    >
      {children}
    </a>
  );
}
