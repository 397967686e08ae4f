// An account of one or several locks with codes and guests over stand-ins of their services, with locks that come and go, and crashes.

import { type AccessCode, type CodeDraft, matchesDraft } from '../../src/domain/codes/access-code.ts';
import { isSingle, type SingleRow } from '../../src/domain/codes/guest.ts';
import type { AccessCodeGateway } from '../../src/domain/codes/ports.ts';
import type { HistoryEntry } from '../../src/domain/history/history.ts';
import { type DeviceFacts, type LockId, lockId, unknownLock } from '../../src/domain/locks/lock.ts';
import { AccessCodes } from '../../src/engine/codes/access-codes.ts';
import { FileAge } from '../../src/engine/codes/file-age.ts';
import { type GuestOnLock, Guests } from '../../src/engine/codes/guests.ts';
import { type BusEvent, EventBus } from '../../src/engine/locks/event-bus.ts';
import { type LockChange, LockStore } from '../../src/engine/locks/lock-store.ts';
import { KeptCodeStore, KeptFileAge } from '../../src/storage/codes/code-store.ts';
import { MemoryValues } from '../stand-ins/database/values.ts';
import { StandInCodeService } from '../stand-ins/service/codes.ts';
import { keptLog } from '../support/kept-log.ts';
import { serviceClockOf } from '../support/known-time.ts';
import { ManualClock, settlePromises } from '../support/manual-clock.ts';
import { named } from '../support/named-lock.ts';

export const FRONT = lockId('front');
export const BACK = lockId('back');
export const SHED = lockId('shed');

/** A guest of these tests. */
export const ANNA: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };

interface CodesHomeOptions {
  readonly locks: readonly LockId[];
  /** What the locks are called; left out: as their ids. */
  readonly name?: string;
  /** Whether the locks take codes of different lengths. */
  readonly anyLength?: boolean;
}

class CodesHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly services = new Map<LockId, StandInCodeService>();
  readonly values = new MemoryValues();
  /** As a machine that starts has it, from its volume or a backup. */
  readonly settings = new MemoryValues();
  readonly store = new KeptCodeStore(this.values, this.settings);
  readonly lines: string[] = [];
  readonly events: BusEvent[] = [];
  link: 'linked' | 'revoked' = 'linked';
  /** On whose clocks the schedules of all locks are meant; null: nobody set it, and the locks do not say. */
  zone: string | null = 'UTC';
  /** The offset of the locks' clocks as the service lists it; `unlisted`: nothing was listed since the start. */
  offsetMinutes: number | null | 'unlisted' = null;
  readonly #options: CodesHomeOptions;
  readonly #connected = new Map<LockId, boolean>();
  readonly #away = new Set<LockId>();
  bus: EventBus;
  locks: LockStore;
  codes: AccessCodes;
  guests: Guests;

  constructor(options: CodesHomeOptions) {
    this.#options = options;
    for (const id of options.locks) {
      this.#provide(id);
    }
    [this.bus, this.locks, this.codes, this.guests] = this.#build();
  }

  /** The process ends at this point, and another begins soon. */
  async crash(forMs = 50): Promise<void> {
    this.guests.dispose();
    this.codes.dispose();
    await this.clock.advance(forMs);
    [this.bus, this.locks, this.codes, this.guests] = this.#build();
  }

  /** The process ends, its file is replaced, and another process begins soon. */
  async replaced(replace: () => void): Promise<void> {
    this.guests.dispose();
    this.codes.dispose();
    replace();
    await this.clock.advance(50);
    [this.bus, this.locks, this.codes, this.guests] = this.#build();
  }

  /** Nothing goes on any more before the clock moves: no list was read whose command is still to leave. */
  async atRest(): Promise<void> {
    for (let before = -1, calls = 0; calls !== before; ) {
      await settlePromises();
      before = calls;
      calls = [...this.services.values()].reduce((sum, one) => sum + one.listings.count + one.sent.length, 0);
    }
  }

  /** The service as that lock has it. */
  of(id: LockId): StandInCodeService {
    const service = this.services.get(id);
    if (service === undefined) {
      throw new Error(`There is no lock ${id}`);
    }
    return service;
  }

  /** A lock that the account gets now. */
  appear(id: LockId): void {
    this.#provide(id);
    this.#addLock(this.locks, id);
  }

  /** The lock has left the account, and keeps its codes. */
  leave(id: LockId): void {
    this.#away.add(id);
    this.locks.remove(id);
  }

  /** The account has the lock again. */
  comeBack(id: LockId): void {
    this.#away.delete(id);
    this.#addLock(this.locks, id);
  }

  isAway(id: LockId): boolean {
    return this.#away.has(id);
  }

  connect(id: LockId, connected: boolean): void {
    this.#connected.set(id, connected);
    if (this.isAway(id)) {
      return;
    }
    this.locks.apply(id, { type: 'reported', source: 'poll', at: this.clock.now(), connected });
  }

  /** Another person changes the codes of a lock with the app, and a webhook reports that where webhooks arrive. */
  app(id: LockId, change: (codes: readonly AccessCode[]) => readonly AccessCode[]): void {
    const service = this.of(id);
    service.codesOf = [...change(service.codesOf)];
    service.history.push({ what: 'code-updated', at: this.clock.now() });
    this.bus.emit({
      type: 'event-received',
      event: {
        type: 'code-updated',
        eventId: 'e',
        lockId: id,
        at: this.clock.now(),
        codeId: null,
        codeName: null,
      },
    });
  }

  /** How the code of the only guest, or of the one with that name, stands on a lock. */
  on(id: LockId, name?: string): GuestOnLock | undefined {
    const guest = this.guests.list().find((one) => name === undefined || one.name === name);
    return guest?.onLocks.find((one) => one.lockId === id);
  }

  kinds(name?: string): readonly string[] {
    const guest = this.guests.list().find((one) => name === undefined || one.name === name);
    return (guest?.onLocks ?? []).map(({ standing }) => standing.kind);
  }

  has(id: LockId, draft: CodeDraft): boolean {
    return this.of(id).codesOf.some((code) => matchesDraft(code, draft));
  }

  /** What a copy of the whole file holds now: of a backup, a snapshot or a volume. */
  copy(): () => void {
    const [secrets, settings] = [this.values, this.settings].map((values) => structuredClone(values.all()));
    return () => {
      for (const [values, kept] of [
        [this.values, secrets],
        [this.settings, settings],
      ] as const) {
        for (const key of values.all().keys()) {
          values.erase(key);
        }
        for (const [key, value] of kept ?? []) {
          values.write(key, value as object);
        }
      }
    };
  }

  #historyOf(id: LockId): readonly HistoryEntry[] {
    const by = { method: 'other', id: null, name: null } as const;
    return this.of(id).history.map(({ what, at }, index) => ({
      id: String(index),
      at,
      what,
      offsetMinutes: null,
      by,
    }));
  }

  #provide(id: LockId): void {
    this.services.set(id, new StandInCodeService(this.clock));
  }

  #addLock(locks: LockStore, id: LockId): void {
    locks.add({ ...unknownLock(id, named(this.#options.name ?? id)), device: this.#device() });
    const connected = this.#connected.get(id) ?? true;
    locks.apply(id, { type: 'reported', source: 'poll', at: this.clock.now(), connected });
  }

  #device(): DeviceFacts | null {
    const { offsetMinutes } = this;
    const variableLengthCodes = this.#options.anyLength ?? true;
    return offsetMinutes === 'unlisted'
      ? null
      : { type: '', createdAt: null, variableLengthCodes, offsetMinutes };
  }

  /** The service lists the locks, with the offset of their clocks. */
  list(offsetMinutes: number): void {
    this.offsetMinutes = offsetMinutes;
    const device = this.#device();
    if (device !== null) {
      for (const { id } of this.locks.all()) {
        this.locks.apply(id, { type: 'reported', source: 'poll', at: this.clock.now(), device });
      }
    }
    this.bus.emit({ type: 'listed', listing: { locks: [], askedAt: this.clock.now(), unread: 0 } });
  }

  #build(): [EventBus, LockStore, AccessCodes, Guests] {
    const { clock } = this;
    const log = keptLog(this.lines);
    const bus = new EventBus(log);
    bus.subscribe((event) => {
      this.events.push(event);
    });
    const serviceClock = serviceClockOf(clock);
    const emit = (change: LockChange): void => {
      bus.publish(change);
    };
    const store = new LockStore(emit, { staleBefore: () => 0, bounds: () => serviceClock.bounds() });
    for (const id of [...this.services.keys()].filter((one) => !this.isAway(one))) {
      this.#addLock(store, id);
    }
    const gateway: AccessCodeGateway = {
      codes: async (id) => this.of(id).codes(),
      send: async (id, ...rest) => this.of(id).send(id, ...rest),
      codeOutcome: async (id, commandId) => this.of(id).codeOutcome(id, commandId),
    };
    const common = { store, bus, clock, serviceClock, log };
    const link = { state: () => this.link };
    const age = new FileAge({
      ...common,
      link,
      age: new KeptFileAge(this.settings, () => null),
      service: {
        history: async (id) => Promise.resolve({ entries: this.#historyOf(id), limit: 100 }),
      },
    });
    const codes = new AccessCodes({
      ...common,
      age,
      codes: { gateway, store: this.store, writtenZone: () => this.zone, machineZone: () => 'UTC' },
      webhooks: { health: 'absent' },
      randomDigits: (count) => '7'.repeat(count),
    });
    const guests = new Guests({ ...common, codes, link, age });
    guests.start();
    return [bus, store, codes, guests];
  }
}

export class GuestHome extends CodesHome {
  /** The interval of the service's listings. */
  listedEveryMs = 60_000;
  #isOver = false;

  constructor(...locks: readonly LockId[]) {
    super({ locks });
    this.#listRegularly();
  }

  service(id: LockId): StandInCodeService {
    return this.of(id);
  }

  close(): void {
    this.#isOver = true;
  }

  #listRegularly(): void {
    this.clock.after(this.listedEveryMs, () => {
      if (!this.#isOver) {
        this.bus.emit({ type: 'listed', listing: { locks: [], askedAt: this.clock.now(), unread: 0 } });
        this.#listRegularly();
      }
    });
  }
}

export const DOOR = lockId('door');

/** One door, whose locks are not listed by themselves. */
export class CodeHome extends CodesHome {
  readonly service: StandInCodeService;

  constructor({ lock = DOOR, anyLength = true } = {}) {
    super({ locks: [lock], name: 'Front door', anyLength });
    this.service = this.of(lock);
  }

  /** The single changes that have not ended, as the next process would find them. */
  open(): readonly SingleRow[] {
    return this.store.guests().filter(isSingle);
  }

  /** The answer to what was asked, without moving the clock. */
  async asked<T>(work: Promise<T>): Promise<T> {
    await settlePromises();
    return work;
  }
}

/** A home of two locks, whose codes have been read. */
export async function homeOfTwo(): Promise<GuestHome> {
  const home = new GuestHome(FRONT, BACK);
  await home.clock.advance(4_000);
  return home;
}

/** A home with Anna on two locks, whose codes are there. */
export async function homeWithAnna(): Promise<{ readonly home: GuestHome; readonly id: string }> {
  const home = await homeOfTwo();
  home.guests.add(ANNA, 'all');
  await home.clock.advance(10_000);
  return { home, id: home.guests.list()[0]?.id ?? '' };
}
