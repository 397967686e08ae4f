// Our HomeKit module on a real HAP server, without Homebridge around it: what a controller sees depends on the two alone.

import { Bridge, HAPStorage, uuid } from 'hap-nodejs';
import type { PlatformAccessory } from 'homebridge';
import { CATEGORY } from '../../src/homekit/hap/characteristic-values.ts';
import { resetCachedState } from '../../src/homekit/lock/lock-mechanism-service.ts';
import { type FixtureSettings, HomeFixture } from '../component/homekit/fixture.ts';
import { freePort } from '../harness/free-port.ts';

const USERNAME = '0E:11:22:33:44:55';
const PIN = '031-45-154';

/** The fixture's clock follows the real one in steps of that many milliseconds. */
const TICK_MS = 5;

export class HomeBridge {
  readonly fixture: HomeFixture;
  readonly port: number;
  readonly #bridge: Bridge;
  readonly #settings: FixtureSettings;
  readonly #ticking: NodeJS.Timeout;

  /** `folder`: for what HAP keeps of pairings. */
  static async open(folder: string, settings: FixtureSettings): Promise<HomeBridge> {
    HAPStorage.setCustomStoragePath(folder);
    const bridge = new HomeBridge(settings, [], await freePort());
    await bridge.publish();
    return bridge;
  }

  private constructor(settings: FixtureSettings, restored: readonly PlatformAccessory[], port: number) {
    this.#settings = settings;
    this.port = port;
    this.fixture = new HomeFixture({ ...settings, restored });
    this.#bridge = new Bridge('Test bridge', uuid.generate('latchkey test bridge'));
    let last = performance.now();
    this.#ticking = setInterval(() => {
      const now = performance.now();
      const passed = Math.floor(now - last);
      last += passed;
      void this.fixture.clock.advance(passed);
    }, TICK_MS);
  }

  get pairing(): Readonly<Record<string, unknown>> {
    return { host: '127.0.0.1', port: this.port, id: USERNAME, pin: PIN };
  }

  async publish(): Promise<void> {
    this.#bridge.addBridgedAccessories(
      this.fixture.accessories.map(({ _associatedHAPAccessory }) => _associatedHAPAccessory),
    );
    await this.#bridge.publish({
      username: USERNAME,
      pincode: PIN,
      port: this.port,
      category: CATEGORY.DOOR_LOCK,
      bind: 'lo',
    });
  }

  /** Ends as a clean stop or as a kill does; the next process is not published yet. */
  async ended(how: 'stopped' | 'killed'): Promise<HomeBridge> {
    const killed = this.fixture.throughCache();
    await this.close();
    const restored = how === 'stopped' ? this.fixture.throughCache() : killed;
    for (const accessory of restored) {
      resetCachedState(this.fixture.api, accessory);
    }
    return new HomeBridge(this.#settings, restored, this.port);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking);
    this.fixture.homekit.dispose();
    await this.#bridge.unpublish();
  }
}
