// Buttons in a row, each for something that is done to one lock.
import type { VNode } from 'preact';
import type { LockInspection } from '../src/world/world-types.ts';
import { lockPath, useAct } from './control.ts';
import { Button } from './pieces.tsx';

export interface Deed {
  readonly label: string;
  readonly action: string;
  readonly details?: unknown;
  /** Of something that stays until it is switched off. */
  readonly pressed?: boolean;
}

export function Deeds(props: { readonly lock: LockInspection; readonly deeds: readonly Deed[] }): VNode {
  const { lock, deeds } = props;
  const act = useAct();
  return (
    <div class="row">
      {deeds.map(({ label, action, details, ...button }) => (
        <Button
          key={label}
          of={lock.name}
          {...button}
          onPress={() => void act(lockPath(lock.deviceId, action), details)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
