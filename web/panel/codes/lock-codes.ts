// The access codes of the locks that a page shows, read again whenever those of a lock may have changed, and their rules for codes.
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasEnded } from '../../../src/domain/codes/operation.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { ListedCode, LockCodes, LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { usePageContext } from '../state/page-context.ts';
import { type CallError, shownError } from '../state/transport.ts';

export interface ReadCodes {
  /** Absent: not read yet. Of a lock that no longer answers, its last codes. */
  readonly listed: ReadonlyMap<LockId, LockCodes>;
  /** Why the latest reading of a lock failed. */
  readonly failures: ReadonlyMap<LockId, CallError>;
  readonly isBusy: boolean;
  /** Resolves when the page shows the result. Never rejects. */
  readonly readAll: () => Promise<void>;
  readonly readOne: (id: LockId) => Promise<void>;
}

interface Read extends Pick<ReadCodes, 'listed' | 'failures'> {
  readonly underWay: number;
}

export function useLockCodes(ids: readonly LockId[]): ReadCodes {
  const { state, call } = usePageContext();
  const [{ listed, failures, underWay }, setRead] = useState<Read>({
    listed: new Map(),
    failures: new Map(),
    underWay: 0,
  });
  /** The latest answered request of each lock: a late answer changes nothing. */
  const answered = useRef(new Map<LockId, number>());
  const lastTurn = useRef(0);
  const readOne = async (id: LockId): Promise<void> => {
    const turn = ++lastTurn.current;
    setRead((read) => ({ ...read, underWay: read.underWay + 1 }));
    const answer = await call('codes.list', { lock: id }).catch(shownError);
    const isLatest = turn > (answered.current.get(id) ?? 0);
    if (isLatest) {
      answered.current.set(id, turn);
    }
    setRead((read) => ({
      ...(isLatest ? withAnswer(read, id, answer) : read),
      underWay: read.underWay - 1,
    }));
  };
  const readMany = async (many: readonly LockId[]): Promise<void> => inTurns(many, readOne);
  /** The events after which the codes of a lock are read again. */
  const versions = ids.map((id) => {
    const ended = (state['codes.operations'] ?? []).filter(
      (operation) => operation.lockId === id && hasEnded(operation),
    ).length;
    return [id, `${String(ended)} ${String(state.codesChanged.get(id) ?? 0)}`] as const;
  });
  const seen = useRef(new Map<LockId, string>());
  useEffect(() => {
    const changed = versions.filter(([id, version]) => seen.current.get(id) !== version);
    for (const [id, version] of changed) {
      seen.current.set(id, version);
    }
    void readMany(changed.map(([id]) => id));
  }, [JSON.stringify(versions)]);
  return { listed, failures, isBusy: underWay > 0, readOne, readAll: async () => readMany(ids) };
}

function withAnswer(read: Read, id: LockId, answer: LockCodes | CallError): Read {
  const failures = new Map(read.failures);
  failures.delete(id);
  return 'codes' in answer
    ? { ...read, failures, listed: new Map(read.listed).set(id, answer) }
    : { ...read, failures: failures.set(id, answer) };
}

/** The codes of a lock that are no guest's: those stand with their guests. */
export function singleCodes(
  lock: LockId,
  { codes }: LockCodes,
  guests: readonly GuestView[] | null,
): readonly ListedCode[] {
  const onLock = (guests ?? []).flatMap(({ onLocks }) => onLocks.filter(({ lockId }) => lockId === lock));
  const ofGuests = new Set(onLock.map(({ codeId }) => codeId));
  return codes.filter(({ id }) => !ofGuests.has(id));
}

/** Calls at a time: the plugin takes 32 of all pages, and the service limits them (our choice). */
const AT_ONCE = 4;

/** Runs the task for each item, a few at a time; resolves after the last. */
async function inTurns<Item>(items: readonly Item[], task: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The rules of the locks: what is known at once, and the rest as the locks answer. Null until the first. */
export function useLockRules(): readonly LockRules[] | null {
  const { call } = usePageContext();
  const [rules, setRules] = useState<readonly LockRules[] | null>(null);
  useEffect(() => {
    let isOver = false;
    const learn = (one: LockRules): void =>
      setRules((before) => (before ?? []).map((known) => (known.lockId === one.lockId ? one : known)));
    const read = async (): Promise<void> => {
      const known = await call('codes.rules').catch(() => []);
      setRules(known);
      const unsure = known.filter(({ isRecent }) => !isRecent);
      await inTurns(unsure, async (one) => {
        const listed = isOver ? null : await call('codes.list', { lock: one.lockId }).catch(() => null);
        if (listed !== null) {
          const { anyLength, knownLength, refusedLengths } = listed;
          learn({ ...one, anyLength, knownLength, refusedLengths });
        }
      });
    };
    void read();
    return () => {
      isOver = true;
    };
  }, []);
  return rules;
}
