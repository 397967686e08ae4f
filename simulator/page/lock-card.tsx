// One lock: how it stands at the door and in the cloud, what happened last, and everything a hand can do to it.
import type { VNode } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { WorldEvent } from '../src/world/world-event.ts';
import type { LockInspection } from '../src/world/world-types.ts';
import { lockPath, useAct } from './control.ts';
import { DoorDrawing } from './door-drawing.tsx';
import { Keypad } from './keypad.tsx';
import { LockTroubles } from './lock-troubles.tsx';
import { OtherControls } from './other-controls.tsx';
import { activityWords, boltWords, clockWords, compare, jamWords } from './words.ts';

interface CardProps {
  readonly lock: LockInspection;
  /** The newest first. */
  readonly entries: readonly WorldEvent[];
}

/** The card is drawn again only when its own lock has changed. */
export function LockCard({ lock, entries }: CardProps): VNode {
  return useMemo(() => <Card lock={lock} entries={entries} />, [lock, entries]);
}

function Card({ lock, entries }: CardProps): VNode {
  const act = useAct();
  const id = useId();
  const { name, deviceId } = lock;
  return (
    <article class="lock" aria-labelledby={id}>
      <header>
        <h2 id={id}>{name}</h2>
        <p class="state" data-bolt={lock.movingTo === null ? lock.bolt : 'moving'}>
          {boltWords(lock)}
        </p>
        <Tags lock={lock} />
      </header>
      <button
        type="button"
        class="turn"
        aria-label={`Turn the thumbturn, ${name}, now ${boltWords(lock)}`}
        onClick={() => void act(lockPath(deviceId, 'turn-thumbturn'))}
      >
        <DoorDrawing lock={lock} />
        <span>Turn the thumbturn</span>
      </button>
      <Standing lock={lock} />
      <ol class="diary" aria-label={`Recent activity, ${name}`}>
        {entries.map((activity) => (
          <li key={activity.id}>
            <time dateTime={new Date(activity.at).toISOString()}>{clockWords(activity.at)}</time>{' '}
            {activityWords(activity)}
          </li>
        ))}
        {entries.length === 0 && <li>Nothing has happened yet.</li>}
      </ol>
      <Keypad lock={lock} />
      <OtherControls lock={lock} />
      <LockTroubles lock={lock} />
    </article>
  );
}

/** Unusual conditions, in a word each. */
function Tags({ lock }: { readonly lock: LockInspection }): VNode {
  const jam = jamWords(lock.jamsLeft);
  const tags = [
    ...(jam === null ? [] : [jam]),
    ...(lock.powered ? [] : ['no power']),
    ...(lock.keypadLockedOutUntil === null ? [] : ['keypad off']),
    ...(lock.pendingCommandId === null ? [] : ['command under way']),
  ];
  return (
    <p class="tags">
      <span>{lock.type === 'WifiLever' ? 'Lever' : 'Deadbolt'}</span>
      {tags.map((tag) => (
        <strong key={tag}>{tag}</strong>
      ))}
    </p>
  );
}

/** The truth beside the belief. */
function Standing({ lock }: { readonly lock: LockInspection }): VNode {
  const rows = compare(lock);
  return (
    <div class="standing">
      <table>
        <caption class="unseen">How {lock.name} stands</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">At the door</th>
            <th scope="col">In the cloud</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, atDoor, inCloud, differs }) => (
            <tr key={what} data-differs={differs}>
              <th scope="row">{what}</th>
              <td>{atDoor}</td>
              <td>
                {inCloud}
                {differs && (
                  <>
                    {' '}
                    <span class="differs" aria-hidden="true">
                      ≠
                    </span>
                    <span class="unseen">, not as at the door</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="belief">
        {rows.some(({ differs }) => differs) ? 'The cloud does not know how the door stands.' : ''}
      </p>
    </div>
  );
}
