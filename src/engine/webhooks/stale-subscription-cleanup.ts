// Removes the webhook subscriptions of a former link, so that the service stops sending that account's events.
import type { SubscriptionGateway } from '../../domain/webhooks/ports.ts';
import { type Clock, delay } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { RegisteredAddresses } from './subscription-keeper.ts';

/** Longest delay of unlinking or linking for this cleanup, in milliseconds (our choice). */
const LEAVE_WITHIN_MS = 4_000;

/**
 * Removes our subscriptions for the link of this access token, which only that token can. `replaced`: a new link
 * exists, and subscriptions that it lists as well belong to the same account and stay. Takes at most a few seconds and
 * never rejects: events of leftover subscriptions are ignored.
 */
export async function removeStaleSubscriptions(
  parts: {
    /** Those of the account as it is linked now, and of a link that may have been replaced, which is closed after use. */
    readonly clients: {
      readonly subscriptions: SubscriptionGateway;
      subscriptionsWith(accessToken: string): {
        readonly gateway: SubscriptionGateway;
        close(): Promise<void>;
      };
    };
    readonly registered: RegisteredAddresses;
    readonly clock: Clock;
    readonly log: Log;
  },
  accessToken: string,
  { replaced }: { readonly replaced: boolean },
): Promise<void> {
  const { clients, registered, clock, log } = parts;
  const enough = new AbortController();
  try {
    const known = registered.read();
    if (known.length === 0) {
      return;
    }
    const former = clients.subscriptionsWith(accessToken);
    const timeout = delay(clock, LEAVE_WITHIN_MS, enough.signal).then(
      () => t('The service took too long.'),
      () => null,
    );
    const present = replaced ? clients.subscriptions : null;
    const removed = removeAll(former.gateway, known, present, enough.signal).then((urls) => {
      if (urls.length > 0) {
        registered.write(known.filter((url) => !urls.includes(url)));
        log.info(t('Webhooks of the previously connected account were unregistered.'));
      }
      return null;
    });
    const failure = await Promise.race([removed, timeout]).finally(() => {
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

/** Resolves with the addresses that no subscription has any more, or with none once it has ended. What `present` lists stays. */
async function removeAll(
  former: SubscriptionGateway,
  known: readonly string[],
  present: SubscriptionGateway | null,
  ended: AbortSignal,
): Promise<readonly string[]> {
  const ours = (await former.list()).filter(({ url }) => known.includes(url));
  const kept = new Set(present !== null && ours.length > 0 ? (await present.list()).map(({ id }) => id) : []);
  const gone = ours.filter(({ id }) => !kept.has(id));
  for (const { id } of gone) {
    if (ended.aborted) {
      return [];
    }
    await former.remove(id);
  }
  return ended.aborted ? [] : gone.map(({ url }) => url);
}

function leftOver(why: string): string {
  return t(
    'The webhook registration of the account that was connected before is left over: {why} Its events are ignored.',
    { why },
  );
}
