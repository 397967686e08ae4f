// Guests: people with one code and one schedule on a set of locks, for the pages and the command line.
import {
  type CodeDraft,
  type CodeSchedule,
  LONGEST_CODE_NAME,
  toTheMinute,
} from '../../domain/codes/access-code.ts';
import type { CodeFault } from '../../domain/codes/access-code-policy.ts';
import { decided, encouraged, leftThere, unknownCode } from '../../domain/codes/code-machine.ts';
import type { OldFile } from '../../domain/codes/file-age.ts';
import {
  type BetweenStays,
  calledName,
  codeOn,
  faultsOfGuest,
  type Guest,
  type GuestCode,
  type GuestLocks,
  type HoursOn,
  isWantedOn,
  leaving,
  movedTo,
  onNewLock,
} from '../../domain/codes/guest.ts';
import { asCalled, isStorable, nameOnLocks, namesTaken } from '../../domain/codes/names.ts';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { Emitter } from '../../support/emitter.ts';
import { FinalError } from '../../support/errors.ts';
import { changedMeanwhile } from '../../words/codes.ts';
import { oldFileWords, PROPOSED } from '../../words/guests.ts';
import { t } from '../../words/translate.ts';
import type { GuestBook } from './book.ts';
import { type GuestsParts, LockLoop } from './lock-loop.ts';
import { type FoundStanding, GuestStandings, type GuestView } from './standings.ts';

export type { GuestOnLock, GuestView } from './standings.ts';

/** `invalid`: nothing was changed. */
export type GuestAnswer =
  | { readonly kind: 'saved'; readonly guest: GuestView }
  | { readonly kind: 'invalid'; readonly faults: readonly CodeFault[] };

/** Who keeps the guest beside a person, and the hours of single locks. */
export type GuestMarks = Pick<Guest, 'stay' | 'between' | 'home' | 'hoursOn'>;

/** A guest who comes in between stays, as it is stored. */
export interface GuestBetween extends Pick<Guest, 'id' | 'revision' | 'hoursOn'> {
  readonly name: string;
  readonly between: BetweenStays;
}

export interface GuestChanges extends CodeChanges {
  readonly locks?: GuestLocks;
  /** The hours of single locks; all that are not named have those of the schedule. */
  readonly hoursOn?: HoursOn;
  /** Other calendars or another hour of a guest who comes in between stays. */
  readonly between?: BetweenStays;
}

/**
 * `keep`: the code found on the lock stays there. `overwrite`: the guest's values replace the found code; while the guest is being
 * removed, the found code is removed instead. `retry`: the operation is tried at once.
 */
export type GuestChoice = 'keep' | 'overwrite' | 'retry';

const OF_A_STAY =
  'This guest comes from a booking calendar. Change its hours or its code with the stays; remove it to skip the stay.';

const BETWEEN =
  'This guest comes in between stays, and the calendars give the hours and the locks. Choose other calendars, or another hour.';

export class Guests {
  readonly #parts: GuestsParts;
  readonly #book: GuestBook;
  readonly #standings: GuestStandings;
  readonly #loop: LockLoop;
  readonly #changes: Emitter<null>;

  constructor(parts: GuestsParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.log);
    const onChange = (): void => this.#changes.emit(null);
    this.#book = parts.codes.book;
    this.#book.onChange = onChange;
    this.#standings = new GuestStandings({ ...parts, onChange });
    this.#loop = new LockLoop({ ...parts, book: this.#book, standings: this.#standings });
    parts.codes.changes.reconcileIn = (id, ms) => this.#loop.reconcileIn(id, ms);
    parts.bus.on('code-operation', ({ operation: { failure, lockId } }) => {
      if (failure?.reason === 'code-name-too-long') {
        this.#shorten(lockId);
      }
    });
  }

  start(): void {
    this.#load();
    this.#parts.age.onOld = (old) => this.#propose(old);
    this.#parts.age.start();
    this.#loop.start();
    this.#parts.codes.changes.start();
  }

  /** Reads the stored guests again where they could not be read. False: they still cannot. */
  ensureRead(): boolean {
    if (!this.#book.isRead) {
      this.#load();
      this.#loop.reconcileAll();
    }
    return this.#book.isRead;
  }

  #load(): void {
    this.#book.load();
    const old = this.#book.oldFile();
    if (old !== null) {
      this.#loop.settleSince(old);
    }
  }

  /** Why the stored guests are proposals, which let nobody in; null: they are not. */
  oldFile(): OldFile | null {
    return this.#book.oldFile();
  }

  /** How many stored guests cannot be read: nobody knows who they are, and their codes stay. */
  get unreadCount(): number {
    return this.#book.unread.length;
  }

  /** A person confirms these guests as they are stored; without ids, all of them. Throws retry (`storage-failed`). */
  confirm(ids?: readonly string[]): void {
    this.#book.confirm(ids ?? this.#book.all().map(({ id }) => id));
    this.#loop.reconcileAll();
  }

  #propose(old: OldFile): boolean {
    const isStored = this.#book.propose(old);
    this.#loop.settleSince(old);
    if (this.#book.all().length > 0) {
      this.#parts.log.warn(`${t(oldFileWords(old))} ${t(PROPOSED)}`);
    }
    this.#loop.reconcileAll();
    return isStored;
  }

  dispose(): void {
    this.#loop.dispose();
  }

  /** Calls `listener` on every change of a guest or of the standing of a code, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  list(): readonly GuestView[] {
    return this.#book.all().map((guest) => this.#standings.view(guest));
  }

  /** Guests who come in between stays, without those that are being removed. */
  between(): readonly GuestBetween[] {
    return this.#book.all().flatMap((guest) => {
      const { id, revision, hoursOn, between, isLeaving } = guest;
      return between === undefined || isLeaving
        ? []
        : [{ id, revision, name: calledName(guest), between, ...hoursOf(hoursOn) }];
    });
  }

  /** A person looks at the guests: every lock whose list may have changed is compared again; false when that takes too long. */
  async compareAll(): Promise<boolean> {
    return this.#loop.compareAll();
  }

  /** The digits, for a person who asks for them. They are never logged or stored. */
  reveal(id: string): string {
    return this.#found(id).draft.pin;
  }

  /** What the guest is called whose code has this id on the lock; null: nobody's, or as the code is called. */
  calledBy(lock: LockId, codeId: string): string | null {
    const guest = this.#book.all().find((one) => codeOn(one, lock)?.codeId === codeId);
    return guest?.called ?? null;
  }

  /** Where a lock has just this code already, that is the guest's. Throws final for an unknown lock, and retry (`storage-failed`); then nothing has changed. */
  add(draft: CodeDraft, locks: GuestLocks, { hoursOn, ...marks }: GuestMarks = {}): GuestAnswer {
    this.#assertKnown(locks);
    const id = this.#book.newId(this.#parts.serviceClock.now());
    const known = { id, draft, locks, isLeaving: false, revision: 0, codes: [] };
    const guest: Guest = { ...known, ...hoursOf(hoursOn), ...marks };
    // A stay that is stored in an old file may have been skipped since.
    const isProposed = marks.stay !== undefined && this.#book.oldFile() !== null;
    return this.#save(isProposed ? { ...guest, isProposed } : guest, draft);
  }

  /**
   * Absent members stay. Throws as `add` does, and final (`changed-meanwhile`) when the guest is not of that `revision` any
   * more: the person has not seen what would be changed. A guest that a stay keeps is changed by the stay alone.
   */
  update(id: string, asked: GuestChanges, revision: number, by: 'person' | 'stay' = 'person'): GuestAnswer {
    const { locks, hoursOn, between, ...changes } = asked;
    const guest = this.#found(id);
    if (by === 'person') {
      refuseChange(guest, asked);
    }
    if (guest.isLeaving) {
      throw new FinalError('bad-request', message('This guest is being removed.'));
    }
    if (guest.revision !== revision) {
      throw new FinalError('changed-meanwhile', this.#bothVersions(guest, asked));
    }
    const before = guest.locks === 'all' ? [] : guest.locks;
    this.#assertKnown(locks === 'all' ? 'all' : (locks ?? []).filter((one) => !before.includes(one)));
    const moved = locks === undefined ? guest : movedTo(guest, locks);
    const { hoursOn: former, ...others } = moved;
    const timed = { ...others, ...hoursOf(hoursOn ?? former), ...(between === undefined ? {} : { between }) };
    return this.#save({ ...timed, draft: { ...guest.draft, ...changes, name: guest.draft.name } }, changes);
  }

  /** The guest stays known until the code is gone from every lock. Throws as `add` does. */
  remove(id: string): void {
    const guest = leaving(this.#found(id));
    this.#book.save(guest);
    this.#standings.drop(guest);
    this.#loop.reconcileAnew(guest);
  }

  /** A new lock has the place of an old one. Returns how many guests it concerns. Throws retry (`storage-failed`). */
  replaceLock(old: LockId, by: LockId, isAway: boolean): number {
    const others = this.#book.all();
    const moved = others.flatMap((guest) => {
      const next = onNewLock(guest, old, by, { isAway, others });
      return JSON.stringify(next) === JSON.stringify(guest)
        ? []
        : [{ ...next, revision: guest.revision + 1 }];
    });
    for (const guest of moved) {
      this.#book.save(guest);
      this.#standings.drop(guest);
      this.#loop.reconcileAnew(guest);
    }
    return moved.length;
  }

  /** `revision`: of the standing that the person saw. Throws final when the standing has changed since. */
  settle(id: string, lock: LockId, choice: GuestChoice, revision: number): void {
    const guest = this.#found(id);
    const known = this.#standings.of(guest, lock);
    const isWanted = known?.standing.kind === 'away' && isWantedOn(guest, lock, true);
    if (known === undefined || known.revision !== revision || isWanted) {
      throw new FinalError('bad-request', message('The code changed meanwhile. Look again, then decide.'));
    }
    const code = codeOn(guest, lock) ?? unknownCode(lock);
    this.#book.saveCode(id, lock, settled(code, choice, known));
    if (choice === 'keep' && known.standing.kind === 'away') {
      this.#standings.sayGivenUp(guest, known.standing.name);
    }
    this.#standings.drop(guest, lock);
    this.#loop.reconcile(lock);
  }

  /** Another account is linked: the guests do not belong to its locks. Throws retry (`storage-failed`). */
  forgetAll(): void {
    this.#book.eraseAll();
  }

  #save(asked: Guest, judged: CodeChanges): GuestAnswer {
    const now = this.#parts.serviceClock.now();
    const guest = judged.name === undefined ? asked : this.#named(asked, asCalled(judged.name));
    const draft = { ...guest.draft, schedule: toTheMinute(guest.draft.schedule) };
    // The dates are those of the first lock; on the others the code opens at the same instants.
    const all = this.#parts.store.all();
    const first = all.find(({ id, description: { role } }) => isWantedOn(guest, id, role === 'owner'))?.id;
    const before = this.#book.get(guest.id)?.draft.schedule;
    const faults = [
      ...faultsOfGuest(guest, judged, { others: this.#book.all(), now }),
      ...(first === undefined ? [] : this.#parts.codes.zoneFaults(first, draft.schedule, before)),
    ];
    if (faults.length > 0) {
      return { kind: 'invalid', faults };
    }
    const saved = { ...guest, draft, revision: guest.revision + 1 };
    this.#book.save(saved);
    this.#standings.drop(saved);
    this.#loop.reconcileAnew(saved);
    return { kind: 'saved', guest: this.#standings.view(saved) };
  }

  /** The guest with that name, and with the one that their code has on the locks. */
  #named({ called: _former, ...guest }: Guest, called: string): Guest {
    const { id, draft, codes } = guest;
    const others = this.#book
      .all()
      .filter((other) => other.id !== id)
      .map((other) => ({ name: calledName(other), nameOnLock: other.draft.name }));
    const own = new Set(codes.map(({ codeId }) => codeId));
    const locks = this.#parts.store
      .all()
      .filter((lock) => isWantedOn(guest, lock.id, lock.description.role === 'owner'));
    const most = Math.min(LONGEST_CODE_NAME, ...locks.map((lock) => this.#parts.codes.longestName(lock.id)));
    const listed = (isStorable(called, most) ? [] : locks)
      .flatMap((lock) => this.#parts.codes.lists.last(lock.id)?.codes ?? [])
      .filter((code) => !own.has(code.id) && code.pin !== draft.pin);
    const taken = new Set([...namesTaken(called, others), ...listed.map((code) => code.name.toLowerCase())]);
    const before = this.#book.get(id)?.draft.name ?? null;
    const name = nameOnLocks(called, before, taken, most);
    return { ...guest, draft: { ...draft, name }, ...(name === called ? {} : { called }) };
  }

  /** A lock takes shorter names than was known: its guests get one, and are called as before. */
  #shorten(lockId: LockId): void {
    const lock = this.#parts.store.get(lockId);
    const most = this.#parts.codes.longestName(lockId);
    const guests = lock === undefined ? [] : this.#book.concernedBy(lock);
    for (const guest of guests.filter(({ draft, isLeaving }) => !isLeaving && draft.name.length > most)) {
      const named = this.#named(guest, calledName(guest));
      this.#book.note(named);
      this.#loop.reconcileAnew(named);
    }
  }

  #bothVersions(
    guest: Guest,
    { locks, hoursOn: _hoursOn, between: _between, ...changes }: GuestChanges,
  ): Message {
    const { name, schedule, timeZone } = this.#standings.view(guest);
    const now = { name, schedule, locks: this.#standings.lockWords(guest.locks) };
    const asked = locks === undefined ? {} : { locks: this.#standings.lockWords(locks) };
    return changedMeanwhile(now, { ...changes, ...asked }, timeZone);
  }

  #found(id: string): Guest {
    const guest = this.#book.get(id);
    if (guest === undefined) {
      throw new FinalError('not-found', message('There is no such guest. Look at the list again.'));
    }
    return guest;
  }

  #assertKnown(locks: GuestLocks): void {
    if (locks !== 'all' && locks.some((id) => this.#parts.store.get(id) === undefined)) {
      throw new FinalError('not-found', message('There is no such lock. Read the list of locks again.'));
    }
  }
}

/** Without a member where no lock has hours of its own. */
function hoursOf(hoursOn: HoursOn = {}): Pick<Guest, 'hoursOn'> {
  const cut = Object.entries(hoursOn).map(([id, schedule]) => [id, toTheMinute(schedule)] as const);
  return cut.length === 0 ? {} : { hoursOn: Object.fromEntries<CodeSchedule>(cut) };
}

function settled(code: GuestCode, choice: GuestChoice, { standing, found }: FoundStanding): GuestCode | null {
  if (choice === 'retry') {
    return encouraged(code);
  }
  if (choice === 'keep' && standing.kind === 'away') {
    return null;
  }
  return choice === 'keep' && standing.kind === 'look-alike' && found !== null
    ? leftThere(code, found)
    : decided(code, { choice, seen: found });
}

/** What a person may not change: the code of a stay, and the hours and locks of a guest between stays. Throws final. */
function refuseChange(guest: Guest, { schedule, locks }: GuestChanges): void {
  if (guest.stay !== undefined) {
    throw new FinalError('bad-request', OF_A_STAY);
  }
  if (guest.between !== undefined && (schedule !== undefined || locks !== undefined)) {
    throw new FinalError('bad-request', BETWEEN);
  }
}
