// Homebridge's Matter shell, pretended: endpoints that run the plugin's behavior, beside an account moved by hand.

import type { CommandOutcome } from '../../../../../src/domain/commands/command.ts';
import type { BoltPosition } from '../../../../../src/domain/locks/bolt.ts';
import { type LockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import { KeptLabels } from '../../../../../src/features/matter/host/kept-labels.ts';
import { faultOfMatter } from '../../../../../src/features/matter/node/evidence-lock.ts';
import type { MatterLockOptions } from '../../../../../src/features/matter/node/lock-options.ts';
import { Matter, type MatterParts } from '../../../../../src/features/matter/node/matter-accessories.ts';
import { isMatterApi, type RegisteredAccessory } from '../../../../../src/features/matter/node/matter-api.ts';
import type { LabelStore } from '../../../../../src/features/matter/node/node-label.ts';
import { NodePresence } from '../../../../../src/features/matter/node/node-presence.ts';
import { silentLog } from '../../../../../src/support/log.ts';
import { ShellFixture } from '../../../../homes/homebridge-shell.ts';
import { describedAs, FRONT, StandInRuntime } from '../../../../stand-ins/account/runtime.ts';
import { MemoryValues } from '../../../../stand-ins/database/values.ts';
import { type Endpoint, StandInMatter } from '../../../../stand-ins/homebridge/matter.ts';

export const DEFAULTS: MatterLockOptions = {
  hidden: false,
  name: null,
  unlockRefusal: null,
  lowBattery: 20,
};

export interface FixtureSettings {
  readonly options?: (id: LockId) => MatterLockOptions;
  readonly restored?: readonly RegisteredAccessory[];
  readonly pin?: string | null;
  readonly prepare?: (account: StandInRuntime) => void;
  readonly labels?: LabelStore;
}

/** The names in apps, which outlive a fixture that is given to the next. */
export function keptLabels(): KeptLabels {
  return new KeptLabels(new MemoryValues(), silentLog);
}

export class Fixture extends ShellFixture {
  readonly shell = new StandInMatter();
  readonly account = new StandInRuntime();
  readonly matter: Matter;
  readonly presence = new NodePresence({
    clock: this.clock,
    log: this.log,
    hasOnlyLocks: () => true,
  });

  constructor({
    options = () => DEFAULTS,
    restored = [],
    pin = null,
    prepare,
    labels = keptLabels(),
  }: FixtureSettings = {}) {
    super();
    prepare?.(this.account);
    const api: unknown = this.shell;
    const fault = faultOfMatter(api, pin !== null);
    if (fault !== null || !isMatterApi(api)) {
      throw new Error(`The pretended shell is not as expected: ${String(fault)}`);
    }
    const parts: MatterParts = {
      api,
      plugin: 'plugin',
      platform: 'Platform',
      uuidOf: (text) => `uuid of ${text}`,
      log: this.log,
      runtime: this.account,
      clock: this.clock,
      optionsFor: options,
      subscribeOptions: this.subscribeOptions,
      pin,
      presence: this.presence,
      labels,
      restored,
    };
    this.matter = new Matter(parts);
  }

  /** With a front door that is locked, and shown. */
  static async withFrontDoor(settings: FixtureSettings = {}): Promise<Fixture> {
    const fixture = new Fixture({
      ...settings,
      prepare: (account) => {
        account.add(unknownLock(FRONT, describedAs('Front door')));
        settings.prepare?.(account);
      },
    });
    await fixture.settled();
    await fixture.reported({ source: 'poll', bolt: 'secured', connected: true });
    fixture.endpoint().reports.length = 0;
    return fixture;
  }

  async settled(): Promise<void> {
    await this.clock.advance(0);
  }

  /** The service reports this of the front door, and controllers have seen it. */
  async reported(said: Parameters<StandInRuntime['report']>[1]): Promise<void> {
    this.account.report(FRONT, said);
    await this.settled();
  }

  /** A command to the front door has ended so. */
  async ended(target: BoltPosition, outcome: CommandOutcome): Promise<void> {
    this.account.endCommand(FRONT, target, outcome);
    await this.settled();
  }

  /** A command of ours to the front door has moved the bolt. */
  moved(target: BoltPosition): void {
    this.account.moveByCommand(FRONT, target);
  }

  endpoint(id: LockId = FRONT): Endpoint {
    const found = this.shell.endpoints.get(`uuid of Platform:Matter:${id}`);
    if (found === undefined) {
      throw new Error(`Matter shows no ${id}`);
    }
    return found;
  }

  /** Commands the front door, and lets the answer come. */
  async command(...args: Parameters<Endpoint['command']>): Promise<string | null> {
    const answer = this.endpoint().command(...args);
    await this.settled();
    return answer;
  }
}
