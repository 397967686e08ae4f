// What an account at a real broker says in an hour in which nothing happens: signs of life, and no more.
import { expect, it, onTestFinished } from 'vitest';
import { BrokerClient } from '../../../harness/broker-client.ts';
import { hasMosquitto, startMosquitto } from '../../../harness/mosquitto.ts';
import { RESIDENT, SimulatedHome } from '../../../homes/simulated-home.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MINUTES = 60;
const MINUTE_MS = 60_000;

/** Messages a minute, of all topics of the plugin and of Home Assistant's discovery. */
const OF_ACCOUNT = 6;
const OF_LOCK = 0.4;

function doors(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `Door ${String(index + 1)}`,
    type: 'WifiDeadbolt' as const,
    roles: { [RESIDENT]: 'owner' as const },
  }));
}

it.runIf(hasMosquitto).each([1, 40])(
  'an idle account with %s locks costs a broker 6 messages a minute, and 0.4 for each lock',
  async (count) => {
    const broker = await startMosquitto({ folder: temporaryFolder() });
    onTestFinished(async () => broker.stop());
    const home = await SimulatedHome.linked({
      simulator: { scenario: { locks: doors(count) } },
      options: { mqtt: { url: broker.url.href, homeAssistant: true, accessCodes: true } },
    });
    const state = async (): Promise<string> => (await home.app.operations['mqtt.status']({})).state;
    await expect
      .poll(async () => {
        await home.clock.advance(1_000);
        return state();
      })
      .toBe('connected');
    await home.clock.advance(5 * MINUTE_MS);
    const client = await BrokerClient.connect(broker.url, 'latchkey/#', 'homeassistant/#');
    onTestFinished(() => {
      client.close();
    });
    const told = () => client.seen.filter(({ retained }) => !retained);
    const before = told().length;
    for (let passed = 0; passed < MINUTES; passed += 1) {
      await home.clock.advance(MINUTE_MS);
    }
    await client.publish('latchkey/end', '');
    await client.until(({ topic }) => topic === 'latchkey/end', 'the end');
    const sent = told().length - 1 - before;
    // The hour may begin just before a renewal, and end just after one.
    const most = OF_ACCOUNT * (MINUTES + 1) + OF_LOCK * count * (MINUTES + 5);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(most);
  },
);
