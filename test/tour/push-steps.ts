// The steps of the tour in which the service sends webhooks: beside polling, and with all faults on the way.

import { deepEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Characteristic } from 'hap-nodejs';
import { signBody } from '../../simulator/src/webhooks/signature.ts';
import { generateSigningKeyPair } from '../../simulator/src/webhooks/signing-keys.ts';
import { freePort } from '../harness/free-port.ts';
import type { Stage } from '../harness/stage.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { agree, FRONT, POLL_SECONDS, settled, turn } from './acts.ts';
import type { Part } from './part.ts';
import type { Step } from './step.ts';
import { type Passed, Tunnel } from './tunnel.ts';

/** As seldom as the account asks while webhooks arrive; the options allow no less. */
const HEALTHY_SECONDS = 60;
/** One such poll, with its jitter and room for a busy machine. */
const FOUND_WITHIN_MS = (HEALTHY_SECONDS + 10) * 1_000;
/** Delivery, the quarter second for which HAP holds events, and room for a busy machine. */
const REPORTED_WITHIN_MS = 5_000;
/** Whatever Home was to hear of what has arrived, it has heard by then. */
const RECEIVED_AFTER_MS = 500;

/** What stands between the service and the plugin. */
const tunnel = new Tunnel();

const coming: readonly Step[] = [
  {
    title: 'Switch webhooks on, behind a tunnel',
    play: async (stage) => {
      await switchOn(stage, tunnel);
      return 'they were registered, and proven by a test of the way, without a hand';
    },
  },
  {
    title: 'Turn the thumbturn, and the service tells of it',
    play: async (stage) => {
      const reportedMs = await reported(stage, 'unlocked');
      return `Home showed unlocked ${reportedMs} ms after the hand; asking every ${POLL_SECONDS} s takes up to that long`;
    },
  },
  {
    title: 'Lock again, and send the event before once more, also after a restart',
    play: async (stage) => {
      const before = tunnel.lastEvent();
      await reported(stage, 'locked');
      await changesNothing(stage, async () => {
        deepEqual(await tunnel.send(before), 204, 'The repeat was not acknowledged');
      });
      await stage.restartHomebridge();
      await settled(stage.lock(FRONT), 'locked');
      // The listener opens a moment after Home was served.
      await stage.homebridge.line(/Webhooks are received/, REPORTED_WITHIN_MS);
      await changesNothing(stage, async () => {
        deepEqual(await tunnel.send(before), 204, 'The repeat was not acknowledged after the restart');
      });
      return 'it was acknowledged both times, and Home stayed at locked';
    },
  },
  {
    title: 'Forge events of an unlocked door: changed, unsigned, signed by a stranger, signed with "none"',
    warns: /A webhook was refused/,
    play: async (stage) => {
      const forgeries = forged(tunnel.lastEvent());
      await changesNothing(stage, async () => {
        for (const forgery of forgeries) {
          // 503 where the keys were fetched a moment ago: it may be a newer one, and comes again.
          const status = await tunnel.send(forgery);
          deepEqual([401, 503].includes(status), true, 'A forged event was not refused');
        }
      });
      return `all ${forgeries.length} were refused, and Home stayed at locked`;
    },
  },
  {
    title: 'Unlock and lock, and the two events overtake each other',
    play: async (stage) => {
      await goingWrong(stage, 'reorder');
      await changesNothing(stage, async () => {
        await turn(stage.lock(FRONT), 'unlocked');
        await turn(stage.lock(FRONT), 'locked');
        await stage.simulator.deliveriesIdle();
      });
      return 'the one that happened last won: Home never left locked';
    },
  },
  {
    title: 'Unlock, and the event comes twice',
    play: async (stage) => {
      await goingWrong(stage, 'double');
      await reported(stage, 'unlocked');
      await stage.simulator.deliveriesIdle();
      await setTimeout(RECEIVED_AFTER_MS);
      deepEqual(received(stage).length, 1, 'Home heard of it more than once');
      return 'Home heard of it once';
    },
  },
];

const losing: readonly Step[] = [
  {
    title: 'Unlock, and the event is lost',
    play: async (stage) => {
      const lock = stage.lock(FRONT);
      await goingWrong(stage, 'drop');
      stage.home.forgetEvents();
      await turn(lock, 'unlocked');
      const turnedAt = performance.now();
      const { at } = await lock.showed('unlocked', FOUND_WITHIN_MS);
      agree(stage, lock, 'unlocked');
      return `Home showed unlocked ${((at - turnedAt) / 1_000).toFixed(1)} s later: the account asks every ${HEALTHY_SECONDS} s all the same`;
    },
  },
];

const losingTunnel = new Tunnel();

export const pushParts: readonly Part[] = [
  { steps: coming, end: async () => tunnel.close() },
  {
    steps: losing,
    begin: async (stage) => switchOn(stage, losingTunnel),
    end: async () => losingTunnel.close(),
  },
];

/** Webhooks are registered behind the tunnel, and have proven that they arrive. */
async function switchOn(stage: Stage, way: Tunnel): Promise<void> {
  const port = await freePort();
  const publicUrl = await way.open(port);
  await control(stage.simulator.controlUrl, 'house/configure-webhooks', { allowHttpToLoopback: true });
  await stage.reconfigure({
    webhooks: { enabled: true, port, publicUrl },
    polling: { idleSeconds: POLL_SECONDS },
  });
  await stage.homebridge.line(/Webhooks are registered/, FOUND_WITHIN_MS);
  await stage.homebridge.line(/Webhooks arrive/, FOUND_WITHIN_MS);
  await settled(stage.lock(FRONT), 'locked');
}

/** A hand turns the front door, and the service reports it; resolves with the time that took, in milliseconds. */
async function reported(stage: Stage, to: 'locked' | 'unlocked'): Promise<number> {
  const lock = stage.lock(FRONT);
  stage.home.forgetEvents();
  const startedAt = performance.now();
  await turn(lock, to);
  const { at } = await lock.showed(to, REPORTED_WITHIN_MS);
  deepEqual(await lock.requested(), to, 'Target and state differ: Home would hang');
  agree(stage, lock, to);
  return Math.round(at - startedAt);
}

/** The next delivery meets this. */
async function goingWrong(stage: Stage, kind: 'drop' | 'double' | 'reorder'): Promise<void> {
  await control(stage.simulator.controlUrl, 'house/fail-deliveries', { kind, often: 'once' });
}

/** Home hears nothing of the front door, and shows it locked. */
async function changesNothing(stage: Stage, act: () => Promise<void>): Promise<void> {
  stage.home.forgetEvents();
  await act();
  await setTimeout(RECEIVED_AFTER_MS);
  // After a restart the position that Home shows already is sent once more, for controllers that do not read.
  const { SECURED } = Characteristic.LockCurrentState;
  deepEqual(
    received(stage).filter((value) => value !== SECURED),
    [],
    'Home heard of a change',
  );
  deepEqual(await stage.lock(FRONT).shown(), 'locked');
}

/** The states of the front door's bolt that Home got. */
function received(stage: Stage): readonly unknown[] {
  const { current } = stage.lock(FRONT);
  return stage.home.events
    .filter(
      ({ accessory, characteristic }) =>
        accessory === FRONT && characteristic === current.characteristic.UUID,
    )
    .map(({ value }) => value);
}

/** Events that never happened, made from a genuine one. */
function forged(genuine: Passed): readonly Passed[] {
  const envelope = JSON.parse(genuine.body.toString()) as { readonly data: object };
  const body = Buffer.from(
    JSON.stringify({
      ...envelope,
      eventId: randomUUID(),
      time: new Date().toISOString(),
      data: { ...envelope.data, lockState: 'Unlocked' },
    }),
  );
  const { 'webhook-signature': _signature, ...unsigned } = genuine.headers;
  const signedAs = (signature: string): Passed => ({
    ...genuine,
    body,
    headers: { ...unsigned, 'webhook-signature': signature },
  });
  const method = { scheme: 'pss-sha256', jwsAlgorithm: 'PS256' } as const;
  return [
    { ...genuine, body },
    { ...genuine, body, headers: unsigned },
    signedAs(signBody(body, method, generateSigningKeyPair().privateKey)),
    signedAs(`${Buffer.from('{"alg":"none"}').toString('base64url')}..`),
  ];
}
