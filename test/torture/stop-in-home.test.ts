// Homebridge is stopped while the token is being renewed, by a service that lets each refresh token be spent once.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type OpenedStage, openStage, untilShown } from '../e2e/stage.ts';

/** A request from the plugin's page has reached the service by then. */
const BEGUN_AFTER_MS = 1_000;
/** Homebridge ends itself and its child bridges this long after SIGTERM, whatever plugins still do. */
const ENDS_WITHIN_MS = 5_000;
const SLOW_MACHINE_MS = 1_500;

/** Linked, and a renewal is answered so long after Homebridge is asked to end. Tells how long that took. */
async function stopped(
  onChildBridge: boolean,
  answeredAfterMs: number,
): Promise<{ stage: OpenedStage; tookMs: number }> {
  const stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, onChildBridge });
  onTestFinished(async () => stage.leave());
  await untilShown(stage.lock('Front door'), 'locked');
  await stage.fault({
    kind: 'latency',
    delayMs: BEGUN_AFTER_MS + answeredAfterMs,
    when: 'after-work',
    path: '/**/token',
    often: 'once',
  });
  await refuseToken(stage);
  stage.refresh().catch(() => undefined);
  await sleep(BEGUN_AFTER_MS);
  const from = performance.now();
  await stage.homebridge.stop();
  const tookMs = performance.now() - from;
  // The next process needs a token that works: one that was not stored would end the link.
  await refuseToken(stage);
  await stage.restartHomebridge();
  return { stage, tookMs };
}

/** The next listing finds the access token ended. */
async function refuseToken(stage: OpenedStage): Promise<void> {
  await stage.fault({ kind: 'status', status: 401, method: 'GET', path: '**/devices', often: 'once' });
}

async function renewals(stage: OpenedStage): Promise<number> {
  const requests = await stage.requests();
  return requests.filter(({ body }) => body?.includes('grant_type=refresh_token')).length;
}

describe('Homebridge, stopped during a renewal (faults#19, faults#111)', () => {
  it.each([
    ['the main bridge', false],
    ['a child bridge', true],
  ])('on %s waits for an answer after 4 s, and the link is kept', async (_, onChildBridge) => {
    const { stage, tookMs } = await stopped(onChildBridge, 4_000);
    expect(tookMs).toBeLessThan(ENDS_WITHIN_MS + SLOW_MACHINE_MS);
    await untilShown(stage.lock('Front door'), 'locked');
    expect(await renewals(stage)).toBe(2);
  });

  it('knows after the start of one whose answer came too late, tries its token once, and says what happened', async () => {
    const { stage, tookMs } = await stopped(false, 6_000);
    expect(tookMs).toBeLessThan(ENDS_WITHIN_MS + SLOW_MACHINE_MS);
    await stage.homebridge.line(/the plugin was stopped while it was being renewed\. Connect/u, 30_000);
    expect(await renewals(stage)).toBe(2);
  });
});
