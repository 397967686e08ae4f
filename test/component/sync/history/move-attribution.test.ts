// Moves of our own commands, which the service reports under the person of the link: shown as ours, and no others are.
import { beforeEach, describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import type { Accessor } from '../../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import type { TrustedEvent } from '../../../../src/domain/webhooks/ports.ts';
import type { ServiceReport } from '../../../../src/domain/webhooks/service-event.ts';
import { homeWithFrontDoor, type PolledHome } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const GUEST: Accessor = { method: 'virtual-key', id: 'u-2', name: 'Guest' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

let home: PolledHome;
let emit: (message: ServiceReport, at?: number) => void;
let sent = 0;

beforeEach(async () => {
  home = await homeWithFrontDoor('secured');
  sent = 0;
  let count = 0;
  let listener: (message: TrustedEvent) => void = () => {};
  home.runtime.listenTo({
    subscribe: (received) => {
      listener = received;
      return () => {};
    },
  });
  emit = (message, at = home.clock.now()) => {
    count += 1;
    listener({ event: { eventId: `e-${count}`, lockId: FRONT_DOOR, at, ...message }, trust: 'verified' });
  };
  home.service.travelMs = 5_000;
  await home.clock.advance(1_000);
});

const move = (bolt: BoltPosition, accessor: Accessor): ServiceReport => ({ type: 'bolt', bolt, accessor });
const end = (): ServiceReport => ({
  type: 'command-ended',
  reading: { state: 'successful', commandId: commandId(String(sent - 1)) },
});

/** A command of ours, two seconds under way. */
async function command(rest: BoltPosition): Promise<void> {
  sent += 1;
  await home.request(rest);
  await home.clock.advance(2_000);
}

function mover(): Accessor | undefined {
  return home.lock().lastMove?.by;
}

describe('a move by our own command', () => {
  it('is ours where the token names the person of the link', async () => {
    home.subject = 'u-1';
    await command('unsecured');
    emit(move('unsecured', RESIDENT));
    expect(mover()).toEqual(OURS);
  });

  it('is ours also where it is reported after the end of the command', async () => {
    home.subject = 'u-1';
    await command('unsecured');
    const at = home.clock.now() - 500;
    emit(end());
    await home.clock.advance(10_000);
    emit(move('unsecured', RESIDENT), at);
    expect(mover()).toEqual(OURS);
  });
});

describe('a move by another person', () => {
  it.each<Accessor>([
    GUEST,
    { method: 'access-code', id: 'a-7', name: 'Dog walker' },
    { method: 'access-code', id: 'u-1', name: 'Resident' },
    { method: 'thumbturn', id: null, name: null },
    { method: 'virtual-key', id: null, name: null },
  ])('to the same position while our command is under way is not ours: %o', async (accessor) => {
    home.subject = 'u-1';
    await command('unsecured');
    emit(move('unsecured', accessor));
    expect(mover()).toEqual(accessor);
    await home.clock.advance(3_000);
    emit(end());
    expect(mover()).toEqual(accessor);
  });

  it.each([
    ['without a command of ours', 'secured' as const],
    ['the other way than our command', 'unsecured' as const],
  ])('or by the person of the link, %s, is not ours', async (title, to) => {
    home.subject = 'u-1';
    if (title.startsWith('the other')) {
      emit(move('unsecured', GUEST));
      await command('secured');
    }
    emit(move(to, RESIDENT));
    expect(mover()).toEqual(RESIDENT);
  });
});

it('attribution follows the link: with another linked account, the moves of another person are ours', async () => {
  home.subject = 'u-1';
  await command('unsecured');
  home.subject = 'u-2';
  emit(move('unsecured', RESIDENT));
  expect(mover()).toEqual(RESIDENT);
  await home.clock.advance(10_000);
  await command('secured');
  emit(move('secured', GUEST));
  expect(mover()).toEqual({ ...OURS, id: 'u-2' });
});
