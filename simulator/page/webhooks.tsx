// Who listens to webhooks, and every attempt to deliver one.
import type { VNode } from 'preact';
import type { Snapshot } from '../src/control/snapshot.ts';
import type { AttemptRecord } from '../src/webhooks/courier.ts';
import { Lines, Part } from './pieces.tsx';
import { clockWords } from './words.ts';

const SECOND_MS = 1000;

const NEXT: Readonly<Record<AttemptRecord['next'], string>> = {
  delivered: '',
  retry: 'tried again',
  'give-up': 'given up',
};

export function Webhooks(props: {
  readonly subscriptions: Snapshot['subscriptions'];
  readonly deliveries: readonly AttemptRecord[];
}): VNode {
  const { subscriptions, deliveries } = props;
  const count = subscriptions.length;
  return (
    <Part title="Webhooks" note={count === 0 ? '' : `${String(count)} registered`}>
      {() => (
        <>
          {count === 0 && <p>No webhooks are registered.</p>}
          <ul class="plain">
            {subscriptions.map(({ record, clientId, userId }) => (
              <li key={record.subscriptionId}>
                <span class="path">{record.url}</span> {record.status}, {clientId} for {userId}
              </li>
            ))}
          </ul>
          <Lines
            label="List of deliveries"
            columns={['Time', 'Trigger', 'Outcome', 'Try']}
            none="Nothing was sent yet."
          >
            {deliveries.map((attempt, index) => (
              // Two attempts may be alike in all: a doubled notification.
              <tr key={deliveries.length - index} data-failed={attempt.next !== 'delivered'}>
                <td>{clockWords(attempt.at)}</td>
                <td>
                  {attempt.trigger}
                  {attempt.fault !== null && <em> ({attempt.fault})</em>}
                </td>
                <td>
                  {attempt.outcome} {NEXT[attempt.next]}
                  {attempt.retryInMs !== null && ` in ${String(Math.round(attempt.retryInMs / SECOND_MS))} s`}
                </td>
                <td>{attempt.attempt}</td>
              </tr>
            ))}
          </Lines>
        </>
      )}
    </Part>
  );
}
