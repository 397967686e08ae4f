// Delivery faults on request: dropped, doubled, delayed, overtaken or forged notifications.
import { z } from 'zod';
import { Armory } from '../faults/armory.ts';
import { oftenSchema } from '../faults/occurrence.ts';
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
  /** The notification is never sent. */
  z.strictObject({ kind: z.literal('drop'), ...common }),
  /** The notification is sent twice in a row. */
  z.strictObject({ kind: z.literal('double'), ...common }),
  /** First sent this much later. */
  z.strictObject({ kind: z.literal('delay'), delayMs: z.int().min(1), ...common }),
  /** First sent after the next notification to the same receiver, or alone after a while. */
  z.strictObject({ kind: z.literal('reorder'), ...common }),
  /** Every instant in the notification is wrong by this much, as from a wrong clock. */
  z.strictObject({ kind: z.literal('misdate'), offsetMs: z.int(), ...common }),
  /** The notification is sent in a form that no receiver may accept. */
  z.strictObject({ kind: z.literal('forge'), forgery: z.enum(FORGERIES), ...common }),
]);
export type DeliveryFault = z.infer<typeof deliveryFaultSchema>;

export class DeliveryFaults extends Armory<DeliveryFault> {
  constructor(seed: string) {
    super(seed, 'delivery-fault');
  }

  /** The fault that strikes this notification: the oldest that fits, at most one. */
  strikeNotification(trigger: Trigger): DeliveryFault | undefined {
    const [struck] = this.strike(
      (fault, struckBefore) =>
        struckBefore.length === 0 && (fault.trigger === undefined || fault.trigger === trigger),
    );
    return struck;
  }
}
