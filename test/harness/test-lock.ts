// One lock of the simulator: actions on it by hand, and how it looks in Home.

import { Characteristic, Service } from 'hap-nodejs';
import { control } from '../stand-ins/service/simulated.ts';
import type { Home, HomeEvent, Point, Reading } from './home.ts';

/** The state of a lock in the Home app, in words; the index is HomeKit's number. */
const CURRENT = ['unlocked', 'locked', 'jammed', 'unknown'] as const;
const TARGET = ['unlocked', 'locked'] as const;

export type Shown = (typeof CURRENT)[number] | 'no response';
export type Target = (typeof TARGET)[number];

/** HAP status: the accessory cannot be reached; Home shows "No Response". */
const SERVICE_COMMUNICATION_FAILURE = -70402;

export class TestLock {
  readonly name: string;
  readonly #home: () => Home;
  readonly #controlUrl: string;

  constructor(name: string, home: () => Home, controlUrl: string) {
    this.name = name;
    this.#home = home;
    this.#controlUrl = controlUrl;
  }

  get current(): Point {
    return this.point(Service.LockMechanism, Characteristic.LockCurrentState);
  }

  get target(): Point {
    return this.point(Service.LockMechanism, Characteristic.LockTargetState);
  }

  point(service: Point['service'], characteristic: Point['characteristic']): Point {
    return { accessory: this.name, service, characteristic };
  }

  /** Does something to the lock itself, or around it, by the simulator's control API: `turn-thumbturn`, `jam` ... */
  async at(action: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await control(this.#controlUrl, `locks/${encodeURIComponent(this.name)}/${action}`, details);
  }

  /** Taps the lock in Home; resolves with the HAP status. */
  async tap(target: Target): Promise<number> {
    return this.#home().write(this.target, TARGET.indexOf(target));
  }

  async shown(): Promise<Shown> {
    return inWords(await this.#home().read(this.current));
  }

  async requested(): Promise<Target | undefined> {
    return TARGET[Number((await this.#home().read(this.target)).value)];
  }

  /** Resolves when Home was notified that the lock is `shown`. */
  async showed(shown: Exclude<Shown, 'no response'>, withinMs: number): Promise<HomeEvent> {
    return this.#home().received(this.current, CURRENT.indexOf(shown), withinMs);
  }

  /** Resolves when Home was notified that the target is this. */
  async aimed(target: Target, withinMs: number): Promise<HomeEvent> {
    return this.#home().received(this.target, TARGET.indexOf(target), withinMs);
  }
}

/** The request that a scene sends for this lock, to be written together with others. */
export function sceneRequest(lock: TestLock, target: Target): readonly [Point, number] {
  return [lock.target, TARGET.indexOf(target)];
}

function inWords({ status, value }: Reading): Shown {
  if (status === SERVICE_COMMUNICATION_FAILURE) {
    return 'no response';
  }
  const word = CURRENT[Number(value)];
  if (status !== 0 || word === undefined) {
    throw new Error(`Home got status ${status} and value ${String(value)} for a lock's state`);
  }
  return word;
}
