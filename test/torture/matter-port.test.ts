// `matter: "only"` on a bridge whose Matter port another program has: the locks are in Home, and leave it once an app has them.
import { createSocket, type Socket } from 'node:dgram';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { type OpenedStage, openStage } from '../e2e/stage.ts';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';

const LOCKS = ['Back door', 'Front door', 'Garage'];

/** A minute, and room for a busy machine. */
const OVER_A_MINUTE = { timeout: 100_000, interval: 1_000 };

let stage: OpenedStage;
const sockets: Socket[] = [];

/** Another program on the Matter port. */
async function takePort(port: number): Promise<void> {
  for (const type of ['udp6', 'udp4'] as const) {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' });
    sockets.push(socket);
    await new Promise<void>((resolve) => {
      socket.bind(port, resolve);
    });
  }
}

async function inHome(): Promise<readonly string[]> {
  await stage.home.refresh();
  return stage.home.accessories.toSorted();
}

beforeAll(async () => {
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    onChildBridge: true,
    matter: true,
    options: { matter: 'only' },
  });
});

afterAll(async () => {
  for (const socket of sockets) {
    socket.close();
  }
  await stage.leave();
});

it('Home shows the locks after a minute in which no app has added the bridge, and drops them once one has (faults#128)', async () => {
  expect(await inHome()).toEqual([]);
  await vi.waitFor(async () => {
    expect(await inHome()).toEqual(LOCKS);
  }, OVER_A_MINUTE);
  const app = await MatterHome.join(
    matterBridgeOf(stage.installation),
    join(stage.installation.storeFolder, 'app'),
  );
  await vi.waitFor(async () => {
    expect(await inHome()).toEqual([]);
  }, OVER_A_MINUTE);
  await app.close();
});

it('Home shows the locks again when the port of Matter is taken (faults#128)', async () => {
  await stage.homebridge.stop();
  await takePort(stage.installation.bridge.matter?.port ?? 0);
  await stage.restartHomebridge();
  await vi.waitFor(async () => {
    expect(await inHome()).toEqual(LOCKS);
  }, OVER_A_MINUTE);
  expect(stage.takeComplaints().join('\n')).toContain('Matter is not running on this bridge');
});

it('Home keeps the locks from the start where the port of Matter was taken already (faults#128)', async () => {
  await stage.restartHomebridge();
  // Sooner than they would come back.
  await vi.waitFor(
    async () => {
      expect(await inHome()).toEqual(LOCKS);
    },
    { timeout: 30_000, interval: 500 },
  );
});
