// Moves of our own commands, told by the service as those of the person of the link: told here as ours, and nobody else's.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Accessor } from '../../../src/domain/access.ts';
import type { BoltPosition } from '../../../src/domain/bolt.ts';
import { commandId } from '../../../src/domain/command.ts';
import type { TrustedEvent } from '../../../src/domain/ports.ts';
import type { ServiceReport } from '../../../src/domain/service-event.ts';
import { type Home, homeWithFrontDoor } from './home.ts';
import { FRONT_DOOR } from './pretend-service.ts';

const RESIDENT: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
const GUEST: Accessor = { method: 'virtual-key', id: 'u-2', name: 'Guest' };
const OURS: Accessor = { method: 'own-command', id: 'u-1', name: null };

let home: Home;
let emit: (news: ServiceReport, at?: number) => void;
let sent = 0;

beforeEach(async () => {
  home = await homeWithFrontDoor('secured');
  sent = 0;
  let count = 0;
  let listener: (news: TrustedEvent) => void = () => {};
  home.runtime.listenTo({
    subscribe: (heard) => {
      listener = heard;
      return () => {};
    },
  });
  emit = (news, at = home.clock.now()) => {
    count += 1;
    listener({ event: { eventId: `e-${count}`, lockId: FRONT_DOOR, at, ...news }, trust: 'verified' });
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

/** A command of ours during which that person is told to have moved the bolt, and which ends at that moment. */
async function commandNaming(person: Accessor, rest: BoltPosition): Promise<void> {
  await command(rest);
  emit(move(rest, person));
  emit(end());
  // The service's own bolt arrives later than it was told to.
  await home.clock.advance(10_000);
}

describe('a move of our own command', () => {
  it('is told as ours once two in a row have shown whom the service names for them', async () => {
    await commandNaming(RESIDENT, 'unsecured');
    expect(mover()).toEqual(RESIDENT);
    await commandNaming(RESIDENT, 'secured');
    expect(mover()).toEqual(RESIDENT);
    await command('unsecured');
    emit(move('unsecured', RESIDENT));
    expect(mover()).toEqual(OURS);
  });

  it('shows it also where the end of the command is told first, and once for each command', async () => {
    await command('unsecured');
    const at = home.clock.now();
    emit(end(), at);
    await home.clock.advance(500);
    emit(move('unsecured', RESIDENT), at);
    emit(move('unsecured', RESIDENT), at);
    expect(home.person.shown).toEqual({ known: null, latest: 'u-1' });
  });

  it('shows it also where it is told as ours already, so that others who come between now and then change nothing', async () => {
    home.person.know('u-1');
    await commandNaming(GUEST, 'unsecured');
    await commandNaming(RESIDENT, 'secured');
    await commandNaming(GUEST, 'unsecured');
    expect([mover(), home.person.shown.known]).toEqual([GUEST, 'u-1']);
  });

  it('is ours at once where it is known who the service names', async () => {
    home.person.know('u-1');
    await command('unsecured');
    emit(move('unsecured', RESIDENT));
    expect(mover()).toEqual(OURS);
  });

  it('is ours also where it is told after the end of the command', async () => {
    home.person.know('u-1');
    await command('unsecured');
    const at = home.clock.now() - 500;
    emit(end());
    await home.clock.advance(10_000);
    emit(move('unsecured', RESIDENT), at);
    expect(mover()).toEqual(OURS);
  });
});

describe('a move of somebody else', () => {
  it.each<Accessor>([
    GUEST,
    { method: 'access-code', id: 'a-7', name: 'Dog walker' },
    { method: 'access-code', id: 'u-1', name: 'Resident' },
    { method: 'thumbturn', id: null, name: null },
    { method: 'virtual-key', id: null, name: null },
  ])('to the same place while our command is under way is theirs: %o', async (accessor) => {
    home.person.know('u-1');
    await command('unsecured');
    emit(move('unsecured', accessor));
    expect(mover()).toEqual(accessor);
    await home.clock.advance(3_000);
    emit(end());
    expect([mover(), home.person.shown.known]).toEqual([accessor, 'u-1']);
  });

  it.each([
    ['without a command of ours', 'secured' as const],
    ['the other way than our command', 'unsecured' as const],
  ])('of the person of the link, %s, is theirs', async (title, to) => {
    home.person.know('u-1');
    if (title.startsWith('the other')) {
      emit(move('unsecured', GUEST));
      await command('secured');
    }
    emit(move(to, RESIDENT));
    expect(mover()).toEqual(RESIDENT);
  });

  it('shows nothing where the end of our command is dated otherwise', async () => {
    await command('unsecured');
    emit(move('unsecured', GUEST));
    await home.clock.advance(300);
    emit(end());
    expect(home.person.shown.latest).toBeNull();
  });

  it('who turned the bolt where it was to go, and so ended our command, is theirs', async () => {
    await commandNaming(RESIDENT, 'unsecured');
    await commandNaming(GUEST, 'secured');
    await commandNaming(RESIDENT, 'unsecured');
    await commandNaming(GUEST, 'secured');
    expect([mover(), home.person.shown.known]).toEqual([GUEST, null]);
  });
});

it('who the service names is forgotten with the link: the next may be of another person', () => {
  home.person.know('u-1');
  home.link.set('other-process');
  expect(home.person.shown.known).toBe('u-1');
  home.link.set('unlinked');
  expect(home.person.shown.known).toBeNull();
});
