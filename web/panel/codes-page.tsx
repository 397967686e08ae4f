// Access codes: the guests, and the codes of one lock at a time, a new one, and how each change goes.
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { CodeProgress } from '../../src/domain/code-operation.ts';
import type { LockId } from '../../src/domain/lock.ts';
import type { LockView } from '../../src/panel/lock-view.ts';
import type { LockCodes } from '../../src/sync/codes/access-codes.ts';
import { listTrouble } from './account-state.ts';
import { CodeForm } from './code-form.tsx';
import { CodeList } from './code-list.tsx';
import { isOver, progressSentence } from './code-words.ts';
import { Field } from './fields.tsx';
import { GuestsPart } from './guests-part.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Notice, Part } from './pieces.tsx';

/** Ends of this many operations stay on the page. */
const SHOWN_ENDS = 3;

export function CodesPage(): VNode {
  const { state } = usePageContext();
  const [chosen, setChosen] = useState<LockId | null>(null);
  const locks = state.locks ?? [];
  const lock = locks.find(({ id }) => id === chosen) ?? locks[0];
  return lock === undefined ? (
    <p>{listTrouble(state) ?? 'The account has no locks.'}</p>
  ) : (
    <>
      <GuestsPart />
      {locks.length > 1 && <LockChoice locks={locks} chosen={lock.id} onChoose={setChosen} />}
      <Progress lockId={lock.id} />
      <CodesOf key={lock.id} lock={lock} />
    </>
  );
}

function LockChoice(props: {
  readonly locks: readonly LockView[];
  readonly chosen: LockId;
  readonly onChoose: (id: LockId) => void;
}): VNode {
  const id = useId();
  const { locks, chosen, onChoose } = props;
  return (
    <div class="field">
      <label for={id}>Lock</label>
      <select
        id={id}
        value={chosen}
        onChange={({ currentTarget }) => {
          const lock = locks.find((known) => known.id === currentTarget.value);
          if (lock !== undefined) {
            onChoose(lock.id);
          }
        }}
      >
        {locks.map((lock) => (
          <option key={lock.id} value={lock.id}>
            {lock.description.name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The codes of a lock, read again whenever they may have changed. */
function useCodes(lockId: LockId) {
  const { state, call } = usePageContext();
  const [listed, setListed] = useState<LockCodes | null>(null);
  const reading = useAction();
  const operations = state['codes.operations'] ?? [];
  const ended = operations.filter((operation) => operation.lockId === lockId && isOver(operation)).length;
  const readCodes = async (): Promise<void> => {
    await reading.run(async () => {
      setListed(await call('codes.list', { lock: lockId }));
    });
  };
  useEffect(() => {
    void readCodes();
  }, [ended, state.codesChanged]);
  return { listed, reading, readCodes };
}

function CodesOf({ lock }: { readonly lock: LockView }): VNode {
  const { listed, reading, readCodes } = useCodes(lock.id);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      {listed === null ? (
        <p>{reading.isBusy ? 'Loading codes …' : 'The codes have not been read yet.'}</p>
      ) : (
        <Part title="Codes on this lock">
          <CodeList lockId={lock.id} listed={listed} onTried={readCodes} />
        </Part>
      )}
      <Failure failure={reading.failure} />
      <div class="pushes">
        {listed !== null && !isAdding && (
          <Button
            kind="main"
            onPress={() => {
              setAdding(true);
            }}
          >
            Add a code
          </Button>
        )}
        <Button isBusy={reading.isBusy} onPress={() => void readCodes()}>
          Refresh
        </Button>
      </div>
      {listed !== null && isAdding && (
        <Part title="New code">
          <CodeForm
            lockId={lock.id}
            facts={listed}
            code={null}
            onTried={readCodes}
            onClose={() => {
              setAdding(false);
            }}
          />
        </Part>
      )}
      {listed !== null && listed.codes.some(({ readOnly }) => !readOnly) && <RemoveAll lock={lock} />}
    </>
  );
}

/** How the changes of this lock's codes go, and how the latest ended. */
function Progress({ lockId }: { readonly lockId: LockId }): VNode {
  const { state } = usePageContext();
  const own = (state['codes.operations'] ?? []).filter((operation) => operation.lockId === lockId);
  const shown = [...own.filter(isOver).slice(-SHOWN_ENDS), ...own.filter((operation) => !isOver(operation))];
  return (
    <div role="status" class="status">
      {shown.map((operation) => (
        <Notice key={operation.id} tone={toneOf(operation)}>
          <p>
            {operation.phase === 'failed' && operation.name !== null && <bdi>{`${operation.name}: `}</bdi>}
            {progressSentence(operation)}
          </p>
        </Notice>
      ))}
    </div>
  );
}

function toneOf({ phase }: CodeProgress): 'plain' | 'good' | 'bad' {
  return phase === 'done' ? 'good' : phase === 'failed' ? 'bad' : 'plain';
}

/** Removing everything takes the name of the lock, typed. */
function RemoveAll({ lock }: { readonly lock: LockView }): VNode {
  const { call, read, state } = usePageContext();
  const [typed, setTyped] = useState('');
  const isGuests = (state['guests.list'] ?? []).some(({ onLocks }) =>
    onLocks.some(({ lockId, codeId }) => lockId === lock.id && codeId !== null),
  );
  const removing = useAction();
  const { name } = lock.description;
  const isMeant = typed.trim() === name.trim();
  const remove = async (): Promise<void> => {
    await removing.run(async () => {
      await call('codes.clear', { lock: lock.id });
      setTyped('');
      await read('codes.operations');
    });
  };
  return (
    <Part title="Remove all codes">
      <Field
        label="Type the name of the lock to remove all its codes"
        help={
          <>
            <bdi>{name}</bdi>. Read-only codes stay.{isGuests && ' Codes of guests are removed, too.'}
          </>
        }
        value={typed}
        fault={null}
        showsFault={false}
        onInput={setTyped}
      />
      <Failure failure={removing.failure} />
      <div class="pushes">
        <Button kind="risky" isOff={!isMeant} isBusy={removing.isBusy} onPress={() => void remove()}>
          Remove all codes
        </Button>
      </div>
    </Part>
  );
}
