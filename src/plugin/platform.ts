// The Homebridge shell: reads the configuration, starts the app and shows its house in Home. Launch only, no logic.
import type {
  API,
  DynamicPlatformPlugin,
  Logging,
  MatterAccessory,
  PlatformAccessory,
  PlatformConfig,
} from 'homebridge';
import { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import {
  type Homekit,
  type HomekitParts,
  PLATFORM_NAME,
  PLUGIN_NAME,
  startHomekit,
} from '../homekit/accessory-registry.ts';
import { resetCachedState } from '../homekit/lock-mechanism-service.ts';
import type { Matter } from '../matter/matter-accessories.ts';
import { type CancelTimer, systemClock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { systemRandom } from '../support/random.ts';
import { homebridgeLog } from './homebridge-log.ts';
import { openMatterBridge, startMatterOn } from './matter-bridge.ts';
import { homekitOptionsFor, matterOptionsFor } from './matter-options.ts';
import { startPersistently } from './persistent-start.ts';

/** Bridges that one platform block of ours serves already: Homebridge gives the cached accessories to one of them only. */
const servedBridges = new WeakSet<API>();

/** Tells Homebridge of the platform. */
export function register(api: API): void {
  api.registerPlatform(PLUGIN_NAME, PLATFORM_NAME, LatchkeyPlatform);
}

class LatchkeyPlatform implements DynamicPlatformPlugin {
  readonly #api: API;
  readonly #log: Log;
  readonly #restored: PlatformAccessory[] = [];
  readonly #restoredOverMatter: MatterAccessory[] = [];
  #app: App | null = null;
  #homekit: Homekit | null = null;
  #matter: Matter | null = null;
  #stopTrying: CancelTimer | null = null;

  /** Never throws: whatever is wrong leaves the platform inert, with lines that say what to do. */
  constructor(logging: Logging, platformConfig: PlatformConfig, api: API) {
    this.#api = api;
    this.#log = homebridgeLog(logging, platformConfig['debug'] === true, systemClock);
    try {
      this.#prepare(platformConfig);
    } catch (error) {
      this.#log.error(`Nothing was started: ${messageOf(error)}`);
    }
  }

  /** Homebridge hands back what Home showed before: it says nothing of any door until there is evidence. */
  configureAccessory(accessory: PlatformAccessory): void {
    try {
      resetCachedState(this.#api, accessory);
    } catch (error) {
      this.#log.error(`A cached accessory could not be restored: ${messageOf(error)}`);
    }
    this.#restored.push(accessory);
  }

  /** The same over Matter. Its cache holds no position: see `matter/accessory.ts`. */
  configureMatterAccessory(accessory: MatterAccessory): void {
    this.#restoredOverMatter.push(accessory);
  }

  #prepare(platformConfig: PlatformConfig): void {
    const reading = readConfig(platformConfig);
    if (!reading.ok) {
      this.#log.error(
        `Nothing was started, because the configuration has faults. ${reading.problems.join(' ')}`,
      );
      return;
    }
    for (const warning of reading.warnings) {
      this.#log.warn(warning);
    }
    if (servedBridges.has(this.#api)) {
      this.#log.error(
        `"${reading.config.name}" was not started: another account is on this bridge. Give each account a child bridge of its own.`,
      );
      return;
    }
    servedBridges.add(this.#api);
    this.#api.on('didFinishLaunching', () => {
      this.#stopTrying = startPersistently(systemClock, this.#log, () => {
        this.#launch(reading.config);
      });
    });
    this.#api.on('shutdown', () => {
      void this.#close();
    });
  }

  /** Throws what the app throws when it cannot be built. */
  #launch(config: Config): void {
    const app = new App({
      config,
      homebridgeFolder: this.#api.user.storagePath(),
      clock: systemClock,
      log: this.#log,
      random: systemRandom,
      resident: true,
      onAskedToStepBack: () => false,
    });
    this.#app = app;
    const subscribeOptions: HomekitParts['subscribeOptions'] = (listener) =>
      app.subscribe((event) => {
        if (event.type === 'lock-settings') {
          listener(event.id);
        }
      });
    const bridge = openMatterBridge(this.#api, config, this.#log);
    this.#homekit = startHomekit({
      api: this.#api,
      log: this.#log,
      runtime: app.runtime,
      clock: systemClock,
      optionsFor: (id) => homekitOptionsFor(config, id, app.lockOptions(id), bridge !== null),
      subscribeOptions,
      restored: this.#restored,
    });
    this.#matter = startMatterOn(bridge, {
      api: this.#api,
      config,
      log: this.#log,
      runtime: app.runtime,
      clock: systemClock,
      optionsFor: (id) => matterOptionsFor(config, id, app.lockOptions(id)),
      subscribeOptions,
      restored: this.#restoredOverMatter,
    });
    app.start().catch((error: unknown) => {
      this.#log.error(`The account could not be opened: ${messageOf(error)}`);
    });
  }

  async #close(): Promise<void> {
    try {
      this.#stopTrying?.();
      this.#homekit?.dispose();
      this.#matter?.dispose();
      await this.#app?.dispose();
    } catch (error) {
      this.#log.error(`Closing did not end cleanly: ${messageOf(error)}`);
    }
  }
}
