// The access codes of one door over the stand-in of their service, with crashes.

import { type LockId, lockId, unknownLock } from '../../src/domain/locks/lock.ts';
import { KeptCodeStore } from '../../src/storage/codes/code-store.ts';
import { AccessCodes } from '../../src/sync/codes/access-codes.ts';
import { type BusEvent, EventBus } from '../../src/sync/locks/event-bus.ts';
import { LockStore } from '../../src/sync/locks/lock-store.ts';
import { MemoryValues } from '../stand-ins/database/values.ts';
import { StandInCodeService } from '../stand-ins/service/codes.ts';
import { keptLog } from '../support/kept-log.ts';
import { serviceClockOf } from '../support/known-time.ts';
import { ManualClock, settlePromises } from '../support/manual-clock.ts';
import { named } from '../support/named-lock.ts';

export const DOOR: LockId = lockId('door');

export class CodeHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new StandInCodeService(this.clock);
  readonly store = new KeptCodeStore(new MemoryValues(), new MemoryValues());
  readonly lines: string[] = [];
  readonly events: BusEvent[] = [];
  bus = this.#newBus();
  codes = this.#build();

  /** The process ends at this point, and another begins soon. */
  async crash(): Promise<void> {
    this.codes.dispose();
    await this.clock.advance(50);
    this.bus = this.#newBus();
    this.codes = this.#build();
    this.codes.followOpen();
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

  #build(): AccessCodes {
    const { clock, bus } = this;
    const serviceClock = serviceClockOf(clock);
    const store = new LockStore(() => {}, { staleBefore: () => 0, bounds: () => serviceClock.bounds() });
    const device = { type: '', createdAt: null, variableLengthCodes: true, offsetMinutes: null };
    store.add({ ...unknownLock(DOOR, named('Front door')), device });
    return new AccessCodes({
      codes: { gateway: this.service, store: this.store, writtenZone: () => 'UTC', machineZone: () => 'UTC' },
      store,
      bus,
      age: { mayTakeUp: async () => Promise.resolve(true) },
      webhooks: { health: 'absent' },
      clock,
      serviceClock,
      log: keptLog(this.lines),
    });
  }
}
