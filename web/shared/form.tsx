// A form that a script sends.
import type { JSX, VNode } from 'preact';

export function Form(
  props: Omit<JSX.IntrinsicElements['form'], 'onSubmit'> & { readonly onSubmit: () => void },
): VNode {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    />
  );
}
