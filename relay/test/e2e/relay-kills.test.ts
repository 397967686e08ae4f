// Relay, broker and home are killed while events pass: acknowledged events arrive, and take effect once.
import { expect, it } from 'vitest';
import { hasMosquitto } from '../../../test/harness/mosquitto.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { killsOf } from '../support/relay-kills.ts';

it.skipIf(!hasMosquitto)(
  'nothing that a relay acknowledged is lost or doubled by kill -9 (faults#103)',
  async () => {
    const outcome = await killsOf({
      folder: temporaryFolder(),
      events: 50,
      seed: 'a short day',
      paceMs: 200,
      killEvery: [8, 24],
    });
    expect(outcome).toMatchObject({ acknowledged: 50, lost: [], doubled: [] });
    expect(outcome.kills.relay + outcome.kills.broker + outcome.kills.home).toBeGreaterThan(1);
  },
);
