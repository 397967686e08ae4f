// What every behaviour is handed: the world's time, its seeded chance, its agenda and its stream of happenings.
import { type Chance, createChance } from './chance.ts';
import { DueQueue, type DueTask } from './due-queue.ts';
import type { DeviceChange, Happening, HappeningFact } from './happening.ts';
import type { Lock } from './lock.ts';

/** Whom a fact concerns. */
interface Concern {
  readonly deviceId: string | null;
  readonly userIds: readonly string[];
}

/** The ground the world stands on. Only `advance` moves its time. */
export class Kernel {
  readonly chance: Chance;
  readonly #agenda = new DueQueue();
  readonly #listeners = new Set<(happening: Happening) => void>();
  #now: number;

  constructor(seed: string, startAt: number) {
    this.chance = createChance(seed);
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  /** Runs `task` for a lock after a time, unless the lock is taken out of the world before. */
  after(delayMs: number, lock: Lock, task: () => void): DueTask {
    return this.#agenda.add(this.#now + Math.max(delayMs, 0), () => {
      if (lock.isPresent) {
        task();
      }
    });
  }

  nextDueAt(): number | null {
    return this.#agenda.nextAt();
  }

  /** Does everything due up to `toEpochMs`, in order. An earlier instant changes nothing: time only goes on. */
  advance(toEpochMs: number): readonly Happening[] {
    const happened: Happening[] = [];
    const stop = this.onHappening((happening) => {
      happened.push(happening);
    });
    for (let due = this.#agenda.take(toEpochMs); due !== null; due = this.#agenda.take(toEpochMs)) {
      this.#now = due.at;
      due.run();
    }
    this.#now = Math.max(this.#now, toEpochMs);
    stop();
    return happened;
  }

  onHappening(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Tells of something at a lock, to everybody who has a role there. */
  tell(lock: Lock, fact: HappeningFact): void {
    this.#emit({ deviceId: lock.deviceId, userIds: [...lock.roles.keys()] }, fact);
  }

  /** Tells at once of a change that a person at the door would see. */
  show(lock: Lock, change: DeviceChange): void {
    this.tell(lock, { kind: 'device-changed', change, bolt: lock.bolt });
  }

  /** Tells of something that concerns one user and no device. */
  tellUser(userId: string, fact: HappeningFact): void {
    this.#emit({ deviceId: null, userIds: [userId] }, fact);
  }

  #emit(concern: Concern, fact: HappeningFact): void {
    const happening: Happening = { id: this.chance.uuid(), at: this.#now, ...concern, ...fact };
    for (const listener of this.#listeners) {
      listener(happening);
    }
  }
}
