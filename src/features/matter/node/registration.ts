// Registers accessories at Homebridge's Matter bridge and removes them, one with the same UUID after the other.
import { type Clock, delay } from '../../../support/clock.ts';
import { messageOf } from '../../../support/errors.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { LockEndpoint, MatterAccessory, MatterApi, RegisteredAccessory } from './matter-api.ts';

/** Interval and number of checks whether Homebridge has released an accessory (our choice). */
const CHECK_EVERY_MS = 100;
const MOST_CHECKS = 100;

export class Registration {
  readonly #parts;
  readonly #ended: AbortSignal;
  /** UUIDs of removed accessories that Homebridge may still hold. */
  readonly #leaving = new Set<string>();

  /** `ended`: nothing is registered any more. */
  constructor(
    parts: {
      /** The interface, which `faultOfMatter` has checked. */
      readonly api: MatterApi;
      /** Plugin and platform names under which Homebridge keeps the accessories. */
      readonly plugin: string;
      readonly platform: string;
      /** False for one that was hidden while Homebridge still held an earlier one with its UUID. */
      readonly isWanted: (accessory: MatterAccessory) => boolean;
      readonly clock: Clock;
      readonly log: Log;
    },
    ended: AbortSignal,
  ) {
    this.#parts = parts;
    this.#ended = ended;
  }

  /** Never rejects. */
  async register(accessories: readonly MatterAccessory[]): Promise<void> {
    const { api, plugin, platform, isWanted, log } = this.#parts;
    try {
      for (const { UUID } of accessories) {
        await this.#free(UUID);
      }
      const wanted = accessories.filter(isWanted);
      if (wanted.length > 0 && !this.#ended.aborted) {
        await api.registerPlatformAccessories(plugin, platform, wanted);
      }
    } catch (error) {
      if (!this.#ended.aborted) {
        log.error(oneLine(t('Locks could not be shown over Matter: {why}', { why: messageOf(error) })));
      }
    }
  }

  unregister(accessory: RegisteredAccessory): void {
    const { api, plugin, platform, log } = this.#parts;
    this.#leaving.add(accessory.UUID);
    api.unregisterPlatformAccessories(plugin, platform, [accessory]).catch((error: unknown) => {
      log.error(
        oneLine(
          t('{name}: could not be removed from Matter: {why}', {
            name: accessory.displayName,
            why: messageOf(error),
          }),
        ),
      );
    });
  }

  /** An accessory that Homebridge is still registering cannot be removed earlier. */
  async unregisterOpened(accessory: MatterAccessory, endpoint: LockEndpoint | undefined): Promise<void> {
    this.#leaving.add(accessory.UUID);
    await endpoint?.construction;
    this.unregister(accessory);
  }

  /** Homebridge removes asynchronously, and refuses an accessory while it holds another with the same UUID. */
  async #free(uuid: string): Promise<void> {
    const { api, clock } = this.#parts;
    for (let check = 0; this.#leaving.has(uuid) && check < MOST_CHECKS; check += 1) {
      if ((await api.getAccessoryState(uuid, 'doorLock')) === undefined) {
        this.#leaving.delete(uuid);
      } else {
        await delay(clock, CHECK_EVERY_MS, this.#ended);
      }
    }
  }
}
