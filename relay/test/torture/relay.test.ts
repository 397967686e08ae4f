// Ten thousand events through a relay, while relay, broker and home are killed at random moments.
import { expect, it } from 'vitest';
import { hasMosquitto } from '../../../test/harness/mosquitto.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { killsOf } from '../support/relay-kills.ts';

it.skipIf(!hasMosquitto)(
  'no kill of relay, broker or home loses or doubles one of 10,000 acknowledged events (faults#103)',
  { timeout: 1_800_000 },
  async () => {
    const seed = process.env['RELAY_SEED'] ?? String(Date.now());
    const outcome = await killsOf({
      folder: temporaryFolder(),
      events: 10_000,
      seed,
      paceMs: 40,
      killEvery: [20, 100],
    });
    const { kills, acknowledged, repeats, lost, doubled } = outcome;
    console.log(
      `seed ${seed}: ${String(acknowledged)} acknowledged, ${String(repeats)} repeats; killed: relay ${String(kills.relay)}, broker ${String(kills.broker)}, home ${String(kills.home)}; lost ${String(lost.length)}, doubled ${String(doubled.length)}`,
    );
    expect(outcome).toMatchObject({ lost: [], doubled: [] });
  },
);
