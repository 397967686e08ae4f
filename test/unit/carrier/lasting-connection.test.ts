// When a connection to a broker is opened again: soon where another node waits, ever later while none answers. And how it is closed.
import { expect, it } from 'vitest';
import { type BrokerFault, faultOfFailure, lasting } from '../../../src/carrier/connection-faults.ts';
import {
  LastingConnection,
  type LastingParts,
  type OpenConnection,
} from '../../../src/carrier/lasting-connection.ts';
import { verbatim } from '../../../src/domain/language/message.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

/** The times between attempts that all fail, in milliseconds. */
async function pauses(
  count: number,
  changes: Partial<LastingParts<OpenConnection>> = {},
): Promise<readonly number[]> {
  const clock = new ManualClock();
  const attempts: number[] = [];
  const lastingConnection = new LastingConnection<OpenConnection>({
    open: async () => {
      attempts.push(clock.monotonic());
      return Promise.reject(new Error('Nobody is there.'));
    },
    faultOf: faultOfFailure,
    clock,
    random: () => 0,
    log: silentLog,
    ...changes,
  });
  while (attempts.length <= count) {
    await clock.advance(50);
  }
  await lastingConnection.close();
  return attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
}

it.each([
  ['a broker is tried after a second, and twice as late each time', {}, [1_000, 2_000, 4_000, 8_000]],
  ['another node is tried after a fifth of a second', { firstPauseMs: 200 }, [200, 400, 800, 1_600]],
  ['a pause is no longer than it may be', { longestPauseMs: 2_000 }, [1_000, 2_000, 2_000, 2_000]],
  ['pauses are shortened by up to half', { random: () => 1 }, [500, 1_000, 2_000, 4_000]],
  [
    'what a person has to change is tried once a minute',
    { firstPauseMs: 200, faultOf: () => lasting(verbatim('No.')) },
    [60_000, 60_000, 60_000, 60_000],
  ],
])('%s', async (_, changes, expected) => {
  expect(await pauses(4, changes)).toEqual(expected);
});

/** A connection to a broker that a test answers for. */
function brokered() {
  const opening = Promise.withResolvers<OpenConnection>();
  const ending = Promise.withResolvers<BrokerFault>();
  const connection = new LastingConnection<OpenConnection>({
    open: async () => opening.promise,
    faultOf: faultOfFailure,
    clock: new ManualClock(),
    random: () => 0,
    log: silentLog,
  });
  const states: string[] = [];
  connection.subscribeState(({ kind }) => states.push(kind));
  const open = (): void => {
    opening.resolve({
      ended: ending.promise,
      resumed: false,
      close: async () => ending.resolve(lasting(verbatim('Closed.'))),
    });
  };
  return { connection, states, open };
}

it('a connection that opens after closing has begun is closed as well, and never shown', async () => {
  const { connection, states, open } = brokered();
  await settlePromises();
  const closed = connection.close();
  open();
  await closed;
  expect(states).toEqual(['connecting', 'closed']);
});

it('a connection is given out until closing begins', async () => {
  const { connection, open } = brokered();
  open();
  await settlePromises();
  expect(connection.current).not.toBeNull();
  const closed = connection.close();
  expect(connection.current).toBeNull();
  await closed;
});
