// Guests: people with one code on several locks, with what stands on each lock, and what a person has to decide.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { scheduleSentence } from './code-words.ts';
import { GuestForm } from './guest-form.tsx';
import { GuestLocksList } from './guest-locks.tsx';
import { locksWords } from './guest-words.ts';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Confirmed, Failure, Part } from './pieces.tsx';
import { RevealedPin } from './revealed-pin.tsx';

export function GuestsPart(): VNode {
  const { state, call } = usePageContext();
  const [isAdding, setAdding] = useState(false);
  const guests = state['guests.list'];
  const looking = useAction();
  // Somebody may have changed a code while nobody looked.
  useEffect(() => {
    void looking.run(async () => call('guests.look'));
  }, []);
  return (
    <Part title="Guests">
      <p class="about">
        One person with one code on several locks. It is kept the same on each of them, also on locks that
        were offline.
      </p>
      {guests !== null && guests.length > 0 && (
        <ul class="credentials">
          {guests.map((guest) => (
            <li key={guest.id}>
              <GuestCard guest={guest} />
            </li>
          ))}
        </ul>
      )}
      <Failure failure={looking.failure} />
      {isAdding ? (
        <GuestForm
          guest={null}
          onClose={() => {
            setAdding(false);
          }}
        />
      ) : (
        <div class="pushes">
          <Button
            onPress={() => {
              setAdding(true);
            }}
          >
            Add a guest
          </Button>
        </div>
      )}
    </Part>
  );
}

/** Shows a guest to a person who came upon the code on a lock. */
export function goToGuest(id: string): void {
  const card = document.getElementById(cardIdOf(id));
  card?.scrollIntoView({ block: 'center' });
  card?.focus({ preventScroll: true });
}

function cardIdOf(id: string): string {
  return `guest-${id}`;
}

function GuestCard({ guest }: { readonly guest: GuestView }): VNode {
  const [isChanging, setChanging] = useState(false);
  const { id, name, schedule, timeZone, isLeaving } = guest;
  return (
    <article id={cardIdOf(id)} tabIndex={-1} class="credential" aria-label={name}>
      <div>
        <h4>
          <bdi>{name}</bdi> {isLeaving && <span class="tag">being removed</span>}
        </h4>
        <p class="about">
          {scheduleSentence(schedule, timeZone)}
          {!isLeaving && ` · ${locksWords(guest)}`}
        </p>
      </div>
      {isChanging ? (
        <GuestForm
          guest={guest}
          onClose={() => {
            setChanging(false);
          }}
        />
      ) : (
        <GuestActions
          guest={guest}
          onChange={() => {
            setChanging(true);
          }}
        />
      )}
      <GuestLocksList guest={guest} />
    </article>
  );
}

function GuestActions(props: { readonly guest: GuestView; readonly onChange: () => void }): VNode {
  const { guest, onChange } = props;
  const { id, name, isLeaving, pinLength } = guest;
  const { call } = usePageContext();
  return (
    <RevealedPin
      of={name}
      pinLength={pinLength}
      reveal={async () => (await call('guests.reveal', { guest: id })).pin}
    >
      {isLeaving ? null : (
        <>
          <Button of={name} onPress={onChange}>
            Change
          </Button>
          <RemoveGuest guest={guest} />
        </>
      )}
    </RevealedPin>
  );
}

function RemoveGuest({ guest: { id, name } }: { readonly guest: GuestView }): VNode {
  const { call, read } = usePageContext();
  const removing = useAction();
  const remove = async (): Promise<void> => {
    await removing.run(async () => {
      await call('guests.remove', { guest: id });
      await read('guests.list');
    });
  };
  return (
    <>
      <Confirmed
        action="Remove"
        of={name}
        question="The code is removed from every lock; from one that is offline, when it is back. Remove it?"
        isBusy={removing.isBusy}
        onConfirm={() => void remove()}
      />
      <Failure failure={removing.failure} />
    </>
  );
}
