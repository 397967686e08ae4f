// Plays the scenes of a day: each is a hand at a door, a tap in Home, a loss or its end, or a guest.
import { control } from '../stand-ins/service/simulated.ts';
import type { Scene } from './day-plan.ts';
import { RESIDENT_CODE, type SoakHouse } from './soak-house.ts';
import type { Tally } from './tally.ts';
import { lookAtHome } from './truth.ts';

const RESIDENT = 'resident';
const WRONG_CODE = '1357';
/** Nobody waits until the cloud notices by chance. */
const NOTICED_AFTER_MS = 60_000;
/** A guest stays for a day, in milliseconds. */
const STAY_MS = 86_400_000;

type Hand = Extract<Scene, { kind: 'hand' }>;
type AtLock = Extract<Scene, { lock: number }>;

export class Scenes {
  readonly #house: SoakHouse;
  readonly #tally: Tally;
  #guests = 0;

  constructor(house: SoakHouse, tally: Tally) {
    this.#house = house;
    this.#tally = tally;
  }

  async play(scene: Scene): Promise<void> {
    if ('lock' in scene) {
      await this.#playAt(scene);
      return;
    }
    switch (scene.kind) {
      case 'look':
        this.#tally.noteLook(await lookAtHome(this.#house));
        break;
      case 'outage':
        await this.#inHouse('inject-fault', { kind: 'status', status: 503, often: 'always' });
        break;
      case 'outage-ends':
        await this.#inHouse('clear-faults', {});
        break;
      case 'network-goes':
        await Promise.all([this.#house.toService.close(), this.#house.toHome.close()]);
        break;
      case 'network-comes':
        await Promise.all([this.#house.toService.open(), this.#house.toHome.open()]);
        break;
      case 'service-stops':
        await this.#house.toService.close();
        break;
      case 'service-starts':
        await this.#house.toService.open();
        break;
      case 'signing-key':
        await this.#inHouse('rotate-signing-key', {});
    }
  }

  async #playAt(scene: AtLock): Promise<void> {
    const lock = this.#lock(scene.lock);
    switch (scene.kind) {
      case 'hand':
        await this.#hand(scene);
        break;
      case 'tap':
        this.#tally.noteTap(await lock.tap((await lock.requested()) === 'locked' ? 'unlocked' : 'locked'));
        break;
      case 'lost-event':
        await this.#inHouse('fail-deliveries', { kind: 'drop', often: 'once' });
        await lock.at('turn-thumbturn');
        break;
      case 'failing-command':
        await lock.at('fail-next-commands', { errorCode: scene.errorCode, count: 1 });
        break;
      case 'jam':
        await lock.at('jam', { count: 1 });
        break;
      case 'offline':
        await lock.at('cut-wifi', { noticeAfterMs: NOTICED_AFTER_MS });
        break;
      case 'online':
        await lock.at('restore-wifi');
        break;
      case 'new-batteries':
        await lock.at('replace-batteries');
        break;
      case 'guest-comes':
        await this.#welcome(scene.lock);
        break;
      case 'guest-goes':
        await this.#sayGoodbye();
    }
  }

  async #hand({ by, lock: index }: Hand): Promise<void> {
    const lock = this.#lock(index);
    const to = this.#house.stage.boltOf(lock) === 'Locked' ? 'Unlocked' : 'Locked';
    switch (by) {
      case 'thumbturn':
        await lock.at('turn-thumbturn', { to });
        break;
      case 'code':
        await lock.at('type-code', { code: RESIDENT_CODE });
        break;
      case 'virtual-key':
        await lock.at('use-virtual-key', { userId: RESIDENT, to });
        break;
      case 'platform':
        await lock.at('use-platform-home', { to });
        break;
      case 'one-touch':
        await lock.at('press-one-touch');
        break;
      case 'wrong-code':
        await lock.at('type-code', { code: WRONG_CODE });
    }
  }

  async #welcome(index: number): Promise<void> {
    this.#guests += 1;
    const from = this.#house.clock.now();
    const names = new Set([this.#lock(index).name, this.#lock(index + 1).name]);
    const pages = await this.#house.stage.pages();
    try {
      const known = await pages.call('locks');
      const answer = await pages.call('guests.add', {
        draft: {
          name: `Guest ${String(this.#guests)}`,
          pin: String(3_000 + this.#guests),
          schedule: { kind: 'temporary', from, until: from + STAY_MS },
        },
        locks: known.filter(({ description }) => names.has(description.name)).map(({ id }) => id),
      });
      this.#tally.noteGuest(answer.kind);
    } finally {
      await pages.close();
    }
  }

  async #sayGoodbye(): Promise<void> {
    const pages = await this.#house.stage.pages();
    try {
      for (const { id } of await pages.call('guests.list')) {
        await pages.call('guests.remove', { guest: id });
      }
    } finally {
      await pages.close();
    }
  }

  #lock(index: number) {
    const lock = this.#house.locks[index];
    if (lock === undefined) {
      throw new Error(`The house has no lock ${String(index)}`);
    }
    return lock;
  }

  async #inHouse(action: string, details: Readonly<Record<string, unknown>>): Promise<unknown> {
    return control(this.#house.stage.simulator.controlUrl, `house/${action}`, details);
  }
}
