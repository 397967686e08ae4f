// Webhook subscriptions, from the service's words (wire contract 6).
import { z } from 'zod';
import type { Subscription } from '../domain/webhooks/ports.ts';
import { opaqueId, understoodOf } from './lenient-schema.ts';

/** Only the word "Inactive" means no, in any letter case: a subscription without a status counts as active. */
const subscriptionSchema = z
  .object({ subscriptionId: opaqueId, url: z.string(), status: z.string().nullable().catch(null) })
  .transform(
    ({ subscriptionId, url, status }): Subscription => ({
      id: subscriptionId,
      // One spelling, to be compared with ours.
      url: URL.parse(url)?.href ?? url,
      active: status?.toLowerCase() !== 'inactive',
    }),
  );

export function encodeSubscription(url: string): Readonly<Record<string, unknown>> {
  return { url };
}

/** One subscription; null when it is malformed. */
export function decodeSubscription(body: unknown): Subscription | null {
  return subscriptionSchema.safeParse(body).data ?? null;
}

/** A list of subscriptions; null for anything else, and when all items are malformed: ours may be one of them. */
export function decodeSubscriptions(body: unknown): readonly Subscription[] | null {
  return Array.isArray(body) ? understoodOf(body, decodeSubscription) : null;
}
