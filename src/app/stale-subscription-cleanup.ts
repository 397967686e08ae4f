// Takes leave of the service for a link that is ours no more: else it goes on telling us of that person's doors.
import type { SubscriptionGateway } from '../domain/ports.ts';
import { type Clock, delay } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { RegisteredAddresses } from '../sync/events/subscription-keeper.ts';
import type { CloudClients } from './cloud-clients.ts';

export interface StaleSubscriptionCleanupParts {
  readonly clients: Pick<CloudClients, 'subscriptions' | 'subscriptionsWith'>;
  readonly registered: RegisteredAddresses;
  readonly clock: Clock;
  readonly log: Log;
}

/** Nobody who unlinks or links waits longer for this, in milliseconds (our choice). */
const LEAVE_WITHIN_MS = 4_000;

export class StaleSubscriptionCleanup {
  readonly #parts: StaleSubscriptionCleanupParts;

  constructor(parts: StaleSubscriptionCleanupParts) {
    this.#parts = parts;
  }

  /**
   * Removes what we registered for the link whose access token this was, and with that token, because no other may. `replaced`:
   * another link was made in its place, and what that one has as well is of the same account and stays. Takes a few seconds
   * at the most and never rejects: what is left over goes on telling us, and is ignored.
   */
  async remove(accessToken: string, { replaced }: { readonly replaced: boolean }): Promise<void> {
    const { clients, clock, log } = this.#parts;
    const enough = new AbortController();
    try {
      const known = this.#parts.registered.read();
      if (known.length === 0) {
        return;
      }
      const former = clients.subscriptionsWith(accessToken);
      const patience = delay(clock, LEAVE_WITHIN_MS, enough.signal).then(
        () => 'The service took too long.',
        () => null,
      );
      const removed = this.#removeAll(former.gateway, known, replaced, enough.signal).then(() => null);
      const failure = await Promise.race([removed, patience]).finally(() => {
        enough.abort();
        void former.close();
      });
      if (failure !== null) {
        log.info(leftOver(failure));
      }
    } catch (error) {
      log.info(leftOver(messageOf(error)));
    }
  }

  async #removeAll(
    former: SubscriptionGateway,
    known: readonly string[],
    replaced: boolean,
    ended: AbortSignal,
  ): Promise<void> {
    const { clients, registered, log } = this.#parts;
    const ours = (await former.list()).filter(({ url }) => known.includes(url));
    const kept = new Set(
      replaced && ours.length > 0 ? (await clients.subscriptions.list()).map(({ id }) => id) : [],
    );
    const gone = ours.filter(({ id }) => !kept.has(id));
    for (const { id } of gone) {
      if (ended.aborted) {
        return;
      }
      await former.remove(id);
    }
    if (gone.length > 0 && !ended.aborted) {
      registered.write(known.filter((url) => gone.every((subscription) => subscription.url !== url)));
      log.info('Webhooks of the previously linked account were unregistered.');
    }
  }
}

function leftOver(why: string): string {
  return `The registration of webhooks for the account that was linked before is left over: ${why} What it tells is ignored.`;
}
