// The last hundred activity, the newest first.
import type { VNode } from 'preact';
import type { ActivityView } from '../../src/panel/activity-view.ts';
import { activityWords, isTrouble } from './activity-words.ts';
import { Part, Time } from './pieces.tsx';

export function Activity(props: { readonly activity: readonly ActivityView[]; readonly now: number }): VNode {
  const { activity, now } = props;
  return (
    <Part title="Activity">
      {activity.length === 0 ? (
        <p class="about">No activity since the plugin started.</p>
      ) : (
        <ol class="activity" tabIndex={0} aria-label="Activity, newest first">
          {activity.toReversed().map(({ number, at, lock, news }) => (
            <li key={number} class={isTrouble(news) ? 'warning' : ''}>
              <Time at={news.type === 'bolt' && news.move !== null ? news.move.at : at} now={now} />
              <span>
                <strong>{lock === null ? 'Account' : lock.name}</strong> {activityWords(news)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
