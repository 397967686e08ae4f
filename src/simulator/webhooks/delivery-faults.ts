// What may happen to a notification on its way: dropped, doubled, delayed, overtaken or forged, on request.
import { z } from 'zod';
import { Occurrence, oftenSchema } from '../faults/occurrence.ts';
import { createChance } from '../world/chance.ts';
import { TRIGGERS, type Trigger } from './envelope.ts';
import { FORGERIES } from './signature.ts';

const common = {
  /** How many notifications it strikes. A notification to two receivers is two. */
  often: oftenSchema,
  /** Strikes this trigger only; every trigger when left out. */
  trigger: z.enum(TRIGGERS).exactOptional(),
};

/** One fault to arm, as the control API takes it. */
export const deliveryFaultSchema = z.discriminatedUnion('kind', [
  /** Never sent. */
  z.strictObject({ kind: z.literal('drop'), ...common }),
  /** Sent twice in a row. */
  z.strictObject({ kind: z.literal('double'), ...common }),
  /** First sent this much later. */
  z.strictObject({ kind: z.literal('delay'), delayMs: z.int().min(1), ...common }),
  /** First sent after the next notification to the same receiver, or alone after a while. */
  z.strictObject({ kind: z.literal('reorder'), ...common }),
  /** Sent in a form that no receiver may accept. */
  z.strictObject({ kind: z.literal('forge'), forgery: z.enum(FORGERIES), ...common }),
]);
export type DeliveryFault = z.infer<typeof deliveryFaultSchema>;

/** An armed fault and how many strikes it has left; null: no end. */
export interface ArmedDeliveryFault {
  readonly id: string;
  readonly fault: DeliveryFault;
  readonly left: number | null;
}

interface Armed {
  readonly id: string;
  readonly fault: DeliveryFault;
  readonly occurrence: Occurrence;
}

/** The faults in force, oldest first. */
export class DeliveryFaults {
  readonly #seed: string;
  #armed: readonly Armed[] = [];
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Arms a fault and returns its id. */
  arm(fault: DeliveryFault): string {
    this.#count += 1;
    const id = `delivery-fault-${String(this.#count)}`;
    const occurrence = new Occurrence(fault.often, createChance(`${this.#seed}/${id}`));
    this.#armed = [...this.#armed, { id, fault, occurrence }];
    return id;
  }

  /** Disarms one; false when it is not armed. */
  disarm(id: string): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
  }

  list(): readonly ArmedDeliveryFault[] {
    return this.#armed.map(({ id, fault, occurrence }) => ({ id, fault, left: occurrence.left }));
  }

  /** The fault that strikes this notification: the oldest that fits, at most one. */
  strike(trigger: Trigger): DeliveryFault | undefined {
    const struck = this.#armed.find(
      ({ fault, occurrence }) =>
        (fault.trigger === undefined || fault.trigger === trigger) && occurrence.strikes(),
    );
    this.#armed = this.#armed.filter(({ occurrence }) => !occurrence.spent);
    return struck?.fault;
  }
}
