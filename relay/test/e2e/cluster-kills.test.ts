// Relay, home and the nodes of a cluster are killed while events pass: acknowledged events arrive, and take effect once.
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { killsOf } from '../support/relay-kills.ts';

it.skipIf(!hasNats)(
  'nothing that a relay acknowledged is lost, doubled or at another home when nodes are killed (faults#103)',
  async () => {
    const outcome = await killsOf({
      folder: temporaryFolder(),
      nodes: 3,
      events: 30,
      seed: 'a short day',
      paceMs: 200,
      killEvery: [12, 26],
    });
    expect(outcome).toMatchObject({ acknowledged: 30, lost: [], doubled: [], strays: [] });
    expect(outcome.kills.broker).toBeGreaterThan(0);
  },
);
