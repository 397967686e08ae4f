// A home with the plugin, a broker, the SDK's controller and Home Assistant, which has the locks over each way that is asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { matterBridgeOf } from '../harness/matter-home.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { HomeAssistant, type Integration } from './home-assistant.ts';
import { MatterServer } from './matter-server.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

export interface WholeHome {
  readonly stage: HomeStage;
  readonly broker: Mosquitto;
  readonly matter: MatterServer;
  readonly home: HomeAssistant;
  readonly close: () => Promise<void>;
}

/** `options`: of the plugin. */
export async function openWholeHome(
  ways: readonly Integration[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<WholeHome> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) {
      await end();
    }
  };
  try {
    const broker = await startMosquitto({ folder: join(folder, 'broker') });
    ends.push(async () => broker.stop());
    const stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      onChildBridge: true,
      matter: true,
      options: { matter: 'both', mqtt: { url: broker.url.href, homeAssistant: true }, ...options },
    });
    ends.push(async () => stage.leave());
    const matter = await MatterServer.start(join(folder, 'matter'));
    ends.push(async () => matter.close());
    const home = await HomeAssistant.start(join(folder, 'home-assistant'));
    ends.push(async () => home.close());
    if (ways.includes('matter')) {
      await stage.homebridge.line(/Matter server is now running/, 60_000);
      await matter.commission(matterBridgeOf(stage.installation));
      await home.addMatter(matter.url);
    }
    if (ways.includes('mqtt')) {
      await home.addMqtt(broker.port);
    }
    if (ways.includes('homekit_controller')) {
      await home.addHomeKit(stage.installation.bridge);
    }
    return { stage, broker, matter, home, close };
  } catch (error) {
    await close();
    throw error;
  }
}
