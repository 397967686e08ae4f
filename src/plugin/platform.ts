// The Homebridge platform: reads the configuration, starts the app and shows its locks in Home.
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
import type { Demo } from '../demo/demo.ts';
import type { FeatureStatus } from '../domain/account/feature-status.ts';
import { addFeatures } from '../features/index.ts';
import { Homekit } from '../homekit/accessory-registry.ts';
import { type BridgeFeature, bridgeFeatures } from '../homekit/bridge-features.ts';
import { lockIdIn } from '../homekit/hap/accessory-context.ts';
import { resetCachedState } from '../homekit/lock/lock-mechanism-service.ts';
import { PLATFORM_NAME, PLUGIN_NAME } from '../homekit/platform-accessories.ts';
import { setHomebridgeLanguage } from '../installation/language.ts';
import { outsideWarning } from '../installation/storage-place.ts';
import { gathered } from '../support/additions.ts';
import { type CancelTimer, systemClock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { startPersistently } from '../support/persistent-start.ts';
import { systemRandom } from '../support/random.ts';
import { t } from '../words/translate.ts';
import { removeDemo, startDemo } from './demo-start.ts';
import { homebridgeLog } from './homebridge-log.ts';
import { lockOptionsFor } from './homekit-options.ts';

type LockId = Parameters<App['lockOptions']>[0];

/** Bridges with a platform block of this plugin: Homebridge gives cached accessories to only one of them. */
const servedBridges = new WeakSet<API>();

export function register(api: API): void {
  addFeatures();
  api.registerPlatform(PLUGIN_NAME, PLATFORM_NAME, LatchkeyPlatform);
}

class LatchkeyPlatform implements DynamicPlatformPlugin {
  readonly #api: API;
  readonly #log: Log;
  #restored: PlatformAccessory[] = [];
  readonly #restoredOverMatter: MatterAccessory[] = [];
  #demo: Demo | null = null;
  #app: App | null = null;
  #homekit: Homekit | null = null;
  #features: readonly BridgeFeature[] = [];
  #stopTrying: CancelTimer | null = null;

  /** Never throws: on any error the platform stays inactive and the log gives the next step. */
  constructor(logging: Logging, platformConfig: PlatformConfig, api: API) {
    this.#api = api;
    this.#log = homebridgeLog(logging, platformConfig['debug'] === true, systemClock);
    try {
      setHomebridgeLanguage(api.user.configPath(), process.env);
      this.#prepare(platformConfig);
    } catch (error) {
      this.#log.error(t('Not started: {why}', { why: messageOf(error) }));
    }
  }

  /** A cached accessory shows no lock state until there is evidence. */
  configureAccessory(accessory: PlatformAccessory): void {
    try {
      resetCachedState(this.#api, accessory);
    } catch (error) {
      this.#log.error(t('A cached accessory could not be restored: {why}', { why: messageOf(error) }));
    }
    this.#restored.push(accessory);
  }

  /** The same over Matter. Its cache holds no position: see `features/matter/node/accessory.ts`. */
  configureMatterAccessory(accessory: MatterAccessory): void {
    this.#restoredOverMatter.push(accessory);
  }

  #prepare(platformConfig: PlatformConfig): void {
    const reading = readConfig(platformConfig);
    if (!reading.ok) {
      for (const fault of reading.problems) {
        this.#log.error(
          t('Not started. Fix this option in config.json, then restart Homebridge: {fault}', { fault }),
        );
      }
      return;
    }
    for (const warning of reading.warnings) {
      this.#log.warn(t(warning));
    }
    const outside = outsideWarning(reading.config, this.#api.user.storagePath());
    if (outside !== null) {
      this.#log.warn(outside);
    }
    if (servedBridges.has(this.#api)) {
      this.#log.error(
        t(
          '"{name}" was not started: this bridge already has an account. Give each account its own child bridge.',
          { name: reading.config.name },
        ),
      );
      return;
    }
    servedBridges.add(this.#api);
    this.#api.on('didFinishLaunching', () => this.#begin(reading.config));
    this.#api.on('shutdown', () => void this.#close());
  }

  #begin(config: Config): void {
    const launch = (complete: Config): void => {
      this.#stopTrying = startPersistently(systemClock, this.#log, () => this.#launch(complete));
    };
    const [api, restored, log] = [this.#api, this.#restored, this.#log];
    if (config.demo) {
      const overMatter = this.#restoredOverMatter.length;
      this.#demo = startDemo({ api, config, restored, overMatter, log }, launch);
    } else {
      this.#restored = removeDemo(api, config, restored, log);
      launch(config);
    }
  }

  /** Throws the app's error when it cannot be built. */
  #launch(config: Config): void {
    const app = new App({
      config,
      homebridgeFolder: this.#api.user.storagePath(),
      clock: systemClock,
      log: this.#log,
      random: systemRandom,
      resident: true,
      onAskedToStepBack: () => false,
      featureStatus: () => gathered<FeatureStatus>(this.#features.map((feature) => feature.status?.() ?? {})),
    });
    this.#app = app;
    const subscribeOptions = (listener: (id: LockId) => void) => lockSettings(app, listener);
    const account = { config, runtime: app.runtime, clock: systemClock, log: this.#log };
    const features = bridgeFeatures.all.map((open) =>
      open({
        ...account,
        api: this.#api,
        lockOptions: (id) => app.lockOptions(id),
        lockRows: () => app.lockRows(),
        subscribeOptions,
        settings: app.settings,
        restoredOverMatter: this.#restoredOverMatter,
      }),
    );
    this.#features = features;
    const wereInHome = new Set(this.#restored.map(({ context }) => lockIdIn(context)));
    this.#homekit = new Homekit({
      ...account,
      api: this.#api,
      optionsFor: (id) => {
        const options = lockOptionsFor(config, app.lockOptions(id));
        const isTaken = features.some((feature) => feature.takes?.(id, wereInHome.has(id)));
        return { ...options, hidden: options.hidden || isTaken };
      },
      subscribeOptions: (listener) => {
        const moved = (): void => forEachLock(app, listener);
        const ends = [subscribeOptions(listener), ...features.map((feature) => feature.subscribe?.(moved))];
        return () => {
          for (const end of ends) {
            end?.();
          }
        };
      },
      restored: this.#restored,
    });
    for (const feature of features) {
      feature.start?.();
    }
    app.start().then(
      async () => this.#demo?.link(app.operations),
      (error: unknown) => {
        this.#log.error(t('The account could not be opened: {why}', { why: messageOf(error) }));
      },
    );
  }

  async #close(): Promise<void> {
    try {
      this.#stopTrying?.();
      this.#homekit?.dispose();
      for (const feature of this.#features) {
        feature.dispose?.();
      }
      await this.#app?.dispose();
      await this.#demo?.close();
    } catch (error) {
      this.#log.error(t('Shutdown was not clean: {why}', { why: messageOf(error) }));
    }
  }
}

/** Calls `listener` when a page changed the options of a lock. */
function lockSettings(app: App, listener: (id: LockId) => void): () => void {
  return app.subscribe((event) => {
    if (event.type === 'lock-settings') {
      listener(event.id);
    }
  });
}

function forEachLock(app: App, listener: (id: LockId) => void): void {
  for (const { id } of app.runtime.locks()) {
    listener(id);
  }
}
