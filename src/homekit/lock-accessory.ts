// One lock in Home: keeps every service of its accessory equal to what the house knows, and carries wishes to it.
import type { API, PlatformAccessory, Service } from 'homebridge';
import type { HouseLink } from '../domain/account.ts';
import type { Rest } from '../domain/bolt.ts';
import { OUTAGE_GRACE_MS } from '../domain/evidence-policy.ts';
import { type Battery, isOnlyFresher, type Lock } from '../domain/lock.ts';
import type { AlertNews } from '../domain/service-event.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { FinalError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { HouseView, WishAnswer } from '../sync/house.ts';
import { BatteryService } from './battery-service.ts';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';
import { ConnectivityService, connectivityOf, isUnheard } from './connectivity-service.ts';
import type { DoorNews, DoorWatcher } from './door-facts.ts';
import { doorWatchers } from './door-watchers.ts';
import { FastEvents, removeFastEvents } from './fast-events.ts';
import { linkOnce } from './hap-service.ts';
import { statusOfAnswer } from './hap-status.ts';
import { InformationService } from './information-service.ts';
import { LockManagementService } from './lock-management-service.ts';
import { needsLinking, viewOf } from './lock-mapping.ts';
import { LockMechanismService } from './lock-mechanism-service.ts';
import { alertLine, type LogLine, lineAbout, narrate, refusalLine } from './lock-narration.ts';
import type { LockOptions } from './lock-options.ts';
import { MoveNews } from './move-news.ts';
import { SideServices } from './side-services.ts';
import { answerWithin } from './timely-answer.ts';

/** HomeKit warns of a write at 3 s and holds that controller's events meanwhile: later than this, it settles by itself. */
const ANSWER_WITHIN_MS = 2_000;

export interface AccessoryParts {
  readonly api: API;
  readonly accessory: PlatformAccessory;
  /** False for an accessory from Homebridge's cache. */
  readonly isNew: boolean;
  readonly house: Pick<HouseView, 'wish'>;
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
  readonly #watchers: readonly DoorWatcher[];
  readonly #moveNews: MoveNews;
  readonly #endPatience: CancelTimer;
  #lock: Lock;
  #shownBattery: Battery | null = null;
  #link: HouseLink;
  /** Only once somebody can listen: what is shown at the start is no news. */
  #fastEvents: FastEvents | null = null;
  /** For a while after the start silence means nothing; the sensor then stays as it was cached. */
  #patient = true;

  /** Shows the lock at once, before Homebridge publishes the accessory. */
  constructor(parts: AccessoryParts, lock: Lock, link: HouseLink) {
    const { api, accessory, options, clock } = parts;
    this.#parts = parts;
    this.accessory = accessory;
    this.#lock = lock;
    this.#link = link;
    this.#mechanism = new LockMechanismService({
      hap: api.hap,
      accessory,
      adminOnly: options.adminOnly,
      wish: async (rest) => this.#wish(rest),
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
    this.#watchers = doorWatchers(
      { hap: api.hap, sides, clock, wish: async (rest) => this.#wish(rest) },
      options,
    );
    sides.sweep();
    this.#information = new InformationService(api.hap, accessory, parts.isNew);
    accessory.on('identify', () => {
      this.#say(lineAbout(this.#lock, 'info', 'this lock was asked to identify itself'));
    });
    this.#endPatience = clock.after(OUTAGE_GRACE_MS, () => {
      this.#patient = false;
      this.#show();
    });
    this.#moveNews = new MoveNews(clock);
    this.#moveNews.between(null, lock);
    this.#show();
    this.#fastEvents = fastEventsOf(parts, this.#management.service);
  }

  /** Shows what became of the lock, and tells the log. */
  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    const move = this.#moveNews.between(previous, lock);
    if (isOnlyFresher(previous, lock)) {
      return;
    }
    this.#show();
    if (move !== null) {
      this.#hear({ type: 'moved', move });
    }
    for (const line of narrate(previous, lock)) {
      this.#say(line);
    }
  }

  /** Something happened at the door that is no state of the lock. */
  alert(alert: AlertNews['type']): void {
    this.#hear({ type: 'alert', alert });
    this.#say(alertLine(this.#lock, alert));
  }

  /** Takes other options over, without a word to controllers about a bolt that has not moved. */
  configure(options: LockOptions): void {
    this.#mechanism.configure(options);
    this.#battery.configure(options);
    this.#shownBattery = null;
    for (const watcher of this.#watchers) {
      watcher.configure?.(options);
    }
    this.#show();
  }

  relink(link: HouseLink): void {
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
    const explained = this.#management.show(this.#lock);
    if (moved || explained) {
      this.#fastEvents?.flush();
    }
    this.#information.show(this.#lock.description);
    this.#showBattery();
    const waits = this.#patient && !needsLinking(this.#link) && isUnheard(this.#lock);
    if (!waits) {
      this.#connectivity.show(connectivityOf(this.#lock, this.#link));
    }
    for (const watcher of this.#watchers) {
      watcher.show?.({ lock: this.#lock, view, batteryLow: this.#battery.low });
    }
  }

  #hear(news: DoorNews): void {
    for (const watcher of this.#watchers) {
      watcher.hear?.(news);
    }
  }

  /** Every listing shows every lock again, and hardly ever with another battery. */
  #showBattery(): void {
    const { battery } = this.#lock;
    if (battery === this.#shownBattery) {
      return;
    }
    this.#shownBattery = battery;
    const wasLow = this.#battery.low;
    this.#battery.show(battery);
    const { percent } = battery;
    const level = percent === null ? '' : ` (${percent} %)`;
    if (!wasLow && this.#battery.low) {
      this.#say(lineAbout(this.#lock, 'warn', `battery low${level}`));
    } else if (wasLow && !this.#battery.low) {
      this.#say(lineAbout(this.#lock, 'info', `battery good again${level}`));
    }
  }

  /** The status for a HAP write: what the house answered, or success when it has not answered in time. */
  async #wish(rest: Rest): Promise<HapStatus> {
    const answer = await answerWithin(this.#parts.clock, ANSWER_WITHIN_MS, this.#ask(rest));
    return answer === null ? HAP_STATUS.SUCCESS : statusOfAnswer(answer);
  }

  /** Never rejects. The house itself tells of commands that failed; a refusal is told here. */
  async #ask(rest: Rest): Promise<WishAnswer> {
    const { house } = this.#parts;
    this.#say(lineAbout(this.#lock, 'debug', `asked from Home to be ${rest}`));
    try {
      const answer = await house.wish(this.#lock.id, rest);
      if (answer.kind === 'refused') {
        this.#say(refusalLine(this.#lock, rest, answer.reason));
      }
      return answer;
    } catch (error) {
      this.#say(lineAbout(this.#lock, 'error', `the wish was lost: ${messageOf(error)}`));
      return { kind: 'failed', error: new FinalError('bad-request', 'The wish was lost', { cause: error }) };
    }
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
