// Webhook subscriptions, from the service's words (wire contract 6).
import type { Subscription } from '../domain/webhooks/ports.ts';
import { idOf, membersOf, understoodOf } from './lenient.ts';

export function encodeSubscription(url: string): Readonly<Record<string, unknown>> {
  return { url };
}

/**
 * One subscription; null when it is malformed. Only the word "Inactive" means no, in any letter case: a subscription without
 * a status counts as active.
 */
export function decodeSubscription(body: unknown): Subscription | null {
  const { subscriptionId, url, status } = membersOf(body);
  const id = idOf(subscriptionId);
  if (id === null || typeof url !== 'string') {
    return null;
  }
  const active = typeof status !== 'string' || status.toLowerCase() !== 'inactive';
  // One spelling, to be compared with ours.
  return { id, url: URL.parse(url)?.href ?? url, active };
}

/** A list of subscriptions; null for anything else, and when all items are malformed: ours may be one of them. */
export function decodeSubscriptions(body: unknown): readonly Subscription[] | null {
  return Array.isArray(body) ? understoodOf(body, decodeSubscription) : null;
}
