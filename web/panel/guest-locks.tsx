// What stands on each lock of a guest, with the buttons of what a person may decide.
import type { VNode } from 'preact';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { standingWords } from './guest-words.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure } from './pieces.tsx';

type OnLock = GuestView['onLocks'][number];
type Choice = 'keep' | 'overwrite' | 'retry';

export function GuestLocksList({ guest }: { readonly guest: GuestView }): VNode | null {
  const { onLocks, name } = guest;
  return onLocks.length === 0 ? null : (
    <ul class="guest-locks" aria-label={`Locks of ${name}`}>
      {onLocks.map((onLock) => (
        <li key={onLock.lockId}>
          <Standing guest={guest} onLock={onLock} />
        </li>
      ))}
    </ul>
  );
}

function Standing(props: { readonly guest: GuestView; readonly onLock: OnLock }): VNode {
  const { guest, onLock } = props;
  const { call, read } = usePageContext();
  const settling = useAction();
  const { standing, isLeaving, lockId, lockName, revision } = onLock;
  const { tone, words } = standingWords(standing, isLeaving, guest.timeZone);
  const settle = async (choice: Choice): Promise<void> => {
    await settling.run(async () => {
      await call('guests.settle', { guest: guest.id, lock: lockId, choice, revision });
      await read('guests.list');
    });
  };
  const choices = choicesOf(onLock);
  return (
    <>
      <p>
        <bdi class="lock-name">{lockName}</bdi>
        <span class={`standing ${tone}`}>{words}</span>
      </p>
      {choices.length > 0 && (
        <div class="pushes">
          {choices.map(([choice, label]) => (
            <Button
              key={choice}
              of={`${guest.name}, ${lockName}`}
              isBusy={settling.isBusy}
              onPress={() => void settle(choice)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <Failure failure={settling.failure} />
    </>
  );
}

const REMOVE = ['overwrite', 'Remove it'] as const;

function choicesOf({ standing, mayRetry }: OnLock): readonly (readonly [Choice, string])[] {
  switch (standing.kind) {
    case 'differs':
      return [
        ['keep', 'Keep the app’s version'],
        ['overwrite', 'Use the guest’s'],
      ];
    case 'look-alike':
      return standing.isLeft ? [REMOVE] : [REMOVE, ['keep', 'Leave it']];
    case 'away':
      return [['keep', 'Stop waiting']];
    case 'removed-elsewhere':
      return [
        ['keep', 'Leave it off'],
        ['overwrite', 'Add it again'],
      ];
    case 'kept':
      return [['overwrite', 'Use the guest’s']];
    case 'refused':
    case 'waiting':
      return mayRetry ? [['retry', 'Try again']] : [];
    case 'up-to-date':
    case 'on-its-way':
    case 'ended':
      return [];
  }
}
