// What stands on each lock of a guest, with the buttons of what a person may decide.
import type { VNode } from 'preact';
import type { CodeFailureReason } from '../../src/domain/code-failure.ts';
import type { GuestStanding } from '../../src/domain/guest-policy.ts';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { standingWords } from './guest-words.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure } from './pieces.tsx';

type OnLock = GuestView['onLocks'][number];
/** The lock never takes a code of this length: the same digits again would fail again. */
const NEEDS_OTHER_DIGITS: ReadonlySet<CodeFailureReason> = new Set([
  'code-length-out-of-range',
  'pin-out-of-range',
]);

type Choice = 'keep' | 'overwrite' | 'retry';

export function GuestLocksList({ guest }: { readonly guest: GuestView }): VNode | null {
  const { state } = usePageContext();
  const { onLocks, name } = guest;
  const nameOf = ({ lockId }: OnLock): string =>
    state.locks?.find(({ id }) => id === lockId)?.description.name ?? 'A lock';
  return onLocks.length === 0 ? null : (
    <ul class="guest-locks" aria-label={`Locks of ${name}`}>
      {onLocks.map((onLock) => (
        <li key={onLock.lockId}>
          <Standing guest={guest} onLock={onLock} lockName={nameOf(onLock)} />
        </li>
      ))}
    </ul>
  );
}

function Standing(props: {
  readonly guest: GuestView;
  readonly onLock: OnLock;
  readonly lockName: string;
}): VNode {
  const { guest, onLock, lockName } = props;
  const { call, read } = usePageContext();
  const settling = useAction();
  const { standing, isLeaving, lockId, revision } = onLock;
  const { tone, words } = standingWords(standing, isLeaving, guest.timeZone);
  const settle = async (choice: Choice): Promise<void> => {
    await settling.run(async () => {
      await call('guests.settle', { guest: guest.id, lock: lockId, choice, revision });
      await read('guests.list');
    });
  };
  const choices = choicesOf(standing, isLeaving);
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

function choicesOf(standing: GuestStanding, isLeaving: boolean): readonly (readonly [Choice, string])[] {
  switch (standing.kind) {
    case 'differs':
      return [
        ['keep', 'Keep the app’s version'],
        ['overwrite', isLeaving ? 'Remove it' : 'Use the guest’s'],
      ];
    case 'removed-elsewhere':
      return [
        ['keep', 'Leave it off'],
        ['overwrite', 'Add it again'],
      ];
    case 'kept':
      return [['overwrite', 'Use the guest’s']];
    case 'refused':
      return NEEDS_OTHER_DIGITS.has(standing.failure.reason) ? [] : [['retry', 'Try again']];
    case 'waiting':
      return standing.retryAt === null ? [] : [['retry', 'Try again']];
    case 'up-to-date':
    case 'on-its-way':
    case 'ended':
      return [];
  }
}
