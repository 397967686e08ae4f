// A process that really stands still (SIGSTOP) while a hand opens the door: whoever asked meanwhile is not told what was true before.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

/** Longer than a process may be silent before it counts as having stood still. */
const STOPPED_MS = 8_000;

/** Listings come so seldom that none of them can heal anything meanwhile. */
const POLL_SECONDS = 300;

let stage: OpenedStage;

beforeAll(async () => {
  const port = await freePort();
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    scenario: { settings: { webhooks: { allowHttpToLoopback: true } } },
    options: {
      webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${String(port)}` },
      polling: { idleSeconds: POLL_SECONDS },
    },
  });
  await stage.homebridge.line(/Webhooks arrive/, 60_000);
});

afterAll(async () => stage.leave());

it('reads that waited while the process stood still are answered after the event that waited with them (faults#145)', async () => {
  const lock = stage.lock('Front door');
  // A first try may have left it open.
  await lock.at('turn-thumbturn', { to: 'Locked' });
  await untilShown(lock, 'locked');
  const pid = stage.homebridge.pid ?? Number.NaN;
  process.kill(pid, 'SIGSTOP');
  let reads: Promise<string>[];
  try {
    // One is asked before the hand, as a page of Home does, and one after it.
    reads = [lock.shown()];
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    reads.push(lock.shown());
    await sleep(STOPPED_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await Promise.all(reads)).toEqual(['unlocked', 'unlocked']);
});
