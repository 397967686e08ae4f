// Moves of our own commands, which the service reports under the person of the link: shown as ours, and no others are.
import { expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import type { Accessor } from '../../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { homeWithFrontDoor, type PolledHome } from '../../../homes/polled-home.ts';
import { StandInFeed } from '../../../stand-ins/service/events.ts';

const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const GUEST: Accessor = { method: 'virtual-key', id: 'u-2', name: 'Guest' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

/** A home with a command to unlock that is two seconds under way; `reported`: who moved its bolt, after such an event. */
async function unlocking() {
  const home = await homeWithFrontDoor('secured');
  const feed = new StandInFeed();
  home.runtime.listenTo(feed);
  home.subject = 'u-1';
  home.service.travelMs = 5_000;
  await home.clock.advance(1_000);
  const reported = (bolt: BoltPosition, accessor: Accessor, at = home.clock.now()): Accessor | undefined => {
    feed.emit({ type: 'bolt', bolt, accessor }, { at });
    return home.lock().lastMove?.by;
  };
  await request(home, 'unsecured');
  return { home, feed, reported };
}

async function request(home: PolledHome, rest: BoltPosition): Promise<void> {
  await home.request(rest);
  await home.clock.advance(2_000);
}

it('a move by our own command is ours where the token names the person of the link, also reported after its end', async () => {
  const { reported } = await unlocking();
  expect(reported('unsecured', RESIDENT)).toEqual(OURS);
  const late = await unlocking();
  const at = late.home.clock.now() - 500;
  late.feed.emit(
    { type: 'command-ended', reading: { state: 'successful', commandId: commandId('0') } },
    { at: late.home.clock.now() },
  );
  await late.home.clock.advance(10_000);
  expect(late.reported('unsecured', RESIDENT, at)).toEqual({ ...OURS, id: null });
});

it('a move by another person while our command is under way is theirs, also after its end', async () => {
  const { home, reported } = await unlocking();
  expect(reported('unsecured', GUEST)).toEqual(GUEST);
  await home.clock.advance(10_000);
  expect(home.lock().lastMove?.by).toEqual(GUEST);
});

it('attribution follows the link: with another linked account, the moves of another person are ours', async () => {
  const { home, reported } = await unlocking();
  home.subject = 'u-2';
  expect(reported('unsecured', RESIDENT)).toEqual(RESIDENT);
  await home.clock.advance(10_000);
  await request(home, 'secured');
  expect(reported('secured', GUEST)).toEqual({ ...OURS, id: 'u-2' });
});
