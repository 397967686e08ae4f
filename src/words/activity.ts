// One activity of a lock or of the account, without a full stop.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import type { CommandOutcome } from '../domain/commands/command.ts';
import type { BoltPosition, BoltState } from '../domain/locks/bolt.ts';
import type { Presence } from '../domain/locks/lock.ts';
import type { LastMove } from '../domain/locks/move.ts';
import type { AlertReport } from '../domain/webhooks/service-event.ts';
import { LINK_WORDS } from './account.ts';
import { outcomeWords } from './commands.ts';
import { ALERT_WORDS, boltNews, presenceNews, ROSTER_NEWS } from './locks.ts';
import { t } from './translate.ts';

type Activity =
  | { readonly type: 'bolt'; readonly bolt: BoltState; readonly move: LastMove | null }
  | { readonly type: 'presence'; readonly presence: Presence }
  | { readonly type: 'appeared'; readonly others: number }
  | { readonly type: 'removed' }
  | { readonly type: 'alert'; readonly alert: AlertReport['type'] }
  | { readonly type: 'command'; readonly target: BoltPosition; readonly outcome: CommandOutcome }
  | { readonly type: 'link'; readonly link: RuntimeLinkState };

export function activityWords(activity: Activity): string {
  switch (activity.type) {
    case 'bolt':
      return boltNews(activity.bolt, activity.move?.by);
    case 'presence':
      return presenceNews(activity.presence);
    case 'appeared':
      return activity.others === 0
        ? t(ROSTER_NEWS.appeared)
        : t('found in the account, with {others, plural, one {one more lock} other {# more locks}}', {
            others: activity.others,
          });
    case 'removed':
      return t(ROSTER_NEWS[activity.type]);
    case 'alert':
      return t(ALERT_WORDS[activity.alert]);
    case 'command':
      return outcomeWords(activity.target, activity.outcome);
    case 'link':
      return t(LINK_WORDS[activity.link]);
  }
}
