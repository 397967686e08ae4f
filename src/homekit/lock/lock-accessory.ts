// One lock in Home: keeps the services of its accessory up to date, and sends requests to the lock.

import type { PlatformAccessory } from 'homebridge';
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { Lock } from '../../domain/locks/lock.ts';
import { newMoves } from '../../domain/locks/moves.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isRecent, OUTAGE_GRACE_MS } from '../../domain/time/time.ts';
import type { AlertReport } from '../../domain/webhooks/service-event.ts';
import type { StayEvent } from '../../engine/locks/event-bus.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { type AccessCodeService, accessCodesOf } from '../codes/access-code-service.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { fastEventsOf } from '../hap/fast-events.ts';
import { linkOnce } from '../hap/hap-service.ts';
import { connectivityOf, viewOf } from '../hap/lock-mapping.ts';
import type { LockOptions } from '../hap/lock-options.ts';
import type { Pulse } from '../hap/pulse.ts';
import type { SensorEvent, SideService } from '../sensors/lock-facts.ts';
import { sensorRows } from '../sensors/sensor-rows.ts';
import { SideSensor } from '../sensors/side-sensor.ts';
import { removeOtherSides } from '../sensors/side-services.ts';
import { AUTOMATION_SWITCH, AutomationSwitch } from './automation-switch.ts';
import { BatteryService } from './battery-service.ts';
import { requestFromHome } from './home-request.ts';
import { InformationService } from './information-service.ts';
import { LockManagementService } from './lock-management-service.ts';
import { LockMechanismService, type SendRequest } from './lock-mechanism-service.ts';
import { alertLine, batteryLine, type LogLine, lineAbout, logMessages, say } from './log-messages.ts';

export class LockAccessory {
  readonly accessory: PlatformAccessory;
  /** Null where the option is off. */
  readonly accessCodes: AccessCodeService | null;
  readonly #parts: AccessoryParts;
  readonly #mechanism: LockMechanismService;
  readonly #management: LockManagementService;
  readonly #battery: BatteryService;
  readonly #information: InformationService;
  readonly #sides: readonly SideService[];
  readonly #cancelStarting: CancelTimer;
  #lock: Lock;
  #link: RuntimeLinkState;
  /** Null at the start: the first values are no events. */
  #fastEvents: Pulse | null = null;
  /** For a while after the start, silence is no proof of a lost connection. */
  #starting = true;

  /** Shows the lock at once, before Homebridge publishes the accessory. */
  constructor(parts: AccessoryParts, lock: Lock, link: RuntimeLinkState) {
    const { accessory, options, clock } = parts;
    this.#parts = parts;
    this.accessory = accessory;
    this.#lock = lock;
    this.#link = link;
    const request: SendRequest = async (target) => requestFromHome(parts, this.#lock, target);
    this.#mechanism = new LockMechanismService(parts, request);
    const primary = this.#mechanism.service;
    this.#management = new LockManagementService(parts);
    linkOnce(primary, this.#management.service);
    this.#battery = new BatteryService(parts, primary);
    const rows = sensorRows(options);
    const hasSwitch = options.alerts.automationSwitch !== 'off';
    removeOtherSides(parts, hasSwitch ? [...rows, AUTOMATION_SWITCH] : rows);
    this.#sides = [
      ...rows.map((row) => new SideSensor(parts, primary, row)),
      ...(hasSwitch ? [new AutomationSwitch(parts, primary, request)] : []),
    ];
    this.accessCodes = accessCodesOf({
      ...parts,
      primary,
      lockId: lock.id,
      warn: (text) => this.#say(lineAbout(this.#lock, 'warn', text)),
    });
    this.#information = new InformationService(parts);
    accessory.on('identify', () => {
      this.#say(
        lineAbout(this.#lock, 'info', 'identify requested; the lock itself cannot blink or beep for it'),
      );
    });
    this.#cancelStarting = clock.after(OUTAGE_GRACE_MS, () => {
      this.#starting = false;
      this.#show();
    });
    this.#show();
    this.#fastEvents = fastEventsOf(parts, this.#management.service);
  }

  /** Takes a fresher state that looks the same. */
  refresh(lock: Lock): void {
    this.#lock = lock;
  }

  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    this.#show();
    for (const move of newMoves(previous, lock, this.#parts.runtime.serviceNow())) {
      this.#notifySides({ type: 'moved', move });
    }
    for (const line of logMessages(previous, lock)) {
      this.#say(line);
    }
  }

  alert(alert: AlertReport['type'], at: Instant): void {
    this.#notifySides({ type: 'alert', alert, at });
    this.#say(alertLine(this.#lock, alert));
  }

  /** A guest's code was used for the first time, or is not here shortly before it is needed. What is found late starts no automation. */
  stay({ type, at }: StayEvent): void {
    if (
      (type === 'stay-arrived' || type === 'stay-not-ready') &&
      isRecent(at, this.#parts.runtime.serviceNow())
    ) {
      this.#notifySides({ type: type === 'stay-arrived' ? 'arrived' : 'not-ready' });
    }
  }

  /** Applies other options without an event for a bolt that has not moved. */
  configure(options: LockOptions): void {
    this.#mechanism.configure(options);
    this.#battery.configure(options);
    for (const side of this.#sides) {
      side.configure?.(options);
    }
    this.#show();
  }

  relink(link: RuntimeLinkState): void {
    this.#link = link;
    this.#show();
  }

  dispose(): void {
    this.#cancelStarting();
    this.#fastEvents?.end();
    this.#mechanism.dispose();
    this.accessCodes?.dispose();
    for (const side of this.#sides) {
      side.dispose?.();
    }
  }

  #show(): void {
    const { options } = this.#parts;
    // The lock first, so that its events precede those of the sensors.
    const view = viewOf(this.#lock, this.#link, options.offline, this.#mechanism.target);
    const moved = this.#mechanism.show(view);
    const explained = this.#management.show(this.#lock, this.#parts.runtime.serviceNow());
    if (moved || explained) {
      this.#fastEvents?.start();
    }
    this.#information.show(this.#lock.description);
    const batteryChange = this.#battery.show(this.#lock.battery);
    if (batteryChange !== null) {
      this.#say(batteryLine(this.#lock, batteryChange));
    }
    const facts = {
      lock: this.#lock,
      view,
      batteryLow: this.#battery.low,
      connectivity: connectivityOf(this.#lock, this.#link, this.#starting),
    };
    for (const side of this.#sides) {
      side.show(facts);
    }
  }

  #notifySides(event: SensorEvent): void {
    for (const side of this.#sides) {
      side.receive?.(event);
    }
  }

  #say(line: LogLine): void {
    say(this.#parts.log, line);
  }
}
