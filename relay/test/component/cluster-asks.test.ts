// A home that asks for its consumer without a pause is answered a few times, and keeps no relay from its neighbours.
import { describe, expect, it } from 'vitest';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { ask, intruder } from '../support/cluster-intruder.ts';
import { openClusterStage } from './cluster-stage.ts';

const ASKS = 5_000;
/** Five at once, and one more every two seconds. */
const burstAnd = (ms: number): number => 5 + Math.ceil(ms / 2_000);

describe.skipIf(!hasNats)('a home that asks for its consumer thousands of times', () => {
  it('is answered a few times, and its neighbour is answered at once (faults#103)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const [blue, green] = [await stage.enrol('blue'), await stage.enrol('green')];
    const [spy, neighbour] = [await intruder(blue), await intruder(green)];
    const { ask: subject, inbox } = seatSubjects(blue.enrolment.username);
    const answers = { count: 0 };
    spy.subscribe(`${inbox}.asks`, {
      callback: () => {
        answers.count += 1;
      },
    });
    const from = performance.now();
    for (let number = 0; number < ASKS; number += 1) {
      spy.publish(subject, '', { reply: `${inbox}.asks` });
    }
    await spy.flush();
    expect(await ask(neighbour, green)).toBe('ready');
    await expect.poll(() => answers.count).toBeGreaterThan(0);
    expect(await ask(neighbour, green)).toBe('ready');
    expect(answers.count).toBeLessThanOrEqual(burstAnd(performance.now() - from));
  });
});
