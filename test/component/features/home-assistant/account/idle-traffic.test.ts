// What an account at a real broker says while nothing happens: signs of life, and no more.
import { expect, it, onTestFinished } from 'vitest';
import { BrokerClient } from '../../../../harness/broker-client.ts';
import { hasMosquitto, startMosquitto } from '../../../../harness/mosquitto.ts';
import { RESIDENT, SimulatedHome } from '../../../../homes/simulated-home.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MINUTES = 30;
const STEP_MS = 5_000;
const STEPS_A_MINUTE = 60_000 / STEP_MS;

/** Messages a minute, of all topics of the plugin and of Home Assistant's discovery. */
const OF_ACCOUNT = 6;
const OF_LOCK = 0.27;

function doors(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `Door ${String(index + 1)}`,
    type: 'WifiDeadbolt' as const,
    roles: { [RESIDENT]: 'owner' as const },
  }));
}

/** A client of the broker that hears everything, and lets time pass no faster than the broker answers. */
class Onlooker {
  readonly #home: SimulatedHome;
  readonly #client: BrokerClient;
  #asked = 0;

  constructor(home: SimulatedHome, client: BrokerClient) {
    this.#home = home;
    this.#client = client;
  }

  /** How many messages the plugin has sent since the client came. */
  get heard(): number {
    return this.#client.seen.filter(({ topic, retained }) => !retained && !topic.endsWith('/asked')).length;
  }

  async pass(minutes: number): Promise<void> {
    for (let step = 0; step < minutes * STEPS_A_MINUTE; step += 1) {
      await this.#home.clock.advance(STEP_MS);
      await this.#quiet();
    }
  }

  /** Everything that was sent is acknowledged, and what followed from that, too. */
  async #quiet(): Promise<void> {
    for (let before = -1; before !== this.heard; ) {
      before = this.heard;
      await this.#roundTrip();
      await this.#roundTrip();
    }
  }

  async #roundTrip(): Promise<void> {
    this.#asked += 1;
    const text = String(this.#asked);
    await this.#client.publish('latchkey/asked', text);
    await this.#client.until((seen) => seen.topic === 'latchkey/asked' && seen.text === text, 'answer');
    await this.#home.clock.advance(0);
  }
}

it.runIf(hasMosquitto).each([1, 40])(
  'an idle account with %s locks costs a broker 6 messages a minute, and 0.27 for each lock',
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
    const client = await BrokerClient.connect(broker.url, 'latchkey/#', 'homeassistant/#');
    onTestFinished(() => {
      client.close();
    });
    const onlooker = new Onlooker(home, client);
    await onlooker.pass(5);
    const before = onlooker.heard;
    await onlooker.pass(MINUTES);
    const sent = onlooker.heard - before;
    // Of the account's, one may lie at either end.
    const ofAccount = OF_ACCOUNT * MINUTES;
    expect(sent).toBeGreaterThanOrEqual(ofAccount);
    expect(sent).toBeLessThanOrEqual(ofAccount + 2 + OF_LOCK * count * MINUTES);
  },
);
