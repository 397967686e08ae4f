// The shared base of all behaviours: the world's time, seeded randomness, timers and event stream.

import { DueQueue, type DueTask } from '../time/due-queue.ts';
import type { Lock } from './lock.ts';
import { createRandom, type RandomSource } from './random.ts';
import type { DeviceChange, WorldEvent, WorldEventFact } from './world-event.ts';

interface Concern {
  readonly deviceId: string | null;
  readonly userIds: readonly string[];
}

/** The ground the world stands on. Only `advance` moves its time. */
export class Kernel {
  readonly random: RandomSource;
  readonly #agenda = new DueQueue();
  readonly #listeners = new Set<(worldEvent: WorldEvent) => void>();
  #now: number;

  constructor(seed: string, startAt: number) {
    this.random = createRandom(seed);
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
  advance(toEpochMs: number): readonly WorldEvent[] {
    const happened: WorldEvent[] = [];
    const stop = this.onEvent((worldEvent) => happened.push(worldEvent));
    for (let due = this.#agenda.take(toEpochMs); due !== null; due = this.#agenda.take(toEpochMs)) {
      this.#now = due.at;
      due.run();
    }
    this.#now = Math.max(this.#now, toEpochMs);
    stop();
    return happened;
  }

  onEvent(listener: (worldEvent: WorldEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Emits an event at a lock, to every user with a role there. */
  emit(lock: Lock, fact: WorldEventFact): void {
    this.#emit({ deviceId: lock.deviceId, userIds: [...lock.roles.keys()] }, fact);
  }

  /** Reports a change at once that a person at the door would see. */
  show(lock: Lock, change: DeviceChange): void {
    this.emit(lock, { kind: 'device-changed', change, bolt: lock.bolt });
  }

  /** Reports an event that concerns one user and no device. */
  notifyUser(userId: string, fact: WorldEventFact): void {
    this.#emit({ deviceId: null, userIds: [userId] }, fact);
  }

  #emit(concern: Concern, fact: WorldEventFact): void {
    const worldEvent: WorldEvent = { id: this.random.uuid(), at: this.#now, ...concern, ...fact };
    for (const listener of this.#listeners) {
      listener(worldEvent);
    }
  }
}
