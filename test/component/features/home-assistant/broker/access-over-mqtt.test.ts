// Access codes and guests at a real broker: lists without digits, commands, and how they end.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import { type LockId, lockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import type { BrokeredGuests } from '../../../../../src/features/home-assistant/broker/access-over-mqtt.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { describedAs, FRONT } from '../../../../stand-ins/account/runtime.ts';
import { BASE, type BrokerHome, brokerHome, DEFAULTS } from './fixture.ts';

const CODES = `${BASE}/front-1/codes`;
const GUESTS = `${BASE}/account/guests`;
const ANNA = { name: 'Anna', code: '2468' };

type GuestView = ReturnType<BrokeredGuests['list']>[number];

/** The guests of an account without a cloud. */
class ListedGuests {
  guests: GuestView[] = [];

  list: BrokeredGuests['list'] = () => this.guests;

  add: BrokeredGuests['add'] = ({ name, pin, schedule }, locks) => {
    const id = `guest-${String(this.guests.length + 1)}`;
    const guest = {
      id,
      name,
      schedule,
      locks,
      pinLength: pin.length,
      isLeaving: false,
      isProposed: false,
      revision: 1,
    };
    const view: GuestView = { ...guest, nameOnLock: 'Guest', onLocks: [], stay: null, timeZone: 'UTC' };
    this.guests.push(view);
    return { kind: 'saved', guest: view };
  };

  remove: BrokeredGuests['remove'] = (id) => {
    this.guests = this.guests.filter((guest) => guest.id !== id);
  };
}

async function openHome(parts: Parameters<BrokerHome['open']>[0] = {}) {
  const home = await brokerHome();
  const guests = new ListedGuests();
  const locks = home.open({ guests, ...parts });
  await expect.poll(() => home.ha.shows('Front door', 'lock')).toBe('locked');
  const events = (topic: string): readonly Record<string, unknown>[] =>
    home.ha.seen.flatMap((message) =>
      message.topic === `${topic}/event` ? [JSON.parse(message.text) as Record<string, unknown>] : [],
    );
  /** Resolves when that is what was published last. */
  const hears = async (topic: string, event: object): Promise<void> => {
    await expect.poll(() => events(topic).at(-1)).toMatchObject(event);
  };
  let last = Date.now();
  const send = async (topic: string, command: object): Promise<void> => {
    last = Math.max(Date.now(), last + 1);
    await home.ha.publish(`${topic}/set`, JSON.stringify({ at: last, ...command }));
  };
  return { home, guests, locks, events, hears, send };
}

describe.runIf(hasMosquitto)('access codes over MQTT', () => {
  it('are added, listed and removed, with the end of each, and without their digits', async () => {
    const { home, events, hears, send } = await openHome();
    await send(CODES, { action: 'add', ...ANNA });
    await expect.poll(() => events(CODES)).toEqual([{ event_type: 'started', action: 'add', name: 'Anna' }]);
    home.runtime.codes.end('done');
    await hears(CODES, { event_type: 'added', name: 'Anna' });
    await send(CODES, { action: 'list' });
    const anna = { id: 'code-1', name: 'Anna', schedule: { kind: 'always' }, read_only: false };
    await hears(CODES, { event_type: 'listed', codes: [anna] });
    await send(CODES, { action: 'remove', id: 'code-1' });
    await hears(CODES, { event_type: 'started', action: 'remove' });
    home.runtime.codes.end('failed');
    await hears(CODES, { event_type: 'failed', action: 'remove' });
    const ours = home.ha.seen.filter(({ topic }) => !topic.endsWith('/set'));
    expect(JSON.stringify([ours, home.lines])).not.toContain('2468');
    expect(home.ha.seen.filter(({ topic, retained }) => topic.startsWith(CODES) && retained)).toEqual([]);
  });

  it('of a lock that is hidden are in no event and no list of guests', async () => {
    const back = lockId('back-1');
    const { home, guests, events, hears, send } = await openHome({
      optionsFor: (id) => ({ ...DEFAULTS, hidden: id === back }),
    });
    home.runtime.add(unknownLock(back, describedAs('Back door')));
    const schedule = { kind: 'always' } as const;
    for (const [name, locks] of [
      ['Anna', [FRONT, back]],
      ['Bob', [back]],
      ['Carla', 'all'],
    ] as const) {
      guests.add({ name, pin: '2468', schedule }, locks);
    }
    const on = (id: LockId): GuestView['onLocks'][number] => ({
      lockId: id,
      lockName: id,
      codeId: null,
      isLeaving: false,
      standing: { kind: 'up-to-date' },
      mayRetry: false,
      revision: 1,
    });
    guests.guests = guests.guests.map((guest) => ({ ...guest, onLocks: [on(back), on(FRONT)] }));
    guests.guests[1] = { ...(guests.guests[1] ?? expect.fail('no guest')), onLocks: [on(back)] };
    await send(GUESTS, { action: 'list' });
    const on_locks = [{ lock: FRONT, standing: 'up-to-date' }];
    await hears(GUESTS, {
      guests: [
        { name: 'Anna', locks: [FRONT], on_locks },
        { name: 'Carla', locks: 'all', on_locks },
      ],
    });
    home.runtime.codesChanged(back);
    home.runtime.codesChanged(FRONT);
    await hears(CODES, { event_type: 'changed' });
    expect(events(`${BASE}/back-1/codes`)).toEqual([]);
  });

  it('are an entity of events in Home Assistant, by the published rules', async () => {
    const { home } = await openHome();
    const [device] = home.ha.lockDevices().values();
    expect(device?.components['codes']).toMatchObject({ platform: 'event', state_topic: `${CODES}/event` });
  });

  it('are refused in words: a wrong value, a repeated command, a lock that may not be unlocked', async () => {
    const { home, hears } = await openHome();
    const at = Date.now();
    const send = async (command: object): Promise<void> =>
      home.ha.publish(`${CODES}/set`, JSON.stringify({ action: 'add', ...ANNA, ...command }));
    await send({ at, code: '12' });
    await hears(CODES, { event_type: 'refused', reason: 'code-length-out-of-range' });
    await send({ at });
    await hears(CODES, { reason: 'not-newer' });
    home.configure({ ...DEFAULTS, commands: 'lockOnly' });
    await send({ at: at + 1 });
    await hears(CODES, { reason: 'unlock-off' });
    expect(home.runtime.codes.operations()).toEqual([]);
  });

  it('are refused with what a command on a code needs, and not with what an unlock does', async () => {
    const { home, hears, send } = await openHome({ remotePin: '1357' });
    await send(CODES, { action: 'add', ...ANNA });
    await hears(CODES, { words: 'Adding or removing a code needs the PIN: "pin": "<PIN>".' });
    await home.ha.publish(`${CODES}/set`, JSON.stringify({ action: 'add', ...ANNA }));
    const time = 'Adding or removing a code needs the time at which it was asked: "at": <time>.';
    await hears(CODES, { reason: 'no-time', words: time });
    await send(GUESTS, { action: 'add', ...ANNA, code: 2468 });
    await hears(GUESTS, { words: 'The command was not understood. Send it as docs/operate/mqtt.md shows.' });
    expect(home.lines.join()).not.toContain('"action": "unlock"');
  });

  it('need the PIN where one is set', async () => {
    const { home, hears, send } = await openHome({ remotePin: '1357' });
    await send(CODES, { action: 'add', ...ANNA });
    await hears(CODES, { reason: 'no-pin' });
    await send(CODES, { action: 'add', ...ANNA, pin: '1357' });
    await expect.poll(() => home.runtime.codes.operations().length).toBe(1);
  });

  it('are not there unless the option is on', async () => {
    const { home, send } = await openHome({ guests: null });
    home.runtime.codes.codes = [
      { id: accessCodeId('code-9'), name: 'Ben', pin: '9999', schedule: { kind: 'always' }, readOnly: false },
    ];
    await send(CODES, { action: 'list' });
    await send(CODES, { action: 'add', ...ANNA });
    await home.ha.publish(`${BASE}/front-1/set`, 'lock');
    await expect.poll(() => home.runtime.requests.length).toBe(1);
    expect(home.runtime.codes.operations()).toEqual([]);
    expect(home.ha.seen.filter(({ topic }) => topic === `${CODES}/event`)).toEqual([]);
  });
});

describe.runIf(hasMosquitto)('guests over MQTT', () => {
  it('are added to the locks that are named, listed without digits, and removed', async () => {
    const { home, guests, events, hears, send } = await openHome();
    await send(GUESTS, { action: 'add', ...ANNA, locks: ['front-1'] });
    await expect
      .poll(() => events(GUESTS))
      .toEqual([
        { event_type: 'started', action: 'add', id: 'guest-1', name: 'Anna', name_on_lock: 'Guest' },
      ]);
    expect(guests.guests).toMatchObject([{ name: 'Anna', locks: ['front-1'] }]);
    await send(GUESTS, { action: 'list' });
    await hears(GUESTS, {
      event_type: 'listed',
      guests: [{ id: 'guest-1', name: 'Anna', name_on_lock: 'Guest', is_leaving: false }],
    });
    await send(GUESTS, { action: 'remove', id: 'guest-1' });
    await expect.poll(() => guests.guests).toEqual([]);
    const ours = home.ha.seen.filter(({ topic }) => !topic.endsWith('/set'));
    expect(JSON.stringify([ours, home.lines])).not.toContain('2468');
  });

  it('are refused for all locks while one of them may not be unlocked', async () => {
    const { home, guests, hears, send } = await openHome();
    home.configure({ ...DEFAULTS, commands: 'lockOnly' });
    await send(GUESTS, { action: 'add', ...ANNA });
    await hears(GUESTS, { reason: 'unlock-off' });
    expect(guests.guests).toEqual([]);
  });
});
