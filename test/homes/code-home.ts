// The access codes of one door over the stand-in of their service, with crashes.

import { isSingle, type SingleRow } from '../../src/domain/codes/guest.ts';
import { type LockId, lockId, unknownLock } from '../../src/domain/locks/lock.ts';
import { AccessCodes } from '../../src/engine/codes/access-codes.ts';
import { FileAge } from '../../src/engine/codes/file-age.ts';
import { Guests } from '../../src/engine/codes/guests.ts';
import { type BusEvent, EventBus } from '../../src/engine/locks/event-bus.ts';
import { LockStore } from '../../src/engine/locks/lock-store.ts';
import { KeptCodeStore, KeptFileAge } from '../../src/storage/codes/code-store.ts';
import { MemoryValues } from '../stand-ins/database/values.ts';
import { StandInCodeService } from '../stand-ins/service/codes.ts';
import { keptLog } from '../support/kept-log.ts';
import { serviceClockOf } from '../support/known-time.ts';
import { ManualClock, settlePromises } from '../support/manual-clock.ts';
import { named } from '../support/named-lock.ts';

export const DOOR: LockId = lockId('door');

export interface CodeHomeOptions {
  readonly lock?: LockId;
  /** Whether the lock takes codes of different lengths. */
  readonly anyLength?: boolean;
}

export class CodeHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new StandInCodeService(this.clock);
  readonly settings = new MemoryValues();
  readonly store = new KeptCodeStore(new MemoryValues(), this.settings);
  readonly lines: string[] = [];
  readonly events: BusEvent[] = [];
  bus = this.#newBus();
  codes: AccessCodes;
  guests: Guests;

  readonly #options: Required<CodeHomeOptions>;

  constructor({ lock = DOOR, anyLength = true }: CodeHomeOptions = {}) {
    this.#options = { lock, anyLength };
    [this.codes, this.guests] = this.#build();
  }

  /** The single changes that have not ended, as the next process would find them. */
  open(): readonly SingleRow[] {
    return this.store.guests().filter(isSingle);
  }

  /** The process ends at this point, and another begins soon. */
  async crash(): Promise<void> {
    this.guests.dispose();
    this.codes.dispose();
    await this.clock.advance(50);
    this.bus = this.#newBus();
    [this.codes, this.guests] = this.#build();
  }

  /** The answer to what was asked, without moving the clock. */
  async asked<T>(work: Promise<T>): Promise<T> {
    await settlePromises();
    return work;
  }

  #newBus(): EventBus {
    const bus = new EventBus(keptLog(this.lines));
    bus.subscribe((event) => {
      this.events.push(event);
    });
    return bus;
  }

  #build(): [AccessCodes, Guests] {
    const { clock, bus } = this;
    const serviceClock = serviceClockOf(clock);
    const store = new LockStore(() => {}, { staleBefore: () => 0, bounds: () => serviceClock.bounds() });
    const device = {
      type: '',
      createdAt: null,
      variableLengthCodes: this.#options.anyLength,
      offsetMinutes: null,
    };
    store.add({ ...unknownLock(this.#options.lock, named('Front door')), device });
    const link = { state: () => 'linked' as const };
    const common = { store, bus, clock, serviceClock, log: keptLog(this.lines) };
    const service = { history: async () => Promise.resolve({ entries: [], limit: 100 }) };
    const age = new FileAge({ ...common, link, age: new KeptFileAge(this.settings, () => null), service });
    const codes = new AccessCodes({
      ...common,
      codes: { gateway: this.service, store: this.store, writtenZone: () => 'UTC', machineZone: () => 'UTC' },
      age,
      webhooks: { health: 'absent' },
      randomDigits: (count) => '7'.repeat(count),
    });
    const guests = new Guests({ ...common, codes, link, age });
    guests.start();
    return [codes, guests];
  }
}
