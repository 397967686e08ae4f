// The panel's operations as another process calls them: with the patience that each of them needs.
import { expect, it, onTestFinished } from 'vitest';
import { PANEL_FORM } from '../../../src/panel/panel-api.ts';
import { PanelClient } from '../../../src/panel/panel-client.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { held, owner, rejection } from './local-socket-ends.ts';

/** A client of an owner whose moves and listings end when the test says so. */
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

it('waits for a move until the command before it has ended and its own was answered', async () => {
  const { client, clock, move } = await asking();
  const answer = client.call('move', { lock: 'front', to: 'secured' });
  await move.started;
  await clock.advance(65_000 + 10_000 + 32_000);
  move.end({ kind: 'accepted' });
  expect(await answer).toEqual({ kind: 'accepted' });
});

it('waits a minute for anything else', async () => {
  const { client, clock, locks } = await asking();
  const answer = rejection(client.call('locks'));
  await locks.started;
  await clock.advance(60_000);
  expect(await answer).toMatchObject({ disposition: 'uncertain' });
  locks.end([]);
});
