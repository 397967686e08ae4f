// Locks over Matter, as the SDK's own controller has them: statuses, labels, sources and identity, by the model's words.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matterBridgeOf } from '../harness/matter-home.ts';
import { DOOR_LOCK, MatterServer } from './matter-server.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const LOCKED = 1;
const UNLOCKED = 2;
const DEAD_BOLT = 0;
const LATCH_BOLT = 5;
const PIN = '24681357';
const WRONG_PIN = '97531864';
const WRONG_PINS = 5;
/** Kinds of `SetUser` and `SetCredential`. */
const ADD = 0;
const MODIFY = 2;
/** A controller notices a restart by the silence of its subscription. */
const RESTARTED = { timeout: 120_000, interval: 200 };

const CONFIGURATION_VERSION = '0/40/24';
/** For each lock: Homebridge counts its own restore, and that it is replaced (docs/develop/matter.md). */
const GROWS_BY = 3;

/** Statuses of the interaction model. */
const UNSUPPORTED_WRITE = 0x88;

/** Events of the lock cluster, and the alarm that too many wrong PINs raise. */
const ALARM = 0;
const OPERATION = 2;
const WRONG_CODE_ENTRY_LIMIT = 4;

const SOURCE = { manual: 1, keypad: 3, button: 5, remote: 7 } as const;

/** Attributes of the lock by their numbers, each with another value than its own. */
const WRITABLE = {
  operatingMode: [37, 3],
  wrongCodeEntryLimit: [48, 9],
  disableTime: [49, 99],
  requirePin: [51, false],
} as const;

function attribute(endpoint: number, id: number): string {
  return `${String(endpoint)}/${String(DOOR_LOCK)}/${String(id)}`;
}

/** What an app recognises the bridge and its locks by: labels, serial numbers and UniqueIDs. */
function identityOf(all: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...all].filter(([path]) => /\/57\/(?:1|3|5|14|15|18)$|^0\/40\/18$/.test(path)));
}

describe('locks at the controller of the Matter SDK', () => {
  let stage: HomeStage;
  let controller: MatterServer;
  let front: number;

  async function status(answer: Promise<Readonly<Record<string, unknown>>>): Promise<string> {
    return JSON.stringify(await answer);
  }

  /** Undefined while the bridge cannot be read. */
  async function lockState(): Promise<unknown> {
    const path = attribute(front, 0);
    try {
      return (await controller.read(path)).get(path);
    } catch {
      return undefined;
    }
  }

  async function sourceOfNext(act: () => Promise<unknown>): Promise<unknown> {
    const before = controller.events.length;
    await act();
    await expect
      .poll(() => controller.events.slice(before).filter(({ event_id }) => event_id === OPERATION))
      .not.toEqual([]);
    const told = controller.events.slice(before).filter(({ event_id }) => event_id === OPERATION);
    return told.map(({ data }) => data?.['operationSource']);
  }

  beforeAll(async () => {
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      onChildBridge: true,
      matter: true,
      options: { matter: 'both' },
    });
    await stage.homebridge.line(/Matter server is now running/, 60_000);
    controller = await MatterServer.start(join(stage.folder, 'matter'));
    await controller.commission(matterBridgeOf(stage.installation));
    front = await controller.endpointOf('Front door');
  });

  afterAll(async () => {
    await controller.close();
    await stage.leave();
  });

  it('have the type and the product of the lock itself (faults#174)', async () => {
    const garage = await controller.endpointOf('Garage');
    const all = await controller.readAll();
    expect([all.get(attribute(front, 1)), all.get(attribute(garage, 1))]).toEqual([DEAD_BOLT, LATCH_BOLT]);
    const product = [all.get(`${String(garage)}/57/3`), all.get(`${String(garage)}/57/14`)];
    expect(product).toEqual(['Model-L1', 'Model-L1']);
  });

  it('refuse a write that nothing would follow as unsupported (faults#130, faults#174)', async () => {
    const [id, value] = WRITABLE.operatingMode;
    expect(await status(controller.write(attribute(front, id), value))).toContain(
      `"Status":${String(UNSUPPORTED_WRITE)}`,
    );
  });

  it('tell who moved them, each move once: our command, and the quick hand behind it (faults#170, faults#174)', async () => {
    const lock = stage.lock('Front door');
    const byHand = async (action: string, details: object): Promise<unknown> =>
      sourceOfNext(async () => {
        await lock.at(action, { ...details });
        await stage.refresh();
      });
    expect(await byHand('turn-thumbturn', { to: 'Unlocked' })).toEqual([SOURCE.manual]);
    expect(await byHand('press-inside-button', { button: 'LockButton' })).toEqual([SOURCE.button]);
    expect(await byHand('press-inside-button', { button: 'UnlockButton' })).toEqual([SOURCE.button]);
    expect(await byHand('press-one-touch', {})).toEqual([SOURCE.button]);
    expect(await sourceOfNext(async () => controller.command(front, 'UnlockDoor'))).toEqual([SOURCE.remote]);
    await expect.poll(lockState).toBe(UNLOCKED);
    expect(await byHand('turn-thumbturn', { to: 'Locked' })).toEqual([SOURCE.manual]);
  });

  it('are the same bridge and the same locks after a restart (faults#131, faults#174)', async () => {
    const before = await controller.readAll();
    await stage.restartHomebridge();
    await expect.poll(lockState, RESTARTED).toBe(LOCKED);
    const after = await controller.readAll();
    expect(identityOf(after)).toEqual(identityOf(before));
    const grown = Number(after.get(CONFIGURATION_VERSION)) - Number(before.get(CONFIGURATION_VERSION));
    expect([0 <= grown, grown <= GROWS_BY * stage.locks.length]).toEqual([true, true]);
  });

  it('bar a controller after five wrong PINs with an alarm, and then fail for the right one, too (faults#132, faults#174)', async () => {
    await stage.reconfigure({ remotePin: PIN });
    await expect.poll(lockState, RESTARTED).toBe(LOCKED);
    for (const [id, value] of Object.values(WRITABLE)) {
      expect(await status(controller.write(attribute(front, id), value))).toContain(
        `"Status":${String(UNSUPPORTED_WRITE)}`,
      );
    }
    const unlock = async (pin: string): Promise<string> =>
      status(controller.command(front, 'UnlockDoor', { PINCode: Buffer.from(pin).toString('base64') }));
    const alarms = (): unknown[] =>
      controller.events
        .filter(({ cluster_id, event_id }) => cluster_id === DOOR_LOCK && event_id === ALARM)
        .map(({ data }) => data?.['alarmCode']);
    for (let sent = 0; sent < WRONG_PINS; sent += 1) {
      expect(alarms()).toEqual([]);
      expect(await unlock(WRONG_PIN)).toMatch(/Failure|0x01/);
    }
    await expect.poll(alarms).toEqual([WRONG_CODE_ENTRY_LIMIT]);
    expect(await unlock(PIN)).toMatch(/Failure|0x01/);
  });

  it('show one user, who is not changed by an app (faults#174)', async () => {
    const user = { userName: 'Anna', userUniqueID: null, userStatus: 1, userType: 0, credentialRule: 0 };
    const credential = { credentialType: 1, credentialIndex: 1 };
    const credentialData = Buffer.from('13579').toString('base64');
    const named = async (name: string, payload: Readonly<Record<string, unknown>>): Promise<string> =>
      status(controller.command(front, name, payload));
    expect(await named('GetUser', { userIndex: 1 })).toContain('"userName":"remotePin"');
    for (const [operationType, userIndex, refusal] of [
      [ADD, 1, /Failure|0x01/],
      [MODIFY, 1, /Failure|0x01/],
      [ADD, 2, /InvalidCommand|0x85/],
    ] as const) {
      expect(await named('SetUser', { ...user, operationType, userIndex })).toMatch(refusal);
    }
    const set = {
      operationType: ADD,
      credential,
      credentialData,
      userIndex: null,
      userStatus: null,
      userType: null,
    };
    expect(await named('SetCredential', set)).toContain('"status":1');
    expect(await named('GetUser', { userIndex: 1 })).toContain('"userName":"remotePin"');
  });
});
