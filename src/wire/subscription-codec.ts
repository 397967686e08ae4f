// Webhook subscriptions, from the service's words (wire contract 6).
import { z } from 'zod';
import type { Subscription } from '../domain/webhook-ports.ts';
import { opaqueId } from './lenient-schema.ts';

/** Only the word "Inactive" is no, in any letter case: a subscription without a status counts as active. */
const subscriptionSchema = z
  .object({ subscriptionId: opaqueId, url: z.string(), status: z.string().nullable().catch(null) })
  .transform(
    ({ subscriptionId, url, status }): Subscription => ({
      id: subscriptionId,
      url,
      active: status?.toLowerCase() !== 'inactive',
    }),
  );

/** The body that asks for a subscription. */
export function encodeSubscription(url: string): Readonly<Record<string, unknown>> {
  return { url };
}

/** One subscription, or null when it is none. */
export function decodeSubscription(body: unknown): Subscription | null {
  return subscriptionSchema.safeParse(body).data ?? null;
}

/** A list of subscriptions, or null when it is none. Items that are not understood are passed over. */
export function decodeSubscriptions(body: unknown): readonly Subscription[] | null {
  return Array.isArray(body) ? body.flatMap((item) => decodeSubscription(item) ?? []) : null;
}
