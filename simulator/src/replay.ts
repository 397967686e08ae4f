// Replays a recording, at its own instants, and reports where answers differ.
import { request as httpRequest } from 'node:http';
import type { Clock } from '../../src/support/clock.ts';
import { commitNow } from '../../src/support/commit-scheduler.ts';
import { SUBSCRIPTION_PATHS } from './contract/names.ts';
import { type Simulator, startSimulator } from './partner-server.ts';
import { type Recording, readRecording } from './scenario/recording.ts';
import type { RecordedRequest } from './scenario/request-log.ts';

/** A request that was answered otherwise than when it was recorded. */
export interface ReplayDifference {
  readonly recorded: RecordedRequest;
  /** Null: no answer. */
  readonly status: number | null;
  readonly answer: string | null;
}

export interface ReplayReport {
  readonly replayed: number;
  /** Subscriptions are not asked for again: their handshake would call a foreign server. */
  readonly skipped: number;
  readonly differences: readonly ReplayDifference[];
}

/** Turns of the event loop that a call gets once it has come; one that takes longer is held up by a fault. */
const MOST_TURNS = 300;

/** After the last request, held answers get this long. */
const TIMEOUT_MS = 600_000;

/** A clock that stands still; the simulator moves its own ahead of it. */
const standingAt = (epochMs: number): Clock => ({
  commits: commitNow,
  now: () => epochMs,
  monotonic: () => 0,
  after: () => () => undefined,
});

/** Replays a recording in a simulator of its own. */
export async function replay(recording: Recording): Promise<ReplayReport> {
  const simulator = await startSimulator({
    clock: standingAt(Date.parse(recording.startedAt)),
    scenario: recording.scenario,
  });
  try {
    const repeatable = recording.requests.filter((request) => !reachesOut(request));
    const held = new Set<Promise<void>>();
    for (const request of repeatable) {
      await liveUntil(simulator, Date.parse(request.at), held);
      const before = simulator.requestsCome;
      const answered = send(simulator.url, request);
      held.add(answered);
      void answered.then(() => held.delete(answered));
      // However slow this machine is: else the next one may overtake it.
      while (simulator.requestsCome === before && held.has(answered)) {
        await turn();
      }
      await scheduleCommits(held);
    }
    await liveUntil(simulator, simulator.clock.now() + TIMEOUT_MS, held);
    return {
      replayed: repeatable.length,
      skipped: recording.requests.length - repeatable.length,
      differences: compare(repeatable, readRecording(simulator.recording(), 'The replay').requests),
    };
  } finally {
    await simulator.close();
  }
}

/** Moves the clock from timer to timer while calls are held up, so that each goes on at its own instant. */
async function liveUntil({ clock }: Simulator, epochMs: number, held: ReadonlySet<unknown>): Promise<void> {
  for (let next = clock.untilNextTimer(); held.size > 0 && next !== null; next = clock.untilNextTimer()) {
    if (clock.now() + next > epochMs) {
      break;
    }
    clock.advance(next);
    await scheduleCommits(held);
  }
  clock.advance(Math.max(epochMs - clock.now(), 0));
}

/** Resolves when the call has been answered or cut off. */
async function send(url: string, { method, url: path, headers, body }: RecordedRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    const call = httpRequest(new URL(url), { method, path, headers }, (answer) =>
      answer.resume().once('close', resolve),
    );
    call.once('error', () => resolve());
    call.end(body ?? undefined);
  });
}

/** Lets the event loop turn until no request is open, except those held by a fault. */
async function scheduleCommits(underWay: ReadonlySet<unknown>): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS && underWay.size > 0; turns += 1) {
    await turn();
  }
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

function compare(
  before: readonly RecordedRequest[],
  after: readonly RecordedRequest[],
): readonly ReplayDifference[] {
  return before.flatMap((recorded, index) => {
    const { status = null, answer = null } = after[index] ?? {};
    return status === recorded.status && answer === recorded.answer ? [] : [{ recorded, status, answer }];
  });
}

function reachesOut({ method, url }: RecordedRequest): boolean {
  return method === 'POST' && url.split('?', 1)[0]?.endsWith(SUBSCRIPTION_PATHS.subscriptions) === true;
}
