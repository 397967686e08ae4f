// Every other way in which a bolt is moved: one for each accessor of the specification that has no place of its own.
import type { VNode } from 'preact';
import { Fold } from '../../web/shared/fold.tsx';
import type { LockInspection } from '../src/world/world-types.ts';
import { type Deed, Deeds } from './deeds.tsx';

const WAYS: readonly Deed[] = [
  { label: 'One-touch', action: 'press-one-touch' },
  { label: 'Unlock button inside', action: 'press-inside-button', details: { button: 'UnlockButton' } },
  { label: 'Lock button inside', action: 'press-inside-button', details: { button: 'LockButton' } },
  { label: 'Unlock from a smart home', action: 'use-platform-home', details: { to: 'Unlocked' } },
  { label: 'Lock from a smart home', action: 'use-platform-home', details: { to: 'Locked' } },
  { label: 'Unlock by NFC', action: 'use-platform-home', details: { to: 'Unlocked', nfc: true } },
  { label: 'Lock by NFC', action: 'use-platform-home', details: { to: 'Locked', nfc: true } },
  { label: 'Lock on schedule', action: 'run-scheduled-lock' },
  { label: 'Activity alarm', action: 'trigger-alarm' },
];

export function OtherControls({ lock }: { readonly lock: LockInspection }): VNode {
  return (
    <Fold title="Other ways to lock and unlock" of={lock.name}>
      {() => <Ways lock={lock} />}
    </Fold>
  );
}

function Ways({ lock }: { readonly lock: LockInspection }): VNode {
  const keys = Object.keys(lock.roles).flatMap((userId): readonly Deed[] => [
    {
      label: `Unlock with the key of ${userId}`,
      action: 'use-virtual-key',
      details: { userId, to: 'Unlocked' },
    },
    { label: `Lock with the key of ${userId}`, action: 'use-virtual-key', details: { userId, to: 'Locked' } },
  ]);
  return <Deeds lock={lock} deeds={[...WAYS, ...keys]} />;
}
