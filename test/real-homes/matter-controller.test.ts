// Locks over Matter, as the SDK's own controller has them.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matterBridgeOf } from '../harness/matter-home.ts';
import { DOOR_LOCK, MatterServer } from './matter-server.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

const LOCKED = 1;
const UNLOCKED = 2;

describe('locks at the controller of the Matter SDK', () => {
  let stage: HomeStage;
  let controller: MatterServer;

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
  });

  afterAll(async () => {
    await controller.close();
    await stage.leave();
  });

  it('are read with everything else, and obey', async () => {
    const front = await controller.endpointOf('Front door');
    const all = await controller.readAll();
    expect(all.get(`${String(front)}/${String(DOOR_LOCK)}/0`)).toBe(LOCKED);
    expect(await controller.command(front, 'UnlockDoor')).toMatchObject({ result: null });
    await expect
      .poll(async () => (await controller.readAll()).get(`${String(front)}/${String(DOOR_LOCK)}/0`))
      .toBe(UNLOCKED);
  });
});
