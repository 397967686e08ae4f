// The Homebridge platform: reads the configuration, starts the app and shows its locks in Home.
import type {
  API,
  DynamicPlatformPlugin,
  Logging,
  MatterAccessory,
  PlatformAccessory,
  PlatformConfig,
} from 'homebridge';
import { startPersistently } from '../app/account/persistent-start.ts';
import { outsideWithoutReason } from '../app/account/storage-place.ts';
import { App } from '../app/app.ts';
import type { Demo } from '../app/demo/demo.ts';
import { setHomebridgeLanguage } from '../app/language.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { addFeatures } from '../features/index.ts';
import { openMatterBridge, startMatterOn } from '../features/matter/host/bridge.ts';
import { homekitOptionsFor, matterOptionsFor } from '../features/matter/host/lock-options.ts';
import type { Matter } from '../features/matter/node/matter-accessories.ts';
import { NodePresence } from '../features/matter/node/node-presence.ts';
import { matterChoice } from '../features/matter/options/choice.ts';
import { Homekit } from '../homekit/accessory-registry.ts';
import { lockIdIn } from '../homekit/hap/accessory-context.ts';
import { resetCachedState } from '../homekit/lock/lock-mechanism-service.ts';
import { PLATFORM_NAME, PLUGIN_NAME } from '../homekit/platform-accessories.ts';
import { type CancelTimer, systemClock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { systemRandom } from '../support/random.ts';
import { t } from '../words/translate.ts';
import { removeDemo, startDemo } from './demo-start.ts';
import { homebridgeLog } from './homebridge-log.ts';

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
  #matter: Matter | null = null;
  #presence: NodePresence | null = null;
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

  /** The same over Matter. Its cache holds no position: see `matter/accessory.ts`. */
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
    const outside = outsideWithoutReason(reading.config, this.#api.user.storagePath());
    if (outside !== null) {
      this.#log.error(`${t('Not started.')} ${outside.what} ${outside.remedy}`);
      return;
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
    const bridge = openMatterBridge(this.#api, config, this.#log);
    const hasOnlyLocks = (): boolean =>
      app.runtime.locks().some(({ id }) => matterChoice(config, id) === 'only');
    const presence =
      bridge === null ? null : new NodePresence({ clock: systemClock, log: this.#log, hasOnlyLocks });
    const app = new App({
      config,
      homebridgeFolder: this.#api.user.storagePath(),
      clock: systemClock,
      log: this.#log,
      random: systemRandom,
      resident: true,
      onAskedToStepBack: () => false,
      matterNode: () => presence?.state ?? 'off',
    });
    this.#app = app;
    this.#presence = presence;
    const wereInHome = new Set(this.#restored.map(({ context }) => lockIdIn(context)));
    const hasIt = (id: LockId): boolean => presence?.takesOver(wereInHome.has(id)) ?? false;
    this.#homekit = new Homekit({
      api: this.#api,
      log: this.#log,
      runtime: app.runtime,
      clock: systemClock,
      optionsFor: (id) => homekitOptionsFor(config, id, app.lockOptions(id), hasIt(id)),
      subscribeOptions: (listener) => {
        const ends = [lockSettings(app, listener), presence?.subscribe(() => forEachLock(app, listener))];
        return () => {
          for (const end of ends) {
            end?.();
          }
        };
      },
      restored: this.#restored,
    });
    sayTwoTiles(config, this.#log);
    this.#matter = startMatterOn(bridge, {
      api: this.#api,
      config,
      log: this.#log,
      runtime: app.runtime,
      clock: systemClock,
      optionsFor: (id) => matterOptionsFor(config, id, app.lockOptions(id)),
      subscribeOptions: (listener) => lockSettings(app, listener),
      presence: presence ?? { watch() {} },
      labels: app.matterLabels,
      restored: this.#restoredOverMatter,
    });
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
      this.#matter?.dispose();
      this.#presence?.dispose();
      await this.#app?.dispose();
      await this.#demo?.close();
    } catch (error) {
      this.#log.error(t('Shutdown was not clean: {why}', { why: messageOf(error) }));
    }
  }
}

/** Nobody can see from here which hub has this bridge as well. */
function sayTwoTiles({ mqtt }: Config, log: Log): void {
  if (mqtt?.homeAssistant === true) {
    log.info(
      t(
        'Locks go to Home Assistant over MQTT. If it has this bridge as well, each lock has two tiles there: keep one, and remove the other.',
      ),
    );
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
