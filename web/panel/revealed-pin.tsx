// The digits of a code: hidden, and shown on purpose only.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from './page-context.ts';
import { Button, Failure } from './pieces.tsx';

export function RevealedPin(props: {
  readonly of: string;
  readonly pinLength: number;
  readonly reveal: () => Promise<string>;
  /** Further buttons of the row. */
  readonly children: VNode | null;
}): VNode {
  const { of, pinLength, reveal, children } = props;
  const [pin, setPin] = useState<string | null>(null);
  const revealing = useAction();
  const show = async (): Promise<void> => {
    await revealing.run(async () => {
      setPin(await reveal());
    });
  };
  return (
    <>
      <p class="pin" role="status">
        {pin ?? <span aria-label="Hidden code">{'•'.repeat(pinLength)}</span>}
      </p>
      <div class="pushes">
        {pin === null ? (
          <Button of={of} isBusy={revealing.isBusy} onPress={() => void show()}>
            Show
          </Button>
        ) : (
          <Button
            of={of}
            onPress={() => {
              setPin(null);
            }}
          >
            Hide
          </Button>
        )}
        {children}
      </div>
      <Failure failure={revealing.failure} />
    </>
  );
}
