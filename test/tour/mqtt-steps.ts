// The step of the tour with a broker: the same lock in Home and in Home Assistant's terms. None where mosquitto is missing.
import { join } from 'node:path';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import type { Stage } from '../harness/stage.ts';
import { HomeAssistant } from '../support/home-assistant.ts';
import { agree, FRONT, MOVED_WITHIN_MS, POLL_SECONDS, settled, until } from './acts.ts';
import type { Part } from './part.ts';

const CONNECTED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

async function shows(ha: HomeAssistant, state: string, withinMs: number): Promise<number> {
  const isShown = (): boolean => ha.shows(FRONT, 'lock') === state;
  await until(isShown, withinMs, () => `Home Assistant does not show ${state}`, LOOK_EVERY_MS);
  return performance.now();
}

async function moveBothWays(stage: Stage, ha: HomeAssistant): Promise<string> {
  const lock = stage.lock(FRONT);
  await settled(lock, 'locked');
  await shows(ha, 'locked', CONNECTED_WITHIN_MS);
  await ha.tap(FRONT, 'unlock');
  const [{ at }, seenAt] = await Promise.all([
    lock.showed('unlocked', MOVED_WITHIN_MS),
    shows(ha, 'unlocked', MOVED_WITHIN_MS),
  ]);
  agree(stage, lock, 'unlocked');
  await lock.tap('locked');
  await shows(ha, 'locked', MOVED_WITHIN_MS);
  await settled(lock, 'locked');
  return `unlocked in Home Assistant, locked by a tap in Home; both showed each end, ${Math.round(Math.abs(at - seenAt))} ms apart`;
}

async function withBroker(stage: Stage, act: (broker: Mosquitto) => Promise<string>): Promise<string> {
  const broker = await startMosquitto({ folder: join(stage.installation.storeFolder, '..', 'broker') });
  try {
    return await act(broker);
  } finally {
    await broker.stop();
  }
}

export const mqttParts: readonly Part[] = hasMosquitto
  ? [
      {
        steps: [
          {
            title: 'Show the locks to Home Assistant through a broker, and move one from either side',
            play: async (stage) =>
              withBroker(stage, async (broker) => {
                const ha = await HomeAssistant.connect(broker.url);
                try {
                  await stage.reconfigure({
                    mqtt: { url: broker.url.href, homeAssistant: true },
                    polling: { idleSeconds: POLL_SECONDS },
                  });
                  await stage.homebridge.line(/Connected to the MQTT broker/, CONNECTED_WITHIN_MS);
                  const words = await moveBothWays(stage, ha);
                  await stage.reconfigure({ mqtt: {} });
                  return words;
                } finally {
                  ha.close();
                }
              }),
          },
        ],
      },
    ]
  : [];
