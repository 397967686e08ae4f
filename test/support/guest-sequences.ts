// Random sequences of what people, the lock's app, locks and crashes do to guests, judged against a small model.
import fc from 'fast-check';
import { type AccessCode, accessCodeId, type CodeDraft, matchesDraft } from '../../src/domain/access-code.ts';
import type { CodeCommand } from '../../src/domain/code-ports.ts';
import type { GuestStanding } from '../../src/domain/guest-step.ts';
import type { LockId } from '../../src/domain/lock.ts';
import type { GuestView } from '../../src/sync/codes/guests.ts';
import { BACK, FRONT, GuestHome, SHED } from './guest-home.ts';
import type { CodeMishap } from './pretend-codes.ts';

const SETS = ['all', [FRONT], [BACK], [FRONT, BACK], []] as const;

export type GuestStep =
  | { readonly kind: 'add'; readonly set: number }
  | { readonly kind: 'edit'; readonly which: number; readonly set: number | null }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'decide'; readonly choice: 'keep' | 'overwrite' }
  | {
      readonly kind: 'app';
      readonly back: boolean;
      readonly which: number;
      readonly what: 'change' | 'remove';
    }
  | { readonly kind: 'mishap'; readonly back: boolean; readonly mishap: CodeMishap }
  | { readonly kind: 'online'; readonly back: boolean; readonly on: boolean }
  | { readonly kind: 'outage'; readonly back: boolean; readonly on: boolean }
  | { readonly kind: 'new-lock' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'crash' };

const back = fc.boolean();
const which = fc.nat({ max: 5 });
const set = fc.nat({ max: SETS.length - 1 });
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

const step: fc.Arbitrary<GuestStep> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), set }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), which, set: fc.option(set) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      choice: fc.constantFrom('keep' as const, 'overwrite' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('app' as const),
      back,
      which,
      what: fc.constantFrom('change' as const, 'remove' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mishap' as const), back, mishap }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('online' as const), back, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), back, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'new-lock' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 300, 2_000, 10_000, 130_000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'crash' as const }) },
);

export const guestSteps = fc.array(step, { minLength: 4, maxLength: 16 });

/** All that a run did wrong: doubles, changes of others that were overwritten unasked, and locks that did not end true. */
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

class GuestRun {
  readonly home = new GuestHome(FRONT, BACK);
  readonly wrongs: string[] = [];
  /** Codes as the app left them, by lock and id: nothing may touch them before a person has decided. */
  readonly #apps = new Map<string, CodeDraft>();
  /** Codes that the app removed from a lock, by lock and guest: nothing may add them before a person has decided. */
  readonly #lost = new Set<string>();
  #number = 0;

  constructor() {
    this.#watch(FRONT);
    this.#watch(BACK);
  }

  async take(one: GuestStep): Promise<void> {
    const { home } = this;
    const lock = 'back' in one && one.back ? BACK : FRONT;
    switch (one.kind) {
      case 'wait':
        await home.clock.advance(one.ms);
        return;
      case 'crash':
        await home.crash();
        return;
      case 'mishap':
      case 'online':
      case 'outage':
        this.#weather(one, lock);
        return;
      case 'new-lock':
        this.#addShed();
        return;
      case 'app':
        // A list that was just read is followed by its command first: in between, no client can see a change.
        await this.home.atRest();
        this.#app(lock, one.which, one.what);
        return;
      case 'add':
      case 'edit':
      case 'remove':
        this.#edit(one);
        return;
      case 'decide':
        this.#decide(one.choice);
    }
  }

  #addShed(): void {
    if (!this.home.services.has(SHED)) {
      this.home.appear(SHED);
      this.#watch(SHED);
    }
  }

  #weather(one: Extract<GuestStep, { readonly kind: 'mishap' | 'online' | 'outage' }>, lock: LockId): void {
    if (one.kind === 'online') {
      this.home.connect(lock, one.on);
    } else if (one.kind === 'outage') {
      this.home.service(lock).unreachable = one.on;
    } else {
      this.home.service(lock).mishaps.push(one.mishap);
    }
  }

  /** Two codes with one name or one PIN are a double. */
  look(): void {
    for (const [id, { codesOf }] of this.home.services) {
      for (const key of ['name', 'pin'] as const) {
        if (new Set(codesOf.map((code) => code[key])).size < codesOf.length) {
          this.wrongs.push(`two codes with one ${key} on ${id}`);
        }
      }
    }
  }

  /** Everything is reachable, and people press "Try again" where a lock refused. */
  async endWell(): Promise<void> {
    for (const [id, service] of this.home.services) {
      service.unreachable = false;
      service.mishaps = [];
      this.home.connect(id, true);
    }
    for (let round = 0; round < 6; round += 1) {
      await this.home.clock.advance(30 * 60_000);
      this.look();
      this.home.guests.look();
      await this.home.clock.advance(60_000);
      for (const { id, lockId, revision } of this.#standing('refused', 'waiting')) {
        this.home.guests.settle(id, lockId, 'retry', revision);
      }
    }
    await this.home.clock.advance(60_000);
  }

  /** In the end each lock has what is wanted, but where a difference is open or was left. */
  judge(): void {
    const guests = this.home.guests.list();
    for (const guest of guests) {
      for (const { lockId, isLeaving, standing } of guest.onLocks) {
        const isTrue = !isLeaving && standing.kind === 'up-to-date' && this.#has(guest, lockId);
        const isShut = standing.kind === 'refused' && this.#isInTheWay(guest, lockId);
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
        (code) => !managed.has(code.name) && !shown.has(code.name) && !this.#isApps(id, code),
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
    const left = this.#apps.get(keyOf(id, code.id));
    return left !== undefined && matchesDraft(code, left);
  }

  #edit(one: Extract<GuestStep, { readonly kind: 'add' | 'edit' | 'remove' }>): void {
    const { guests } = this.home;
    const all = guests.list().filter(({ isLeaving }) => !isLeaving);
    this.#number += 1;
    const pin = String(1_000 + this.#number);
    if (one.kind === 'add') {
      const name = `Guest ${String(this.#number)}`;
      guests.add({ name, pin, schedule: { kind: 'always' } }, SETS[one.set] ?? 'all');
      return;
    }
    const guest = all[one.which % Math.max(all.length, 1)];
    if (guest === undefined) {
      return;
    }
    if (one.kind === 'remove') {
      guests.remove(guest.id);
    } else {
      const locks = one.set === null ? {} : { locks: SETS[one.set] ?? 'all' };
      guests.update(guest.id, { pin, ...locks }, guest.revision);
    }
    if (one.kind === 'remove' || one.set !== null) {
      // Another set of locks is a new request for each of them.
      for (const id of this.home.services.keys()) {
        this.#lost.delete(`${id} ${guest.name}`);
      }
    }
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

  /** What the app did, and the person has seen, may be overwritten; what it did since then may not. */
  #allow(lockId: LockId, guest: string, found: string | null): void {
    this.#lost.delete(`${lockId} ${guest}`);
    for (const seen of this.home.service(lockId).listed.filter(({ name }) => name === found)) {
      if (this.#isApps(lockId, seen)) {
        this.#apps.delete(keyOf(lockId, seen.id));
      }
    }
  }

  /** Not while the lock works: its work began before, and the service has no conditional command. */
  #app(lockId: LockId, whichCode: number, what: 'change' | 'remove'): void {
    const service = this.home.service(lockId);
    const code = service.codesOf[whichCode % Math.max(service.codesOf.length, 1)];
    if (code === undefined || service.isWorking) {
      return;
    }
    this.#number += 1;
    const number = String(this.#number);
    const change = this.#number % 2 === 0 ? { name: `App ${number}` } : { pin: String(5_000 + this.#number) };
    const { name, pin, schedule } = { ...code, ...change };
    if (what === 'change') {
      this.#apps.set(keyOf(lockId, code.id), { name, pin, schedule });
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
    service.onApply = (command: CodeCommand) => {
      const id = 'codeId' in command ? command.codeId : accessCodeId('');
      const before = service.codesOf.find((code) => code.id === id);
      if (before !== undefined && this.#isApps(lockId, before)) {
        this.wrongs.push(`${command.kind} of ${before.name} on ${lockId} was not asked for`);
      }
      if (command.kind === 'add' && this.#lost.has(`${lockId} ${command.draft.name}`)) {
        this.wrongs.push(`${command.draft.name} was added again on ${lockId} unasked`);
      }
    };
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

function keyOf(lockId: LockId, codeId: string): string {
  return `${lockId} ${codeId}`;
}
