// What an operator asks of a cluster with the relay's file: its homes, what one missed, sending that again, and revoking.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { begin } from '../../../test/component/cli/terminal.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { MissedEvent, SeatedHome } from '../../src/cluster/home-list.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { ask, intruder } from '../support/cluster-intruder.ts';
import { type ClusterStage, openClusterStage } from './cluster-stage.ts';

/** `latchkey relay` with the configuration of that stage. */
function commandOf(
  { config }: ClusterStage,
  clock: Clock = systemClock,
): (...words: readonly string[]) => Promise<unknown> {
  const file = join(temporaryFolder(), 'relay.json');
  const { secrets, publicUrl, broker } = config;
  writeFileSync(file, JSON.stringify({ secrets, publicUrl, broker }));
  return async (command, ...words) => {
    const typed = ['relay', command ?? '', '--config', file, '--json', ...words];
    const { status, out, err } = await begin({ folder: '/nowhere' }, typed, clock).ended;
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const answer: unknown = JSON.parse(out);
    return answer;
  };
}

describe.skipIf(!hasNats)('an operator', () => {
  it('sees what waits for a home and what it missed, sends it again, and ends an enrolment', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const say = commandOf(stage);
    const blue = await stage.enrol('blue');
    const post = async (id: string): Promise<number> =>
      (await fetch(blue.url, { method: 'POST', body: '{}', headers: { 'webhook-signature': id } })).status;
    const connection = await intruder(blue);
    expect(await ask(connection, blue)).toBe('ready');
    await connection.close();
    const from = Date.now();
    expect(await post('1')).toBe(204);
    // So that a time between the two can be typed.
    const then = Date.now() + 10;
    await expect.poll(() => Date.now()).toBeGreaterThan(then);
    expect(await post('2')).toBe(204);
    expect(await say('homes')).toMatchObject([
      { home: 'blue', generation: 1, waiting: 2, lastSign: null, isAsking: false, isUnserved: false },
    ]);
    const missed = (await say('missed', '--home', 'blue')) as MissedEvent[];
    expect(missed).toMatchObject([{ position: 1 }, { position: 2 }]);
    const [first, second] = missed.map(({ at }) => Date.parse(at));
    // The node's clock has fractions.
    expect(first).toBeGreaterThanOrEqual(from - 1);
    expect(second).toBeGreaterThan(then - 1);
    expect(await say('homes')).toMatchObject([{ oldest: missed[0]?.at }]);

    const got: string[] = [];
    const home = await openHome(blue.enrolment, systemClock, async ({ properties }) => {
      got.push(properties['webhook-signature'] ?? '');
      return Promise.resolve();
    });
    onTestFinished(async () => home.close());
    await expect.poll(() => got).toEqual(['1', '2']);
    await expect.poll(async () => say('missed', '--home', 'blue')).toEqual([]);
    expect(await say('homes')).toMatchObject([{ waiting: 0, oldest: null, isAsking: true }]);
    const [{ lastSign }] = (await say('homes')) as [SeatedHome];
    expect(Date.parse(lastSign ?? '')).toBeGreaterThan(then);
    await say('send-again', '--home', 'blue');
    await expect.poll(() => got, { timeout: 20_000 }).toEqual(['1', '2', '1', '2']);
    await say('send-again', '--home', 'blue', '--since', new Date(then).toISOString());
    await expect.poll(() => got, { timeout: 20_000 }).toEqual(['1', '2', '1', '2', '2']);

    await say('revoke', '--home', 'blue');
    await expect.poll(async () => post('3')).toBe(410);
  }, 60_000);
});
