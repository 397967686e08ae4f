// The last hundred activity, the newest first.
import type { VNode } from 'preact';
import type { ActivityView } from '../../src/panel/activity-view.ts';
import { activityWords, isTrouble } from './activity-words.ts';
import { Part, Time } from './pieces.tsx';

export function Activity(props: { readonly activity: readonly ActivityView[]; readonly now: number }): VNode {
  const { activity, now } = props;
  return (
    <Part title="What happened">
      {activity.length === 0 ? (
        <p class="about">
          Nothing yet. The list begins anew whenever the plugin starts; the locks keep their own history.
        </p>
      ) : (
        <ol class="activity" tabIndex={0} aria-label="What happened, the newest first">
          {activity.toReversed().map(({ number, at, lock, detail }) => (
            <li key={number} class={isTrouble(detail) ? 'warning' : ''}>
              <Time at={detail.type === 'bolt' && detail.move !== null ? detail.move.at : at} now={now} />
              <span>
                <strong>{lock === null ? 'Account' : lock.name}</strong> {activityWords(detail)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
