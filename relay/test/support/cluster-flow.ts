// Numbered events from a service through a relay and a cluster of three nodes to one home.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { type ClusterHome, type ClusterStage, openClusterStage } from '../component/cluster-stage.ts';
import { openHome } from './cluster-home.ts';

const PAUSE_MS = 20;

export interface Flow {
  readonly stage: ClusterStage;
  readonly blue: ClusterHome;
  /** When the home received each event, by its number. */
  readonly received: ReadonlyMap<number, number>;
  /** Resolves with the status of the answer. */
  send(number: number): Promise<number>;
}

/** Events over a cluster of three; the first has arrived when it resolves. Open until the test ends. */
export async function openFlow(
  folder: string,
  options: Parameters<typeof openClusterStage>[2] = {},
): Promise<Flow> {
  const stage = await openClusterStage(folder, 3, options);
  const blue = await stage.enrol('blue');
  const received = new Map<number, number>();
  const home = await openHome(blue.enrolment, options.clock ?? systemClock, async ({ properties }) => {
    const number = Number(properties['webhook-signature']);
    received.set(number, received.get(number) ?? performance.now());
    return Promise.resolve();
  });
  onTestFinished(async () => home.close());
  const send = async (number: number): Promise<number> => {
    const { status } = await fetch(blue.url, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-signature': String(number) },
    });
    return status;
  };
  await expect.poll(async () => send(0)).toBe(204);
  await expect.poll(() => received.has(0)).toBe(true);
  return { stage, blue, received, send };
}

export interface Acknowledged {
  readonly number: number;
  /** When it was sent. */
  readonly at: number;
}

let lastNumber = 100;

/** Sends one after the other until `done`, as the service does; resolves with those that were acknowledged. */
export async function sendUntil(flow: Flow, done: Promise<unknown>): Promise<Acknowledged[]> {
  const progress = { isDone: false };
  const ended = done.finally(() => {
    progress.isDone = true;
  });
  const taken: Acknowledged[] = [];
  while (!progress.isDone) {
    lastNumber += 1;
    const [number, at] = [lastNumber, performance.now()];
    if ((await flow.send(number)) === 204) {
      taken.push({ number, at });
    }
    await sleep(PAUSE_MS);
  }
  await ended;
  return taken;
}

/** Of those that were acknowledged. */
export function missing({ received }: Flow, taken: readonly Acknowledged[]): readonly number[] {
  return taken.map(({ number }) => number).filter((number) => !received.has(number));
}
