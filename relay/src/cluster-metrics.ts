// The figures of a cluster for Prometheus: what it has of what it may have, and which homes are not served.

import { byLabel, type Metric, single } from '../../src/support/server/prometheus.ts';
import type { StreamFigures } from './cluster/event-stream.ts';

const MS_PER_SECOND = 1_000;

export function clusterMetrics(figures: StreamFigures): readonly Metric[] {
  const { homes, events, bytes, most, refused, waiting, unserved, oldestMs, moved } = figures;
  const gauge = (name: string, help: string, value: number): Metric =>
    single(`latchkey_relay_cluster_${name}`, 'gauge', help, value);
  return [
    byLabel('latchkey_relay_cluster', 'gauge', 'What the stream of all homes has.', 'of', {
      homes,
      events,
      bytes,
    }),
    byLabel(
      'latchkey_relay_cluster_most',
      'gauge',
      'What it may have: broker.homes, .events and .bytes.',
      'of',
      {
        homes: most.homes,
        events: most.events,
        bytes: most.bytes,
      },
    ),
    gauge('homes_refused', 'Homes that asked this relay, and for which there is no consumer.', refused),
    gauge('homes_waiting', 'Homes with an event that waits for longer than 10 seconds.', waiting),
    gauge('homes_unserved', 'Of those, homes that ask for their events and are given none.', unserved),
    gauge('oldest_seconds', 'How long the oldest of those events waits.', oldestMs / MS_PER_SECOND),
    single(
      'latchkey_relay_cluster_moved_total',
      'counter',
      'Consumers that were moved to another node.',
      moved,
    ),
  ];
}
