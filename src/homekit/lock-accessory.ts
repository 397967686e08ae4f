// One lock in Home: keeps every service of its accessory equal to what the house knows, and carries wishes to it.
import type { API, PlatformAccessory, Service } from 'homebridge';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, Instant } from '../domain/bolt.ts';
import { OUTAGE_GRACE_MS } from '../domain/evidence-policy.ts';
import type { Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import type { RuntimeView } from '../sync/account-runtime.ts';
import { RecentMoves } from '../sync/state/recent-moves.ts';
import { BatteryService } from './battery-service.ts';
import type { HapStatus } from './characteristic-values.ts';
import { ConnectivityService, connectivityOf, isUnconfirmed } from './connectivity-service.ts';
import { FastEvents, removeFastEvents } from './fast-events.ts';
import { linkOnce } from './hap-service.ts';
import { requestFromHome } from './home-request.ts';
import { InformationService } from './information-service.ts';
import type { LockNotice, LockWatcher } from './lock-facts.ts';
import { LockManagementService } from './lock-management-service.ts';
import { needsLinking, viewOf } from './lock-mapping.ts';
import { LockMechanismService } from './lock-mechanism-service.ts';
import type { LockOptions } from './lock-options.ts';
import { lockWatchers } from './lock-watchers.ts';
import { alertLine, batteryLine, type LogLine, lineAbout, logMessages } from './log-messages.ts';
import { SideServices } from './side-services.ts';

export interface AccessoryParts {
  readonly api: API;
  readonly accessory: PlatformAccessory;
  /** False for an accessory from Homebridge's cache. */
  readonly isNew: boolean;
  readonly runtime: Pick<RuntimeView, 'request' | 'checkSuspend'>;
  readonly options: LockOptions;
  readonly clock: Clock;
  readonly log: Log;
}

export class LockAccessory {
  readonly accessory: PlatformAccessory;
  readonly #parts: AccessoryParts;
  readonly #mechanism: LockMechanismService;
  readonly #management: LockManagementService;
  readonly #battery: BatteryService;
  readonly #connectivity: ConnectivityService;
  readonly #information: InformationService;
  readonly #watchers: readonly LockWatcher[];
  readonly #recentMoves: RecentMoves;
  readonly #endPatience: CancelTimer;
  #lock: Lock;
  #link: RuntimeLinkState;
  /** Only once somebody can listen: what is shown at the start is no news. */
  #fastEvents: FastEvents | null = null;
  /** For a while after the start silence means nothing; the sensor then stays as it was cached. */
  #patient = true;

  /** Shows the lock at once, before Homebridge publishes the accessory. */
  constructor(parts: AccessoryParts, lock: Lock, link: RuntimeLinkState) {
    const { api, accessory, options, clock } = parts;
    this.#parts = parts;
    this.accessory = accessory;
    this.#lock = lock;
    this.#link = link;
    const request = async (rest: BoltPosition): Promise<HapStatus> => this.#request(rest);
    this.#mechanism = new LockMechanismService({
      hap: api.hap,
      accessory,
      adminOnly: options.adminOnly,
      checkSuspend: () => {
        parts.runtime.checkSuspend();
      },
      request,
    });
    const primary = this.#mechanism.service;
    this.#management = new LockManagementService(api.hap, accessory);
    linkOnce(primary, this.#management.service);
    this.#battery = new BatteryService(api.hap, accessory, primary, options.lowBattery);
    const sides = new SideServices({
      hap: api.hap,
      accessory,
      primary,
      saveName: () => {
        api.updatePlatformAccessories([accessory]);
      },
    });
    this.#connectivity = new ConnectivityService(api.hap, sides, options.connectivitySensor);
    this.#watchers = lockWatchers({ hap: api.hap, sides, clock, request }, options);
    sides.settle();
    this.#information = new InformationService(api.hap, accessory, parts.isNew);
    accessory.on('identify', () => {
      this.#say(lineAbout(this.#lock, 'info', 'this lock was asked to identify itself'));
    });
    this.#endPatience = clock.after(OUTAGE_GRACE_MS, () => {
      this.#patient = false;
      this.#show();
    });
    this.#recentMoves = new RecentMoves(clock);
    this.#recentMoves.between(null, lock);
    this.#show();
    this.#fastEvents = fastEventsOf(parts, this.#management.service);
  }

  /** Takes in what looks as it is shown already. */
  refresh(lock: Lock): void {
    this.#recentMoves.between(this.#lock, lock);
    this.#lock = lock;
  }

  /** Shows what became of the lock, and tells the log. */
  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    const move = this.#recentMoves.between(previous, lock);
    this.#show();
    if (move !== null) {
      this.#hear({ type: 'moved', move });
    }
    for (const line of logMessages(previous, lock)) {
      this.#say(line);
    }
  }

  /** Something happened at the door that is no state of the lock. */
  alert(alert: AlertReport['type'], at: Instant): void {
    this.#hear({ type: 'alert', alert, at });
    this.#say(alertLine(this.#lock, alert));
  }

  /** Takes other options over, without a word to controllers about a bolt that has not moved. */
  configure(options: LockOptions): void {
    this.#mechanism.configure(options);
    this.#battery.configure(options);
    for (const watcher of this.#watchers) {
      watcher.configure?.(options);
    }
    this.#show();
  }

  relink(link: RuntimeLinkState): void {
    this.#link = link;
    this.#show();
  }

  dispose(): void {
    this.#endPatience();
    this.#fastEvents?.dispose();
    for (const watcher of this.#watchers) {
      watcher.dispose?.();
    }
  }

  #show(): void {
    const { options } = this.#parts;
    // The lock first: HomeKit hears of a bolt before it hears of anything else.
    const view = viewOf(this.#lock, this.#link, options.offline, this.#mechanism.target);
    const moved = this.#mechanism.show(view);
    const explained = this.#management.show(this.#lock, this.#recentMoves.now);
    if (moved || explained) {
      this.#fastEvents?.flush();
    }
    this.#information.show(this.#lock.description);
    const batteryChange = this.#battery.show(this.#lock.battery);
    if (batteryChange !== null) {
      this.#say(batteryLine(this.#lock, batteryChange));
    }
    const waits = this.#patient && !needsLinking(this.#link) && isUnconfirmed(this.#lock);
    if (!waits) {
      this.#connectivity.show(connectivityOf(this.#lock, this.#link));
    }
    for (const watcher of this.#watchers) {
      watcher.show?.({ lock: this.#lock, view, batteryLow: this.#battery.low });
    }
  }

  #hear(news: LockNotice): void {
    for (const watcher of this.#watchers) {
      watcher.hear?.(news);
    }
  }

  /** Never rejects; resolves with the status for the HAP write. */
  async #request(rest: BoltPosition): Promise<HapStatus> {
    const { runtime, clock } = this.#parts;
    const say = (line: LogLine): void => {
      this.#say(line);
    };
    return requestFromHome({ runtime, clock, lock: () => this.#lock, say }, rest);
  }

  #say({ level, text }: LogLine): void {
    this.#parts.log[level](text);
  }
}

/** Null, and nothing is left of it, where the option is off. */
function fastEventsOf({ api, clock, options }: AccessoryParts, management: Service): FastEvents | null {
  if (options.fastEvents) {
    return new FastEvents(api.hap, management, clock);
  }
  removeFastEvents(api.hap, management);
  return null;
}
