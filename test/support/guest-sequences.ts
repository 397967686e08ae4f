// Random sequences of acts of people, the lock's app, locks and crashes on guests, judged against a small model.
import fc from 'fast-check';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
  matchesDraft,
} from '../../src/domain/codes/access-code.ts';
import type { GuestLocks } from '../../src/domain/codes/guest.ts';
import type { GuestStanding } from '../../src/domain/codes/guest-step.ts';
import type { CodeCommand } from '../../src/domain/codes/ports.ts';
import type { LockId } from '../../src/domain/locks/lock.ts';
import type { GuestView } from '../../src/engine/codes/guests.ts';
import { BACK, FRONT, GuestHome, SHED } from '../homes/codes-home.ts';
import type { CodeMishap } from '../stand-ins/service/codes.ts';
import { stepOf, type ValueOf } from './random-steps.ts';

const ALWAYS = { kind: 'always' } as const;

const SETS = ['all', [FRONT], [BACK], [FRONT, BACK], []] as const;

/** For so long a service answers with lists that are wrong by a fault. A true list follows before the next such fault (faults#152). */
const WRONG_FOR_MS = [3_000, 12_000, 60_000] as const;

/** A command that was sent by such a list takes effect within this. */
const EFFECT_WITHIN_MS = 130_000;

const back = fc.boolean();
const which = fc.nat({ max: 5 });
const set = fc.nat({ max: SETS.length - 1 });
const setOrNull = fc.option(set);
const mishap = fc.constantFrom<CodeMishap>(
  'lost-reply',
  'lost-request',
  'held',
  'unsent',
  'limited',
  'busy',
  'late-list',
  'never-ends',
  { refused: 'parameters-invalid' },
  { fails: 'lock-silent' },
  { fails: 'lock-silent', done: true },
  { fails: 'general-failure', done: true },
);

const step = fc.oneof(
  stepOf(5, 'add', { set }),
  stepOf(4, 'edit', { which, set: setOrNull }),
  stepOf(4, 'remove', { which }),
  stepOf(3, 'decide', { choice: fc.constantFrom('keep', 'overwrite') }),
  stepOf(5, 'app', { back, which, what: fc.constantFrom('change', 'remove') }),
  stepOf(4, 'mishap', { back, mishap }),
  stepOf(2, 'online', { back, on: fc.boolean() }),
  stepOf(1, 'outage', { back, on: fc.boolean() }),
  // The app makes a code anew under another id: just as it was, or with another name.
  stepOf(4, 'remake', { back, which, renames: fc.boolean() }),
  // The service gives the codes of a lock each other's ids.
  stepOf(3, 'renumber', { back }),
  // Another person makes a code of their own with the app.
  stepOf(1, 'stranger', { back }),
  // Lists are empty or lack codes, or none can be read for a while.
  stepOf(3, 'empty', { back, forMs: fc.constantFrom(...WRONG_FOR_MS), isHalf: fc.boolean() }),
  stepOf(1, 'unreadable', { back, on: fc.boolean() }),
  stepOf(3, 'account', { back, has: fc.boolean() }),
  // A person no longer waits for a lock that has left the account.
  stepOf(1, 'give-up', {}),
  stepOf(1, 'new-lock', {}),
  stepOf(8, 'wait', { ms: fc.constantFrom<number>(0, 300, 2_000, 7_000, 11_000, 130_000) }),
  stepOf(2, 'crash', {}),
  // A backup is made, and put back later: what happened in between is forgotten here.
  stepOf(1, 'save', {}),
  stepOf(2, 'restore', {}),
);

type GuestStep = ValueOf<typeof step>;

/** Most stories begin where much can go wrong: with a guest whose codes are there, or with one of these pasts. */
const BEGINNINGS: readonly (readonly GuestStep[])[] = [
  [],
  [
    { kind: 'add', set: 0 },
    { kind: 'stranger', back: false },
    { kind: 'wait', ms: 10_000 },
  ],
  // The codes of two guests get each other's ids unseen, and one of them is removed.
  [
    { kind: 'add', set: 0 },
    { kind: 'add', set: 1 },
    { kind: 'wait', ms: 10_000 },
    { kind: 'unreadable', back: false, on: true },
    { kind: 'renumber', back: false },
    { kind: 'app', back: false, which: 0, what: 'remove' },
    { kind: 'unreadable', back: false, on: false },
    { kind: 'wait', ms: 60_000 },
  ],
  // A guest who was removed since the backup.
  [
    { kind: 'add', set: 0 },
    { kind: 'wait', ms: 10_000 },
    { kind: 'save' },
    { kind: 'remove', which: 0 },
    { kind: 'wait', ms: 7_000 },
    { kind: 'restore' },
  ],
  // A wrong list hid the code, and a person put another one beside it.
  [
    { kind: 'add', set: 2 },
    { kind: 'wait', ms: 10_000 },
    { kind: 'remake', back: true, which: 0, renames: true },
    { kind: 'empty', back: true, forMs: 12_000, isHalf: true },
    { kind: 'edit', which: 0, set: null },
    { kind: 'wait', ms: 2_000 },
    { kind: 'decide', choice: 'overwrite' },
    { kind: 'wait', ms: 11_000 },
  ],
];

export const guestSteps = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.array(step, { minLength: 4, maxLength: 14 }))
  .map(([beginning, steps]) => beginning.concat(steps));

/**
 * All that a run did wrong: doubles, changes of others that were overwritten unasked, locks that did not end true, and
 * guests who counted as gone while their digits opened a door.
 */
export async function runGuestSteps(steps: readonly GuestStep[]): Promise<readonly string[]> {
  const run = new GuestRun();
  await run.home.clock.advance(4_000);
  for (const one of steps) {
    await run.take(one);
    run.look();
  }
  await run.endWell();
  run.judge();
  run.home.close();
  return run.wrongs;
}

/** What each kind of step does at a lock. */
type Acts = {
  readonly [Kind in GuestStep['kind']]: (one: StepOfKind<Kind>, lock: LockId) => unknown;
};
type StepOfKind<Kind extends GuestStep['kind']> = Extract<GuestStep, { readonly kind: Kind }>;

class GuestRun {
  readonly home = new GuestHome(FRONT, BACK);
  readonly wrongs: string[] = [];
  /** Codes as the app left them, by lock: nothing may touch them before a person has decided. */
  readonly #apps = new Map<LockId, readonly CodeDraft[]>();
  /** All of those, also where a person has decided: whoever decided on another code by then leaves this one. */
  readonly #everApps = new Map<LockId, readonly CodeDraft[]>();
  /** Whose digits they are: every one is given once, by the guest's id. */
  readonly #ownerOf = new Map<string, string>();
  /** Locks that a person no longer waits for, by lock and guest. */
  readonly #givenUp = new Set<string>();
  /** Codes that the app removed from a lock, by lock and guest: nothing may add them before a person has decided. */
  readonly #lost = new Set<string>();
  #number = 0;
  #saved: { readonly putBack: () => void; readonly at: number } | null = null;
  /** Guests of a restored file, which nobody has confirmed; and what had been sent before. */
  #unconfirmed = new Set<string>();
  #sentBefore = new Set<CodeCommand>();

  constructor() {
    this.#watch(FRONT);
    this.#watch(BACK);
    this.home.clock.onSettled = () => {
      this.look();
    };
  }

  readonly #acts: Acts = {
    wait: async ({ ms }) => this.home.clock.advance(ms),
    crash: async () => this.home.crash(),
    save: () => {
      this.#saved = { putBack: this.home.copy(), at: this.home.clock.now() };
    },
    restore: async () => this.#restore(),
    add: (one) => this.#edit(one),
    edit: (one) => this.#edit(one),
    remove: (one) => this.#edit(one),
    decide: ({ choice }) => this.#decide(choice),
    'give-up': () => this.#giveUp(),
    'new-lock': () => this.#addShed(),
    account: ({ has }, lock) => this.#account(lock, has),
    online: ({ on }, lock) => this.home.connect(lock, on),
    outage: ({ on }, lock) => Object.assign(this.home.service(lock), { unreachable: on }),
    unreadable: ({ on }, lock) => Object.assign(this.home.service(lock), { unreadable: on }),
    empty: ({ forMs, isHalf }, lock) => this.#hide(lock, forMs, isHalf),
    mishap: (one, lock) => this.home.service(lock).mishaps.push(one.mishap),
    app: async ({ which: code, what }, lock) => this.#elsewhere(lock, () => this.#app(lock, code, what)),
    remake: async (one, lock) => this.#elsewhere(lock, () => this.#remake(lock, one)),
    renumber: async (_, lock) => this.#elsewhere(lock, () => this.#renumber(lock)),
    stranger: async (_, lock) => this.#elsewhere(lock, () => this.#stranger(lock)),
  };

  async take(one: GuestStep): Promise<void> {
    const act = this.#acts[one.kind] as (step: GuestStep, lock: LockId) => unknown;
    await act(one, 'back' in one && one.back ? BACK : FRONT);
  }

  async #restore(): Promise<void> {
    const saved = this.#saved;
    if (saved === null) {
      return;
    }
    const mark = { kind: 'restored', at: this.home.clock.now(), madeAt: saved.at, stopped: false };
    for (const { sent } of this.home.services.values()) {
      for (const command of sent) {
        this.#sentBefore.add(command);
      }
    }
    await this.home.replaced(() => {
      saved.putBack();
      this.home.settings.write('move', mark);
    });
    this.#unconfirmed = new Set(this.home.guests.list().map(({ id }) => id));
    // Codes in no row are among those of the lock, where a person removes them.
    const forgotten = [...this.#ownerOf].filter(([, id]) => !this.#unconfirmed.has(id)).map(([pin]) => pin);
    for (const [lockId, { codesOf, sent }] of this.home.services) {
      // What was sent after the backup may still take effect.
      for (const pin of [...codesOf.map((code) => code.pin), ...sent.flatMap(pinIn), ...forgotten]) {
        this.#givenUp.add(keyOf(lockId, this.#ownerOf.get(pin) ?? ''));
      }
    }
  }

  #addShed(): void {
    if (!this.home.services.has(SHED)) {
      this.home.appear(SHED);
      this.#watch(SHED);
    }
  }

  #hide(lock: LockId, forMs: number, isHalf: boolean): void {
    const service = this.home.service(lock);
    if (service.wasEmptyByFault) {
      return;
    }
    service.emptyLists = Number.MAX_SAFE_INTEGER;
    service.areHalfLists = isHalf;
    this.home.clock.after(forMs, () => {
      service.emptyLists = 0;
    });
    // A lock takes no code twice, which shows where a list hides what it has.
    service.refusesDoubles = true;
  }

  #account(lock: LockId, has: boolean): void {
    if (has && this.home.isAway(lock)) {
      this.home.comeBack(lock);
    } else if (!has && !this.home.isAway(lock)) {
      this.home.leave(lock);
    }
  }

  #giveUp(): void {
    const [away] = this.#standing('away');
    if (away !== undefined && away.revision !== 0) {
      this.#givenUp.add(keyOf(away.lockId, away.id));
      this.home.guests.settle(away.id, away.lockId, 'keep', away.revision);
    }
  }

  /** Not while the lock works: its work began before, and the service has no conditional command. */
  async #elsewhere(lockId: LockId, act: () => void): Promise<void> {
    // A list that was just read is followed by its command first: in between, no client can see a change.
    await this.home.atRest();
    if (!this.home.service(lockId).isWorking) {
      this.#number += 1;
      act();
    }
  }

  #stranger(lockId: LockId): void {
    const number = String(this.#number);
    const code = { name: `Other ${number}`, pin: String(7_000 + this.#number), schedule: ALWAYS };
    this.#leave(lockId, code);
    const id = accessCodeId(`app-${number}`);
    this.home.app(lockId, (codes) => [...codes, { ...code, id, readOnly: false }]);
  }

  #renumber(lockId: LockId): void {
    const service = this.home.service(lockId);
    // While lists are wrong, nobody could know whose an id is by now.
    if (!service.wasEmptyByFault && service.emptyLists <= 0) {
      this.home.app(lockId, (codes) =>
        codes.map((code, index) => ({ ...code, id: codes[(index + 1) % codes.length]?.id ?? code.id })),
      );
    }
  }

  #remake(lockId: LockId, one: StepOfKind<'remake'>): void {
    const { codesOf } = this.home.service(lockId);
    const chosen = codesOf[one.which % Math.max(codesOf.length, 1)];
    if (chosen === undefined) {
      return;
    }
    const number = String(this.#number);
    const { name, pin, schedule } = { ...chosen, ...(one.renames ? { name: `App ${number}` } : {}) };
    if (one.renames || this.#isApps(lockId, chosen)) {
      this.#leave(lockId, { name, pin, schedule }, chosen);
    }
    this.home.app(lockId, (codes) => [
      ...codes.filter((code) => code.id !== chosen.id),
      { ...chosen, id: accessCodeId(`app-${number}`), name },
    ]);
  }

  /** The app left a code like that, in the place of another. */
  #leave(lockId: LockId, code: CodeDraft, former?: CodeDraft): void {
    const others = (this.#apps.get(lockId) ?? []).filter(
      (one) => former === undefined || !matchesDraft(one, former),
    );
    this.#apps.set(lockId, [...others, code]);
    this.#everApps.set(lockId, [...(this.#everApps.get(lockId) ?? []), code]);
  }

  /** Two codes with one name or one PIN are a double. */
  look(): void {
    for (const [id, { codesOf }] of this.home.services) {
      for (const key of ['name', 'pin'] as const) {
        if (new Set(codesOf.map((code) => code[key])).size < codesOf.length) {
          this.#wrong(`two codes with one ${key} on ${id}`);
        }
      }
    }
    this.#lookForOpenDoors();
  }

  /** Said once, however long it lasts. */
  #wrong(words: string): void {
    if (!this.wrongs.includes(words)) {
      this.wrongs.push(words);
    }
  }

  /** Whose digits open a door is listed with it (faults#116). */
  #lookForOpenDoors(): void {
    const guests = this.home.guests.list();
    for (const [lockId, { codesOf }] of this.home.services) {
      for (const { pin } of codesOf) {
        const id = this.#ownerOf.get(pin);
        const guest = guests.find((one) => one.id === id);
        const isWanted =
          guest?.isLeaving === false && (guest.locks === 'all' || guest.locks.includes(lockId));
        const isShown = isWanted || guest?.onLocks.some((onLock) => onLock.lockId === lockId) === true;
        if (id !== undefined && !isShown && !this.#givenUp.has(keyOf(lockId, id))) {
          this.#wrong(`the digits ${pin} open ${lockId}, and their guest is gone`);
        }
      }
    }
  }

  /** Everything is reachable, and people press "Try again" where a lock refused. */
  async endWell(): Promise<void> {
    for (const [id, service] of this.home.services) {
      service.unreachable = false;
      service.unreadable = false;
      service.emptyLists = 0;
      service.mishaps = [];
      this.#account(id, true);
      this.home.connect(id, true);
    }
    if (this.#unconfirmed.size > 0) {
      // However long nobody says yes, nobody is let in.
      await this.home.clock.advance(10 * 60_000);
      this.#unconfirmed.clear();
    }
    for (let round = 0; round < 6; round += 1) {
      this.#confirm();
      await this.home.clock.advance(30 * 60_000);
      this.look();
      void this.home.guests.compareAll();
      await this.home.clock.advance(60_000);
      for (const { id, lockId, revision } of this.#standing('refused', 'waiting')) {
        this.home.guests.settle(id, lockId, 'retry', revision);
      }
    }
    await this.home.clock.advance(60_000);
  }

  /** A person says that these guests may come in, also where the app had removed the code. */
  #confirm(): void {
    for (const { name } of this.home.guests.list().filter(({ isProposed }) => isProposed)) {
      for (const id of this.home.services.keys()) {
        this.#lost.delete(`${id} ${name}`);
      }
    }
    this.home.guests.confirm();
  }

  /** In the end each lock has what is wanted, but where a difference is open or was left. */
  judge(): void {
    const guests = this.home.guests.list();
    for (const guest of guests) {
      for (const { lockId, isLeaving, standing } of guest.onLocks) {
        const isTrue = !isLeaving && standing.kind === 'up-to-date' && this.#has(guest, lockId);
        // A code that a person gave up is in the way like anybody's.
        const isGivenUp = this.#givenUp.has(keyOf(lockId, guest.id));
        // What the lock got after the backup is in the way of what the backup says.
        const wasRestored = this.#sentBefore.size > 0;
        const isShut =
          standing.kind === 'refused' && (isGivenUp || wasRestored || this.#isInTheWay(guest, lockId));
        if (!isTrue && !isShut && !OPEN.has(standing.kind)) {
          this.wrongs.push(`${guest.name} is ${JSON.stringify(standing)} on ${lockId}`);
        }
      }
    }
    const managed = new Set(guests.map(({ name }) => name));
    for (const [id, { codesOf }] of this.home.services) {
      const shown = new Set(
        this.#standing('differs', 'look-alike').flatMap(({ lockId, standing }) =>
          lockId === id ? nameIn(standing) : [],
        ),
      );
      const left = codesOf.filter(
        (code) =>
          !managed.has(code.name) &&
          !shown.has(code.name) &&
          this.#everApps.get(id)?.some((one) => matchesDraft(code, one)) !== true &&
          !this.#givenUp.has(keyOf(id, this.#ownerOf.get(code.pin) ?? '')),
      );
      this.wrongs.push(...left.map(({ name }) => `${name} was left on ${id}`));
    }
  }

  #has(guest: GuestView, lockId: LockId): boolean {
    const draft = {
      name: guest.name,
      pin: this.home.guests.reveal(guest.id),
      schedule: guest.schedule,
    };
    return this.home.has(lockId, draft);
  }

  /** The app changed a code before anybody could know that it was the guest's: now it is another one of that name. */
  #isInTheWay({ id, name }: GuestView, lockId: LockId): boolean {
    const pin = this.home.guests.reveal(id);
    return this.home
      .service(lockId)
      .codesOf.some((code) => (code.name === name || code.pin === pin) && this.#isApps(lockId, code));
  }

  #isApps(id: LockId, code: AccessCode): boolean {
    return this.#apps.get(id)?.some((left) => matchesDraft(code, left)) === true;
  }

  #edit(one: Extract<GuestStep, { readonly kind: 'add' | 'edit' | 'remove' }>): void {
    const { guests } = this.home;
    const all = guests.list().filter(({ isLeaving }) => !isLeaving);
    this.#number += 1;
    const pin = String(1_000 + this.#number);
    if (one.kind === 'add') {
      const name = `Guest ${String(this.#number)}`;
      const answer = guests.add({ name, pin, schedule: ALWAYS }, this.#set(one.set));
      if (answer.kind === 'saved') {
        this.#ownerOf.set(pin, answer.guest.id);
      }
      return;
    }
    const guest = all[one.which % Math.max(all.length, 1)];
    if (guest === undefined) {
      return;
    }
    if (one.kind === 'remove') {
      guests.remove(guest.id);
    } else {
      const locks = one.set === null ? {} : { locks: this.#set(one.set) };
      this.#ownerOf.set(pin, guest.id);
      guests.update(guest.id, { pin, ...locks }, guest.revision);
    }
    if (one.kind === 'remove' || one.set !== null) {
      // Another set of locks is a new request for each of them.
      for (const id of this.home.services.keys()) {
        this.#lost.delete(`${id} ${guest.name}`);
      }
    }
  }

  /** Only a lock that the account has can be chosen. */
  #set(number: number): GuestLocks {
    const locks = SETS[number] ?? 'all';
    return locks === 'all' ? locks : locks.filter((id) => !this.home.isAway(id));
  }

  #decide(choice: 'keep' | 'overwrite'): void {
    const [open] = this.#standing('differs', 'removed-elsewhere', 'look-alike');
    if (open === undefined) {
      return;
    }
    const { id, name, lockId, standing, revision } = open;
    this.home.guests.settle(id, lockId, choice, revision);
    if (choice === 'overwrite') {
      this.#allow(lockId, name, nameIn(standing));
    }
  }

  /** Where guests stand like that. */
  #standing(...kinds: readonly string[]) {
    return this.home.guests
      .list()
      .flatMap(({ id, name, onLocks }) => onLocks.map((onLock) => ({ id, name, ...onLock })))
      .filter(({ standing }) => kinds.includes(standing.kind));
  }

  /** A change by the app that the person has seen may be overwritten; a later one may not. */
  #allow(lockId: LockId, guest: string, found: string | null): void {
    this.#lost.delete(`${lockId} ${guest}`);
    for (const seen of this.home.service(lockId).listed.filter(({ name }) => name === found)) {
      if (this.#isApps(lockId, seen)) {
        const others = this.#apps.get(lockId)?.filter((left) => !matchesDraft(seen, left));
        this.#apps.set(lockId, others ?? []);
      }
    }
  }

  #app(lockId: LockId, whichCode: number, what: 'change' | 'remove'): void {
    const service = this.home.service(lockId);
    const code = service.codesOf[whichCode % Math.max(service.codesOf.length, 1)];
    if (code === undefined) {
      return;
    }
    const number = String(this.#number);
    const change = this.#number % 2 === 0 ? { name: `App ${number}` } : { pin: String(5_000 + this.#number) };
    const { name, pin, schedule } = { ...code, ...change };
    if (what === 'change') {
      this.#leave(lockId, { name, pin, schedule }, code);
    } else if (this.home.on(lockId, code.name)?.standing.kind === 'up-to-date') {
      this.#lost.add(`${lockId} ${code.name}`);
    }
    this.home.app(lockId, (codes) =>
      what === 'remove'
        ? codes.filter(({ id }) => id !== code.id)
        : codes.map((one) => (one.id === code.id ? { ...one, ...change } : one)),
    );
  }

  #watch(lockId: LockId): void {
    const service = this.home.service(lockId);
    service.onSend = (command: CodeCommand) => {
      this.#lookAtOthers(lockId, command);
    };
    service.onApply = (command: CodeCommand) => {
      const id = 'codeId' in command ? command.codeId : accessCodeId('');
      const before = service.codesOf.find((code) => code.id === id);
      if (before !== undefined && this.#isApps(lockId, before) && !this.#isHidden(lockId, command)) {
        this.wrongs.push(`${command.kind} of ${before.name} on ${lockId} was not asked for`);
      }
      const owner = command.kind === 'add' ? this.#ownerOf.get(command.draft.pin) : undefined;
      if (owner !== undefined && this.#unconfirmed.has(owner) && !this.#sentBefore.has(command)) {
        this.wrongs.push(`${owner} was let in on ${lockId} after a restore, without a yes`);
      }
      if (command.kind === 'add' && this.#lost.has(`${lockId} ${command.draft.name}`)) {
        this.wrongs.push(`${command.draft.name} was added again on ${lockId} unasked`);
      }
    };
  }

  /** The code that a guest wants and has is changed or removed for nobody else. */
  #lookAtOthers(lockId: LockId, command: CodeCommand): void {
    const { codesOf } = this.home.service(lockId);
    const code = codesOf.find(({ id }) => 'codeId' in command && id === command.codeId);
    const guest = this.home.guests.list().find(({ id }) => id === this.#ownerOf.get(code?.pin ?? ''));
    const isWanted = guest?.onLocks.some((on) => on.lockId === lockId && !on.isLeaving) === true;
    if (isWanted && !guest.isProposed && this.#has(guest, lockId) && !this.#isHidden(lockId, command)) {
      this.#wrong(`${command.kind} of the code of ${guest.name} on ${lockId} is for another guest`);
    }
  }

  /** A code that no list showed is removed by the id that it had as the guest's. */
  #isHidden(lockId: LockId, { kind }: CodeCommand): boolean {
    const { wasEmptyAt } = this.home.service(lockId);
    return kind === 'remove' && this.home.clock.now() - wasEmptyAt < EFFECT_WITHIN_MS;
  }
}

const OPEN: ReadonlySet<string> = new Set(['differs', 'removed-elsewhere', 'kept', 'look-alike']);

/** The name of the code that a standing shows; null: it shows none. */
function nameIn(standing: GuestStanding): string | null {
  return standing.kind === 'differs'
    ? standing.found.name
    : standing.kind === 'look-alike'
      ? standing.name
      : null;
}

/** The digits that a command gives to a code; none where it gives none. */
function pinIn(command: CodeCommand): string | readonly [] {
  return command.kind === 'add'
    ? command.draft.pin
    : command.kind === 'update'
      ? (command.changes.pin ?? [])
      : [];
}

function keyOf(lockId: LockId, guestId: string): string {
  return `${lockId} ${guestId}`;
}
