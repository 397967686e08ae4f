// The access codes of an account's locks: lists them, takes requests to change them, and reports how those go.
import {
  type AccessCode,
  type AccessCodeId,
  type CodeDraft,
  type CodeSchedule,
  draftOf,
  hasHiddenPin,
  toTheMinute,
} from '../../domain/codes/access-code.ts';
import {
  type CodeFault,
  faultsOfChange,
  faultsOfCode,
  MOST_CODES,
} from '../../domain/codes/access-code-policy.ts';
import { calledName, codeOn, type Guest, withConfirmedValues } from '../../domain/codes/guest.ts';
import type { LockZone } from '../../domain/codes/lock-zone.ts';
import type { CodeChanges, CodeProgress, StrayCode } from '../../domain/codes/operation.ts';
import type { TakenLengths } from '../../domain/codes/pin-length.ts';
import {
  type CodePlan,
  type PlanChoices,
  type PlannedChange,
  type PlannedCode,
  type PlannedStep,
  planCodes,
  type SeenChange,
  type SeenCode,
  type WantedCode,
} from '../../domain/codes/plan.ts';
import type { AccessCodeGateway, CodeStore } from '../../domain/codes/ports.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { FinalError } from '../../support/errors.ts';
import { codeFailure } from '../../words/code-failures.ts';
import { changedMeanwhile } from '../../words/codes.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { WebhookMonitor } from '../webhooks/monitor.ts';
import { GuestBook } from './book.ts';
import type { FileAge } from './file-age.ts';
import { CodeLists, revisionOf } from './lists.ts';
import { LockNotes } from './lock-notes.ts';
import { LockZones, type LockZonesParts } from './lock-zones.ts';
import { CodeOperations, type NamedChange } from './operations.ts';

interface CodePorts extends Pick<LockZonesParts, 'writtenZone' | 'machineZone'> {
  readonly gateway: AccessCodeGateway;
  readonly store: CodeStore;
}

export interface AccessCodesParts
  extends Pick<CommonParts, 'store' | 'bus' | 'clock' | 'serviceClock' | 'log'> {
  readonly codes: CodePorts;
  readonly age: Pick<FileAge, 'isOld'>;
  readonly randomDigits: (count: number) => string;
  readonly webhooks: Pick<WebhookMonitor, 'health'>;
}

export type ListedCode = Omit<AccessCode, 'pin'> & {
  /** 0: the service hides the digits. */
  readonly pinLength: number;
  /** Changes whenever the code changes, digits included: a change may name the revision that the person saw. */
  readonly revision: number;
  /** What the guest is called whose code it is; null: nobody's. */
  readonly guest: string | null;
};

export interface LockCodes extends LockZone, TakenLengths {
  readonly codes: readonly ListedCode[];
  /** Codes that only the lock or only the list has. */
  readonly strays: readonly StrayCode[];
  /** The number of digits that the listed codes demand of a new one; null: the lock decides. */
  readonly pinLength: number | null;
  readonly mostCodes: number;
}

/** What is known of a lock's rules for codes without a call. */
export interface LockRules extends LockZone, TakenLengths {
  readonly lockId: LockId;
  /** Its codes were listed within the last minute: to list them again would tell nothing new. */
  readonly isRecent: boolean;
}

/** Listing the codes of every lock for its rules alone is worth it once in this time, in milliseconds (our choice). */
const RULES_EVERY_MS = 60_000;

/** The codes of a lock. PINs are secrets: they are never logged, shown or stored. */
export interface CodeFacts {
  readonly codes: readonly AccessCode[];
  /** When the codes were requested, in monotonic milliseconds. */
  readonly listedAt: number;
  /** The listed codes imply no rule on the length. */
  readonly variableLength: boolean;
  readonly lengths: TakenLengths;
}

/** The digits of a number from 0 up to 1. */
const FRACTION_DIGITS = 15;

interface StartedCode {
  readonly kind: 'started';
  readonly operation: CodeProgress;
}

/** `invalid`: no operation was started, and nothing was sent. */
export type CodeAnswer = StartedCode | { readonly kind: 'invalid'; readonly faults: readonly CodeFault[] };

export class AccessCodes {
  readonly book: GuestBook;
  readonly changes: CodeOperations;
  readonly #parts: AccessCodesParts;
  readonly lists: CodeLists;
  readonly #zones: LockZones;
  readonly #notes: LockNotes;

  constructor(parts: AccessCodesParts) {
    this.#parts = parts;
    this.#notes = new LockNotes(parts);
    this.#zones = new LockZones({ ...parts, ...parts.codes, locks: parts.store });
    const zoned = {
      ...parts,
      notes: this.#notes,
      codes: { ...parts.codes, zoneOf: (id: LockId) => this.zoneOf(id) },
    };
    this.lists = new CodeLists(zoned);
    this.book = new GuestBook({ ...parts, guests: parts.codes.store });
    this.changes = new CodeOperations({ ...zoned, lists: this.lists, book: this.book });
  }

  /** The codes of a lock, without their digits. Rejects with retry, wait, relink or final. */
  async list(id: LockId): Promise<LockCodes> {
    const { codes } = await this.facts(id);
    this.#zones.check(id);
    const guests = this.#guestsOn(id);
    const lengths = this.#notes.lengths(id, codes);
    this.#notes.lengthTaken(id, lengths.pinLength);
    return {
      codes: codes.map((listed): ListedCode => {
        const { pin: _pin, ...code } = listed;
        const guest = guests.get(code.id);
        return {
          ...code,
          pinLength: this.#pinOf(id, listed, guests)?.length ?? 0,
          revision: revisionOf(listed),
          guest: guest === undefined ? null : calledName(guest),
        };
      }),
      strays: this.#notes.strays(id, codes),
      ...lengths,
      mostCodes: MOST_CODES,
      ...this.#zones.of(id),
    };
  }

  /** The rules of every lock, as far as they are known: nothing is asked of the service. */
  rules(): readonly LockRules[] {
    return this.#parts.store.all().map(({ id }) => this.#rulesOf(id));
  }

  #rulesOf(lockId: LockId): LockRules {
    const listing = this.lists.last(lockId);
    const isRecent = listing !== null && this.#parts.clock.monotonic() - listing.askedAt < RULES_EVERY_MS;
    const lengths = this.#notes.lengths(lockId, listing?.codes ?? []);
    return { lockId, isRecent, ...lengths, ...this.#zones.of(lockId) };
  }

  /** The names of codes without a guest, as the lock was listed last; null: it was not since the start. */
  namesWithoutGuest(id: LockId): readonly string[] | null {
    const listing = this.lists.last(id);
    const guests = this.#guestsOn(id);
    return listing?.codes.filter((code) => !guests.has(code.id)).map(({ name }) => name) ?? null;
  }

  /** The digits of one code, for a person who asks for them. Never to be logged or kept. Rejects as `list` does, and final (`not-permitted`) where they are hidden. */
  async reveal(id: LockId, codeId: AccessCodeId): Promise<string> {
    const pin = this.#pinOf(id, this.#found((await this.facts(id)).codes, codeId));
    if (pin === null) {
      throw new FinalError('not-permitted', message('The service does not show the digits of this code.'));
    }
    return pin;
  }

  /** Null: the service hides the digits, and they are of no guest to whom it gave them. */
  #pinOf(lockId: LockId, listed: AccessCode, guests = this.#guestsOn(lockId)): string | null {
    const guest = guests.get(listed.id);
    const code = guest === undefined ? listed : withConfirmedValues(listed, codeOn(guest, lockId));
    return hasHiddenPin(code) ? null : code.pin;
  }

  /** The rules that a new code, or a change of `codeId`, would break. Rejects as `list` does. */
  async check(id: LockId, changes: CodeChanges, codeId: AccessCodeId | null): Promise<readonly CodeFault[]> {
    const facts = { ...(await this.facts(id)), now: this.#parts.serviceClock.now() };
    const { name = '', pin = '', schedule = { kind: 'unrecognised' } } = changes;
    if (codeId === null) {
      const faults = faultsOfCode({ name, pin, schedule }, { ...facts, replaces: null });
      return [...faults, ...this.zoneFaults(id, schedule)];
    }
    const code = this.#found(facts.codes, codeId);
    const asked = changes.schedule ?? code.schedule;
    return [...faultsOfChange(code, changes, facts), ...this.zoneFaults(id, asked, code.schedule)];
  }

  /** What brings the codes of a lock to those of a file; nothing is sent. Rejects as `list` does. */
  async plan(
    id: LockId,
    wanted: readonly WantedCode[],
    { keepOthers, includeGuests }: PlanChoices,
  ): Promise<CodePlan<SeenCode>> {
    const { serviceClock, randomDigits } = this.#parts;
    const { codes, lengths } = await this.facts(id);
    const { steps, faults } = planCodes(wanted, {
      guests: new Set(includeGuests ? [] : [...this.#guestsOn(id).keys(), ...this.#ofUnread(codes)]),
      // Without its row, the code of a guest cannot be told from others: while one is unread, nothing is removed.
      keepOthers: keepOthers || this.book.unread.length > 0,
      have: codes,
      anyLength: lengths.anyLength,
      pinLength: lengths.knownLength,
      now: serviceClock.now(),
      random: () => Number(`0.${randomDigits(FRACTION_DIGITS)}`),
    });
    const seen = (step: PlannedCode): PlannedStep => {
      if (step.kind === 'add') {
        return step;
      }
      const { id: codeId, name } = step.code;
      // A later step of one code finds it as an earlier one leaves it, and names it as it is now.
      const now = codes.find((code) => code.id === codeId) ?? step.code;
      return { ...step, code: { id: codeId, name, revision: revisionOf(now) } };
    };
    return { steps: steps.map(seen), faults };
  }

  /** Begins to add a code. It is stored before this resolves, so a crash does not lose it. Rejects as `list` does. */
  async add(id: LockId, draft: CodeDraft): Promise<CodeAnswer> {
    const faults = await this.check(id, draft, null);
    return faults.length > 0
      ? { kind: 'invalid', faults }
      : this.#start(id, this.#asked(id, [], [{ kind: 'add', draft }]));
  }

  /** Begins to change a code. Rejects as `list` does, and with `changed-meanwhile` when it is not of that `revision`. */
  async update(
    id: LockId,
    codeId: AccessCodeId,
    changes: CodeChanges,
    revision?: number,
  ): Promise<CodeAnswer> {
    const { codes } = await this.facts(id);
    const asked = this.#asked(id, codes, [{ kind: 'change', code: { id: codeId, revision }, changes }]);
    const faults = await this.check(id, changes, codeId);
    return faults.length > 0 ? { kind: 'invalid', faults } : this.#start(id, asked);
  }

  /** Begins to remove a code, also one that is not listed because only the lock has it. Rejects as `update` does. */
  async remove(id: LockId, codeId: AccessCodeId, revision?: number): Promise<StartedCode> {
    const { codes } = await this.facts(id);
    if (codes.some((one) => one.id === codeId)) {
      return this.#start(id, this.#asked(id, codes, [{ kind: 'remove', code: { id: codeId, revision } }]));
    }
    const stray = this.#notes.strays(id, codes).find((one) => one.codeId === codeId);
    return this.#start(id, [{ request: { kind: 'remove', codeId }, name: stray?.name ?? null }]);
  }

  /** Begins with what a plan says, one change after the other. Rejects as `update` does; then nothing was begun. */
  async carryOut(id: LockId, steps: readonly SeenChange[]): Promise<readonly CodeProgress[]> {
    const { codes } = await this.facts(id);
    return this.changes.begin(id, this.#asked(id, codes, steps));
  }

  /** Begins to remove all codes but read-only ones; a code that appears meanwhile stops it. Rejects as `list` does. */
  async removeAll(id: LockId): Promise<StartedCode> {
    const { codes } = await this.lists.read(this.#known(id));
    const codeIds = codes.filter(({ readOnly }) => !readOnly).map((code) => code.id);
    return this.#start(id, [{ request: { kind: 'remove-all', codeIds }, name: null }]);
  }

  /** The codes with their digits, for decisions inside of the runtime; `now`: asked for anew. Rejects as `list` does. */
  async facts(id: LockId, when: 'now' | 'recent' = 'recent'): Promise<CodeFacts> {
    const known = this.#known(id);
    const { codes, askedAt } = await (when === 'now' ? this.lists.read(known) : this.lists.list(known));
    const lengths = this.#notes.lengths(id, codes);
    return { codes, listedAt: askedAt, variableLength: lengths.pinLength === null, lengths };
  }

  /** How many characters the lock takes for a name, as far as is known. */
  longestName(id: LockId): number {
    return this.#notes.longestName(id);
  }

  zoneOf(id: LockId): string {
    return this.#zones.of(id).timeZone;
  }

  /** Whether the zone is known only once the lock was listed. */
  isZoneAwaited(id: LockId): boolean {
    return this.#zones.isAwaited(id);
  }

  /** Why dates that were meant on the clocks of this lock cannot be placed; `before`: those that were accepted. */
  zoneFaults(id: LockId, schedule: CodeSchedule, before?: CodeSchedule): readonly CodeFault[] {
    return this.#zones.faults(id, schedule, before);
  }

  operations(): readonly CodeProgress[] {
    return this.changes.all();
  }

  dispose(): void {
    this.lists.dispose();
    this.changes.dispose();
  }

  #known(id: LockId): LockId {
    if (this.#parts.store.get(id) === undefined) {
      throw new FinalError('not-found', message('There is no such lock. Read the list of locks again.'));
    }
    return id;
  }

  #found(codes: readonly AccessCode[], codeId: AccessCodeId): AccessCode {
    const code = codes.find(({ id }) => id === codeId);
    if (code === undefined) {
      throw new FinalError('not-found', codeFailure('code-id-invalid').words);
    }
    return code;
  }

  /** The guests whose code is on the lock, by the id that it has there. */
  #guestsOn(id: LockId): ReadonlyMap<AccessCodeId, Guest> {
    return new Map(
      this.book.all().flatMap((guest) => {
        const codeId = codeOn(guest, id)?.codeId ?? null;
        return codeId === null ? [] : [[codeId, guest]];
      }),
    );
  }

  #ofUnread(codes: readonly AccessCode[]): readonly AccessCodeId[] {
    const isNamed = ({ pin }: AccessCode): boolean => this.book.unread.some(({ text }) => text.includes(pin));
    return codes.filter(isNamed).map(({ id }) => id);
  }

  /** What the steps ask of the lock. Throws where a code is gone, read-only, or not of the revision that the person saw. */
  #asked(
    lockId: LockId,
    codes: readonly AccessCode[],
    steps: readonly PlannedChange<Pick<AccessCode, 'id'> & { readonly revision: number | undefined }>[],
  ): readonly NamedChange[] {
    const touched = new Set<AccessCodeId>();
    return steps.map((step): NamedChange => {
      if (step.kind === 'add') {
        const draft = { ...step.draft, schedule: toTheMinute(step.draft.schedule) };
        return { request: { kind: 'add', draft }, name: draft.name };
      }
      const { id: codeId, revision } = step.code;
      const code = this.#found(codes, codeId);
      const changes = step.kind === 'change' ? step.changes : {};
      if (revision !== undefined && revision !== revisionOf(code)) {
        throw new FinalError('changed-meanwhile', changedMeanwhile(code, changes, this.zoneOf(lockId)));
      }
      // Nothing is sent where the code is otherwise by then. A second step finds it as the first one left it.
      const expected = revision === undefined || touched.has(codeId) ? {} : { expected: draftOf(code) };
      touched.add(codeId);
      if (code.readOnly) {
        throw new FinalError('not-permitted', codeFailure('read-only').words);
      }
      if (step.kind === 'remove') {
        return { request: { kind: 'remove', codeId, ...expected }, name: code.name };
      }
      const { schedule } = changes;
      const cut = schedule === undefined ? changes : { ...changes, schedule: toTheMinute(schedule) };
      return { request: { kind: 'update', codeId, changes: cut, ...expected }, name: cut.name ?? code.name };
    });
  }

  #start(lockId: LockId, changes: readonly NamedChange[]): StartedCode {
    const [operation] = this.changes.begin(lockId, changes);
    if (operation === undefined) {
      throw new Error('Every change has a row');
    }
    return { kind: 'started', operation };
  }
}
