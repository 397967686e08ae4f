// Webhook subscriptions by user and partner client (wire contract 6).

/** A subscription as the service shows it. */
export interface SubscriptionRecord {
  readonly subscriptionId: string;
  readonly url: string;
  readonly status: 'Active' | 'Inactive';
  readonly createdAt: string;
}

/** The owner of subscriptions: one partner client, for one user. */
export interface SubscriptionOwner {
  readonly clientId: string;
  readonly userId: string;
}

/** A subscription with its owner; a change of status is a new value under the same id. */
export interface Subscription extends SubscriptionOwner {
  readonly record: SubscriptionRecord;
}

const sameOwner = (left: SubscriptionOwner, right: SubscriptionOwner): boolean =>
  left.clientId === right.clientId && left.userId === right.userId;

/** Subscriptions in the order in which they were made. A subscription is visible to its owner alone. */
export class SubscriptionRegistry {
  readonly #byId = new Map<string, Subscription>();
  #made = 0;

  list(owner: SubscriptionOwner): readonly SubscriptionRecord[] {
    return this.all()
      .filter((subscription) => sameOwner(subscription, owner))
      .map(({ record }) => record);
  }

  get(owner: SubscriptionOwner, subscriptionId: string): SubscriptionRecord | undefined {
    const subscription = this.#byId.get(subscriptionId);
    return subscription !== undefined && sameOwner(subscription, owner) ? subscription.record : undefined;
  }

  findByUrl(owner: SubscriptionOwner, url: string): SubscriptionRecord | undefined {
    return this.list(owner).find((record) => record.url === url);
  }

  /** Adds an active subscription; the time is epoch milliseconds. */
  add(owner: SubscriptionOwner, url: string, now: number): SubscriptionRecord {
    this.#made += 1;
    const record: SubscriptionRecord = {
      subscriptionId: `s-${String(this.#made)}`,
      url,
      status: 'Active',
      createdAt: new Date(now).toISOString(),
    };
    this.#byId.set(record.subscriptionId, { clientId: owner.clientId, userId: owner.userId, record });
    return record;
  }

  /** Sets the status of a subscription that still exists and returns the result. */
  setStatus(subscriptionId: string, status: SubscriptionRecord['status']): SubscriptionRecord | undefined {
    const subscription = this.#byId.get(subscriptionId);
    if (subscription === undefined) {
      return undefined;
    }
    const record = { ...subscription.record, status };
    this.#byId.set(subscriptionId, { ...subscription, record });
    return record;
  }

  /** Removes one; false when this owner has none with that id. */
  remove(owner: SubscriptionOwner, subscriptionId: string): boolean {
    return this.get(owner, subscriptionId) !== undefined && this.#byId.delete(subscriptionId);
  }

  /** Removes all of a user's with one client, or with every client when `clientId` is null. */
  removeAll(userId: string, clientId: string | null): void {
    for (const [id, subscription] of this.#byId) {
      if (subscription.userId === userId && (clientId === null || subscription.clientId === clientId)) {
        this.#byId.delete(id);
      }
    }
  }

  all(): readonly Subscription[] {
    return [...this.#byId.values()];
  }

  activeOf(userIds: readonly string[]): readonly Subscription[] {
    return this.all().filter(({ userId, record }) => record.status === 'Active' && userIds.includes(userId));
  }
}
