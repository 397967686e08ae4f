// Requested faults that have not struck often enough yet.
import { createRandom } from '../world/random.ts';
import { Occurrence, type Often } from './occurrence.ts';

/** A fault in force and the number of its remaining strikes; null: without end. */
export interface ArmedFault<Fault> {
  readonly id: string;
  readonly fault: Fault;
  readonly left: number | null;
}

interface Entry<Fault> {
  readonly id: string;
  readonly fault: Fault;
  readonly occurrence: Occurrence;
}

/** Keeps armed faults, oldest first. Each draws from a chance of its own: faults do not disturb one another. */
export class Armory<Fault extends { readonly often: Often }> {
  readonly #seed: string;
  readonly #label: string;
  #armed: readonly Entry<Fault>[] = [];
  #count = 0;

  /** Ids are the label and a running number. */
  constructor(seed: string, label: string) {
    this.#seed = seed;
    this.#label = label;
  }

  /** Arms a fault and returns its id. */
  arm(fault: Fault): string {
    this.#count += 1;
    const id = `${this.#label}-${String(this.#count)}`;
    const occurrence = new Occurrence(fault.often, createRandom(`${this.#seed}/${id}`));
    this.#armed = [...this.#armed, { id, fault, occurrence }];
    return id;
  }

  /** Disarms one; false when it is not in force. */
  disarm(id: string): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((entry) => entry.id !== id);
    return this.#armed.length < before;
  }

  /** Disarms all. */
  clear(): void {
    this.#armed = [];
  }

  list(): readonly ArmedFault<Fault>[] {
    return this.#armed.map(({ id, fault, occurrence }) => ({ id, fault, left: occurrence.left }));
  }

  /**
   * The faults that strike one occasion. Oldest first, each is asked whether it fits beside those that struck before
   * it; others are not used up.
   */
  strike(fits: (fault: Fault, struckBefore: readonly Fault[]) => boolean): readonly Fault[] {
    const struck: Fault[] = [];
    for (const { fault, occurrence } of this.#armed) {
      if (fits(fault, struck) && occurrence.strikes()) {
        struck.push(fault);
      }
    }
    if (struck.length > 0) {
      this.#armed = this.#armed.filter(({ occurrence }) => !occurrence.spent);
    }
    return struck;
  }
}
