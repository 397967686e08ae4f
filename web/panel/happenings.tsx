// The last hundred happenings, the newest first.
import type { VNode } from 'preact';
import type { HappeningView } from '../../src/panel/happening-view.ts';
import { happeningWords, isTrouble } from './happening-words.ts';
import { Part, Time } from './pieces.tsx';

export function Happenings(props: {
  readonly happenings: readonly HappeningView[];
  readonly now: number;
}): VNode {
  const { happenings, now } = props;
  return (
    <Part title="What happened">
      {happenings.length === 0 ? (
        <p class="about">
          Nothing yet. The list begins anew whenever the plugin starts; the locks keep their own history.
        </p>
      ) : (
        <ol class="happenings" tabIndex={0} aria-label="What happened, the newest first">
          {happenings.toReversed().map(({ number, at, lock, news }) => (
            <li key={number} class={isTrouble(news) ? 'warning' : ''}>
              <Time at={news.type === 'bolt' && news.move !== null ? news.move.at : at} now={now} />
              <span>
                <strong>{lock === null ? 'Account' : lock.name}</strong> {happeningWords(news)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}
