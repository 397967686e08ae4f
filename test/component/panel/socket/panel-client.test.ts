// The panel's operations as another process calls them: with the timeout that each of them needs.
import { expect, it, onTestFinished } from 'vitest';
import { PANEL_FORM } from '../../../../src/panel/operations/panel-api.ts';
import { PanelClient } from '../../../../src/panel/socket/panel-client.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { held, owner, rejection } from './ends.ts';

/** A client of an owner whose moves and listings end on request of the test. */
async function asking() {
  const move = held();
  const locks = held();
  const { path } = await owner({
    status: async () => ({ form: PANEL_FORM }),
    move: move.operation,
    locks: locks.operation,
  });
  const clock = new ManualClock();
  const client = await PanelClient.connect({ path, clock, log: silentLog });
  onTestFinished(() => client.close());
  return { client, clock, move, locks };
}

it('a client waits for a move until the command before it has ended and its own was answered', async () => {
  const { client, clock, move } = await asking();
  const answer = client.call('move', { lock: 'front', to: 'secured' });
  await move.started;
  await clock.advance(65_000 + 10_000 + 32_000);
  move.end({ kind: 'accepted' });
  expect(await answer).toEqual({ kind: 'accepted' });
});

it('a client waits a minute for any other operation', async () => {
  const { client, clock, locks } = await asking();
  const answer = rejection(client.call('locks'));
  await locks.started;
  await clock.advance(60_000);
  expect(await answer).toMatchObject({
    disposition: 'retry',
    message: 'The owner of the account did not answer within 60000 ms.',
  });
  locks.end([]);
});

it.each([
  ['move', 'uncertain'],
  ['locks', 'retry'],
] as const)('a client that hangs up in the middle of %s is told: %s', async (operation, disposition) => {
  const { client, move, locks } = await asking();
  const answer = rejection(client.call(operation, {}));
  await (operation === 'move' ? move : locks).started;
  await client.close();
  expect(await answer).toMatchObject({ disposition });
});

it('a client stops waiting for the first answer of an owner when its caller gives up', async () => {
  const first = held();
  const { path } = await owner({ status: first.operation });
  const stopping = new AbortController();
  const parts = { path, clock: new ManualClock(), log: silentLog, signal: stopping.signal };
  const connecting = rejection(PanelClient.connect(parts));
  await first.started;
  stopping.abort();
  expect(await connecting).toMatchObject({ disposition: 'uncertain' });
  expect(await rejection(PanelClient.connect(parts))).toMatchObject({ code: 'aborted' });
});
