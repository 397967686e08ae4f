// The locks where a guest's code differs from what it should be, with the buttons for a person's decisions.
import type { VNode } from 'preact';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { isUpToDate, namesOrCount, standingWords } from '../../../src/words/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { useChange } from '../state/page-context.ts';

type OnLock = GuestView['onLocks'][number];
type Choice = 'keep' | 'overwrite' | 'retry';

/** Further locks are folded away. */
const SHOWN_AT_ONCE = 6;

export function GuestLocksList({ guest }: { readonly guest: GuestView }): VNode {
  const { onLocks, name, isLeaving } = guest;
  const done = onLocks.filter(isUpToDate);
  // Decisions for a person come first.
  const open = onLocks
    .filter((onLock) => !isUpToDate(onLock))
    .sort((a, b) => choicesOf(b).length - choicesOf(a).length);
  const rest = open.slice(SHOWN_AT_ONCE);
  const list = (some: readonly OnLock[]): VNode => (
    <ul class="guest-locks" aria-label={t('Locks of {name}', { name })}>
      {some.map((onLock) => (
        <li key={onLock.lockId}>
          <Standing guest={guest} onLock={onLock} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {list(open.slice(0, SHOWN_AT_ONCE))}
      {rest.length > 0 && (
        <Fold title={t('{count, plural, other {# more}}', { count: rest.length })} of={name}>
          {() => list(rest)}
        </Fold>
      )}
      {done.length > 0 && (
        <p class="about">
          {t(isLeaving ? 'Removed from {locks}' : 'Up to date on {locks}', {
            locks: namesOrCount(done.map(({ lockName }) => lockName)),
          })}
        </p>
      )}
    </>
  );
}

function Standing(props: { readonly guest: GuestView; readonly onLock: OnLock }): VNode {
  const { guest, onLock } = props;
  const { isBusy, failure, change } = useChange('guests.list');
  const { standing, isLeaving, lockId, lockName, revision } = onLock;
  const { tone, words } = standingWords(standing, isLeaving, guest.timeZone);
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
              isBusy={isBusy}
              onPress={() =>
                void change('guests.settle', { guest: guest.id, lock: lockId, choice, revision })
              }
            >
              {t(label)}
            </Button>
          ))}
        </div>
      )}
      <Failure failure={failure} />
    </>
  );
}

const REMOVE = ['overwrite', message('Remove it')] as const;

function choicesOf({ standing, mayRetry }: OnLock): readonly (readonly [Choice, Message])[] {
  switch (standing.kind) {
    case 'differs':
      return [
        ['keep', message('Keep the app’s version')],
        ['overwrite', message('Use the guest’s')],
      ];
    case 'look-alike':
      return standing.isLeft ? [REMOVE] : [REMOVE, ['keep', message('Leave it')]];
    case 'away':
      return [['keep', message('Stop waiting')]];
    case 'removed-elsewhere':
      return [
        ['keep', message('Leave it off')],
        ['overwrite', message('Add it again')],
      ];
    case 'kept':
      return [['overwrite', message('Use the guest’s')]];
    case 'refused':
    case 'waiting':
      return mayRetry ? [['retry', message('Try again')]] : [];
    case 'up-to-date':
    case 'on-its-way':
    case 'ended':
    case 'proposed':
      return [];
  }
}
