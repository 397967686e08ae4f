// A home that asks for its consumer: without a pause it is answered a few times, and without a quorum it is told to wait.
import { describe, expect, it } from 'vitest';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats, type NatsCluster, type NatsNode } from '../harness/nats-cluster.ts';
import { ask, intruder } from '../support/cluster-intruder.ts';
import { openClusterStage } from './cluster-stage.ts';

/** Not yet so many that it is shut out. */
const ASKS = 40;
/** A few times what is let pass, and a tenth of what was, once. */
const WITHOUT_END = 100;
const TEN_MINUTES_MS = 600_000;
const ANSWERED_WITHIN_MS = 8_000;
/** Five at once, and one more every two seconds. */
const burstAnd = (ms: number): number => 5 + Math.ceil(ms / 2_000);

describe.skipIf(!hasNats)('a home that asks for its consumer again and again', () => {
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

  it('is shut out when it goes on, alone and for ten minutes, also after a relay was restarted (faults#103)', async () => {
    const clock = new ManualClock();
    const stage = await openClusterStage(temporaryFolder(), 1, { clock });
    const [blue, green] = [await stage.enrol('blue'), await stage.enrol('green')];
    const neighbour = await intruder(green);
    const shutOut = async (): Promise<void> => {
      const connection = await intruder(blue);
      const { ask: subject, inbox } = seatSubjects(blue.enrolment.username);
      for (let number = 0; number < WITHOUT_END; number += 1) {
        connection.publish(subject, '', { reply: `${inbox}.asks` });
      }
      await expect.poll(() => connection.isClosed()).toBe(true);
      await expect(intruder(blue)).rejects.toThrow(/authorization/iu);
    };
    const isAccepted = async (): Promise<boolean> =>
      intruder(blue).then(
        () => true,
        () => false,
      );
    await shutOut();
    expect(stage.lines.filter((line) => line.includes('asks for its consumer without end'))).toHaveLength(1);
    expect(await ask(neighbour, green)).toBe('ready');
    await clock.advance(TEN_MINUTES_MS);
    await expect
      .poll(async () => {
        // One look after the other.
        await clock.advance(5_000);
        return isAccepted();
      })
      .toBe(true);
    await shutOut();
    await stage.stopRelays();
    await stage.startRelay();
    await expect.poll(isAccepted).toBe(true);
    expect(neighbour.isClosed()).toBe(false);
  });
});

/** The node at which the relay answers homes; its login that ends others may be at another one for a moment. */
async function nodeOfRelay({ nodes }: NatsCluster): Promise<NatsNode | undefined> {
  for (const node of nodes) {
    const answer = await fetch(`http://${node.host}:${String(node.watchPort)}/connz?subs=true`);
    if ((await answer.text()).includes('"ask.*"')) {
      return node;
    }
  }
  return undefined;
}

describe.skipIf(!hasNats)('a home that asks for its consumer while the nodes have no quorum', () => {
  it('is told to wait before it takes its connection for broken (faults#176)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3);
    // A node reports a subscription a moment after it has it.
    const name = async (): Promise<string | undefined> => (await nodeOfRelay(stage.cluster))?.name;
    await expect.poll(name).toBeDefined();
    const ofRelay = await name();
    for (const node of stage.cluster.nodes.filter((one) => one.name !== ofRelay)) {
      await node.kill();
    }
    const blue = await stage.enrol('blue');
    const connection = await intruder(blue);
    // After four seconds on a quiet machine; the relay itself goes on for longer than this.
    expect(await ask(connection, blue, ANSWERED_WITHIN_MS)).toBe('later');
  });
});
