// The access codes of the locks that a page shows, read again whenever those of a lock may have changed, and their rules for codes.
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasEnded } from '../../../src/domain/codes/operation.ts';
import type { TakenLengths } from '../../../src/domain/codes/pin-length.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { ListedCode, LockCodes, LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { useAction, usePageContext } from '../state/page-context.ts';
import { type CallError, shownError } from '../state/transport.ts';

/** What is known of the codes of a lock. */
interface Read {
  /** Absent: not read yet. Of a lock that no longer answers, its last codes. */
  readonly listed?: LockCodes | undefined;
  /** Why the latest reading failed; null: it did not. */
  readonly failure: CallError | null;
  /** Of the request: the answer to an earlier one changes nothing. */
  readonly turn: number;
}

export interface ReadCodes {
  readonly of: (id: LockId) => Pick<Read, 'listed' | 'failure'>;
  readonly isBusy: boolean;
  /** Resolves when the page shows the result. Never rejects. */
  readonly readAll: (ids?: readonly LockId[]) => Promise<void>;
}

const NOTHING_READ: Read = { failure: null, turn: 0 };

/** Calls at a time: the plugin takes 32 of all pages, and the service limits them (our choice). */
const AT_ONCE = 4;

export function useLockCodes(ids: readonly LockId[]): ReadCodes {
  const { state, call } = usePageContext();
  const [read, setRead] = useState<ReadonlyMap<LockId, Read>>(new Map());
  const [underWay, setUnderWay] = useState(0);
  const lastTurn = useRef(0);
  const isGone = useRef(false);
  const of = (id: LockId): Read => read.get(id) ?? NOTHING_READ;
  const readOne = async (id: LockId): Promise<void> => {
    const turn = ++lastTurn.current;
    const answer = await call('codes.list', { lock: id }).catch(shownError);
    setRead((before) => {
      const { listed, turn: latest } = before.get(id) ?? NOTHING_READ;
      const now = 'codes' in answer ? { listed: answer, failure: null } : { listed, failure: answer };
      return turn < latest ? before : new Map(before).set(id, { ...now, turn });
    });
  };
  const readAll = async (many = ids): Promise<void> => {
    const waiting = [...many];
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !isGone.current; id = waiting.shift()) {
        await readOne(id);
      }
    };
    setUnderWay((count) => count + 1);
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setUnderWay((count) => count - 1);
  };
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
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
    void readAll(changed.map(([id]) => id));
  }, [JSON.stringify(versions)]);
  return { of, isBusy: underWay > 0, readAll };
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

/** The rules of all locks, as far as they are known; null until then. Those of `asked` come as the locks answer. */
export function useLockRules(asked: 'all' | LockId | undefined) {
  const { call } = usePageContext();
  const { run, failure } = useAction();
  const [known, setKnown] = useState<readonly LockRules[] | null>(null);
  useEffect(() => void run(async () => setKnown(await call('codes.rules'))), []);
  const unsure = (known ?? []).filter(
    ({ lockId, isRecent }) => !isRecent && (asked === 'all' || asked === lockId),
  );
  const { of } = useLockCodes(unsure.map(({ lockId }) => lockId));
  const rules = known?.map((one) => learned(one, of(one.lockId).listed)) ?? null;
  return { rules, failure };
}

function learned(one: LockRules, { anyLength, knownLength, refusedLengths }: TakenLengths = one): LockRules {
  return { ...one, anyLength, knownLength, refusedLengths };
}
