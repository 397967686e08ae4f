// The access codes of one lock: each with its schedule, its digits on purpose only, and ways to change and remove it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StrayCode } from '../../src/domain/code-operation.ts';
import type { LockId } from '../../src/domain/lock.ts';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import type { ListedCode, LockCodes } from '../../src/sync/codes/access-codes.ts';
import { CodeForm } from './code-form.tsx';
import { scheduleSentence } from './code-words.ts';
import { goToGuest } from './guests-part.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Confirmed, Failure, Notice } from './pieces.tsx';
import { RevealedPin } from './revealed-pin.tsx';

export function CodeList(props: {
  readonly lockId: LockId;
  readonly listed: LockCodes;
  readonly onTried: () => Promise<void>;
}): VNode {
  const { lockId, listed, onTried } = props;
  const { codes, strays } = listed;
  return (
    <>
      <p role="status">{countWords(codes.length)}</p>
      <ul class="credentials">
        {codes.map((code) => (
          <li key={code.id}>
            <CodeEntry lockId={lockId} listed={listed} code={code} onTried={onTried} />
          </li>
        ))}
        {strays.map((stray) => (
          <li key={stray.codeId}>
            <StrayEntry lockId={lockId} stray={stray} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The guest whose code this is; null: nobody's. */
function useGuestOf(lockId: LockId, { id }: ListedCode): GuestView | null {
  const guests = usePageContext().state['guests.list'] ?? [];
  const isTheirs = ({ onLocks }: GuestView): boolean =>
    onLocks.some((onLock) => onLock.lockId === lockId && onLock.codeId === id);
  return guests.find(isTheirs) ?? null;
}

function CodeEntry(props: {
  readonly lockId: LockId;
  readonly listed: LockCodes;
  readonly code: ListedCode;
  readonly onTried: () => Promise<void>;
}): VNode {
  const { lockId, listed, code, onTried } = props;
  const [isChanging, setChanging] = useState(false);
  const guest = useGuestOf(lockId, code);
  return (
    <article class="credential" aria-label={code.name}>
      <div>
        <h4>
          <bdi>{code.name}</bdi> {code.readOnly && <span class="tag">read-only</span>}{' '}
          {guest !== null && (
            <span class="tag">
              Guest: <bdi>{guest.name}</bdi>
            </span>
          )}
        </h4>
        <p class="about">{scheduleSentence(code.schedule, listed.timeZone)}</p>
      </div>
      {isChanging && guest === null ? (
        <CodeForm
          lockId={lockId}
          facts={listed}
          code={code}
          onTried={onTried}
          onClose={() => {
            setChanging(false);
          }}
        />
      ) : (
        <CodeActions
          lockId={lockId}
          code={code}
          guest={guest}
          onChange={() => {
            setChanging(true);
          }}
        />
      )}
    </article>
  );
}

function CodeActions(props: {
  readonly lockId: LockId;
  readonly code: ListedCode;
  readonly guest: GuestView | null;
  readonly onChange: () => void;
}): VNode {
  const { lockId, code, guest, onChange } = props;
  const { name, readOnly, pinLength } = code;
  const { call } = usePageContext();
  return (
    <RevealedPin
      of={name}
      pinLength={pinLength}
      reveal={async () => (await call('codes.reveal', { lock: lockId, code: code.id })).pin}
    >
      {guest !== null ? (
        <Button
          of={name}
          onPress={() => {
            goToGuest(guest.id);
          }}
        >
          Go to guest
        </Button>
      ) : readOnly ? null : (
        <>
          <Button of={name} onPress={onChange}>
            Change
          </Button>
          <RemoveCode lockId={lockId} codeId={code.id} name={name} revision={code.revision} />
        </>
      )}
    </RevealedPin>
  );
}

function RemoveCode(props: {
  readonly lockId: LockId;
  readonly codeId: ListedCode['id'];
  readonly name: string;
  /** Null: the service does not list it. */
  readonly revision: number | null;
}): VNode {
  const { lockId, codeId, name, revision } = props;
  const { call, read } = usePageContext();
  const removing = useAction();
  const remove = async (): Promise<void> => {
    await removing.run(async () => {
      const seen = revision === null ? {} : { revision };
      await call('codes.remove', { lock: lockId, code: codeId, ...seen });
      await read('codes.operations');
    });
  };
  return (
    <>
      <Confirmed
        action="Remove"
        of={name}
        question="The code will no longer open this lock. Remove it?"
        isBusy={removing.isBusy}
        onConfirm={() => void remove()}
      />
      <Failure failure={removing.failure} />
    </>
  );
}

/** A code that only the lock or only the service has. */
function StrayEntry({ lockId, stray }: { readonly lockId: LockId; readonly stray: StrayCode }): VNode {
  const name = stray.name ?? stray.codeId;
  return (
    <article class="credential" aria-label={name}>
      <div>
        <h4>
          <bdi>{name}</bdi>
        </h4>
        <Notice tone="warning">
          <p>
            {stray.only === 'lock'
              ? 'The lock may still open with this code, although the service does not list it. Remove it to be sure.'
              : 'The service lists this code, but the lock does not open with it. Remove it, then add it again.'}
          </p>
        </Notice>
      </div>
      <RemoveCode lockId={lockId} codeId={stray.codeId} name={name} revision={null} />
    </article>
  );
}

function countWords(count: number): string {
  return count === 0 ? 'There are no codes yet.' : count === 1 ? '1 code.' : `${String(count)} codes.`;
}
