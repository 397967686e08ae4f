// The account that tests move by hand and the real one keep the same promises; what both must do stands here once.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { boltOf, type LockId, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import type { CodesView, RuntimeEvent, RuntimeView } from '../../../src/engine/account-runtime.ts';
import { isObject } from '../../../src/support/text/foreign-json.ts';
import { CodeHome, DOOR } from '../../homes/codes-home.ts';
import { PolledHome } from '../../homes/polled-home.ts';
import { StayAccount } from '../../homes/stay-account.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { StandInFeed } from '../service/events.ts';
import { linked } from './operations.ts';
import { describedAs, StandInRuntime } from './runtime.ts';
import { someStays, stayGuests } from './stays.ts';

const FRONT = lockId('front-door');

/** What happens to the account and at its door. */
interface World {
  readonly runtime: RuntimeView;
  /** A door that nothing was heard of before. */
  readonly appear: (id: LockId) => Promise<void> | void;
  readonly poll: (bolt: BoltPosition) => Promise<void> | void;
  readonly finish: (target: BoltPosition) => Promise<void> | void;
  readonly setLink: (state: 'linked' | 'revoked') => Promise<void> | void;
  readonly alert: () => Promise<void> | void;
  readonly remove: () => Promise<void> | void;
}

async function byHand(): Promise<World> {
  const runtime = new StandInRuntime();
  const poll = async (bolt: BoltPosition): Promise<void> => {
    runtime.report(FRONT, { source: 'poll', bolt, connected: true });
    return Promise.resolve();
  };
  return Promise.resolve({
    runtime,
    appear: (id) => {
      runtime.add(unknownLock(id, describedAs(id)));
    },
    poll,
    finish: async (target) => {
      await poll(target);
      runtime.endCommand(FRONT, target, { kind: 'moved' });
    },
    setLink: (state) => {
      runtime.setLink(state);
    },
    alert: () => {
      runtime.alert(FRONT, 'wrong-code');
    },
    remove: () => {
      runtime.remove(FRONT);
    },
  });
}

const HOUR_MS = 3_600_000;

async function overTheService(): Promise<World> {
  const home = new PolledHome();
  home.limits = { idleMs: 30_000, healthyMs: 60_000, evidenceMaxAgeMs: 100 * HOUR_MS };
  await home.restart();
  const feed = new StandInFeed();
  home.runtime.listenTo(feed);
  return {
    runtime: home.runtime,
    appear: async (id) => {
      home.service.add(id);
      await home.clock.advance(30_000);
    },
    poll: async (bolt) => {
      home.service.turn(bolt);
      await home.clock.advance(30_000);
    },
    finish: async () => home.clock.advance(10_000),
    setLink: (state) => {
      home.link.set(state);
    },
    alert: async () => {
      feed.emit({ type: 'wrong-code' }, { at: home.clock.now() });
      return settlePromises();
    },
    remove: async () => {
      home.service.add(lockId('another'));
      home.service.lock(FRONT).listed = false;
      await home.clock.advance(25 * HOUR_MS);
    },
  };
}

function heardBy({ runtime }: World): RuntimeEvent[] {
  const heard: RuntimeEvent[] = [];
  runtime.subscribe((event) => {
    heard.push(event);
  });
  return heard;
}

const typesOf = (events: readonly RuntimeEvent[]): readonly string[] => events.map(({ type }) => type);

describe.each([
  ['the stand-in of an account', byHand],
  ['the real account', overTheService],
] as const)('%s', (_name, open) => {
  it('tells of a lock that appears, and has it from then on', async () => {
    const world = await open();
    const heard = heardBy(world);
    await world.appear(FRONT);
    const [first] = heard;
    expect(first).toMatchObject({ type: 'lock-appeared', lock: { id: FRONT } });
    expect(world.runtime.locks().map(({ id }) => id)).toEqual([FRONT]);
    expect(world.runtime.lock(lockId('never-there'))).toBeUndefined();
  });

  it('tells of another position with the lock as it was and as it is, which it has already', async () => {
    const world = await open();
    await world.appear(FRONT);
    await world.poll('secured');
    const shown: unknown[] = [];
    world.runtime.subscribe((event) => {
      if (event.type === 'lock-changed' && boltOf(event.previous) !== boltOf(event.lock)) {
        shown.push([boltOf(event.previous), boltOf(event.lock), world.runtime.lock(FRONT) === event.lock]);
      }
    });
    await world.poll('unsecured');
    expect(shown).toEqual([['secured', 'unsecured', true]]);
  });

  it('says that a lock was seen again where it was, and no more than that', async () => {
    const world = await open();
    await world.appear(FRONT);
    await world.poll('secured');
    const heard = heardBy(world);
    const before = world.runtime.serviceNow() ?? Number.NaN;
    await world.poll('secured');
    expect(typesOf(heard)).toEqual(['locks-refreshed']);
    expect(world.runtime.serviceNow()).toBeGreaterThan(before);
  });

  it('has taken a request before the bolt moves, and tells how it ended', async () => {
    const world = await open();
    await world.appear(FRONT);
    await world.poll('secured');
    const heard = heardBy(world);
    const asked = world.runtime.request(FRONT, 'unsecured');
    await settlePromises();
    await world.finish('unsecured');
    expect(await asked).toEqual({ kind: 'accepted' });
    expect(heard.filter(({ type }) => type === 'command-ended')).toEqual([
      { type: 'command-ended', id: FRONT, target: 'unsecured', outcome: { kind: 'moved' } },
    ]);
    expect(world.runtime.locks().map(boltOf)).toEqual(['unsecured']);
  });

  it('tells of the link, of an alert and of a lock that is gone', async () => {
    const world = await open();
    await world.appear(FRONT);
    await world.poll('secured');
    const heard = heardBy(world);
    await world.alert();
    expect(heard).toMatchObject([{ type: 'alert', id: FRONT, alert: 'wrong-code' }]);
    await world.setLink('revoked');
    expect([world.runtime.linkState(), heard.at(-1)]).toEqual([
      'revoked',
      { type: 'link-changed', state: 'revoked' },
    ]);
    await world.setLink('linked');
    await world.remove();
    expect(heard.filter(({ type }) => type === 'lock-removed')).toMatchObject([{ id: FRONT }]);
    expect(world.runtime.lock(FRONT)).toBeUndefined();
  });

  it('shows a lock from the cache of Homebridge until the service lists it, and no known one twice', async () => {
    const { runtime } = await open();
    runtime.remember(FRONT, 'Front door');
    runtime.remember(FRONT, 'Other');
    expect(runtime.locks().map((lock) => [lock.description.name, boltOf(lock)])).toEqual([
      ['Front door', 'unknown'],
    ]);
  });

  it('asks first who wants to be asked first, and nobody who has left', async () => {
    const world = await open();
    const order: string[] = [];
    const leave = world.runtime.subscribe(() => order.push('leaving'));
    world.runtime.subscribe(() => order.push('late'));
    world.runtime.subscribe(() => order.push('first'), 'first');
    leave();
    await world.setLink('revoked');
    expect(order).toEqual(['first', 'late']);
  });
});

const DRAFT = { name: 'Cleaner', pin: '0417', schedule: { kind: 'always' } } as const;

interface Codes {
  readonly codes: CodesView;
  readonly heard: RuntimeEvent[];
  readonly finish: () => Promise<void>;
}

function codesByHand(): Codes {
  const runtime = new StandInRuntime();
  const heard: RuntimeEvent[] = [];
  runtime.subscribe((event) => {
    heard.push(event);
  });
  const finish = async (): Promise<void> => {
    runtime.codes.end('done');
    return Promise.resolve();
  };
  return { codes: runtime.codes, heard, finish };
}

function codesOverTheService(): Codes {
  const home = new CodeHome();
  const heard: RuntimeEvent[] = [];
  home.bus.subscribe((event) => {
    heard.push(event);
  });
  return { codes: home.codes, heard, finish: async () => home.clock.advance(5_000) };
}

describe.each([
  ['the codes of the stand-in', codesByHand],
  ['the codes of the real account', codesOverTheService],
] as const)('%s', (_name, open) => {
  it('are added when the lock has done it, and tell their digits only when asked', async () => {
    const { codes, heard, finish } = open();
    expect(await codes.add(DOOR, DRAFT)).toMatchObject({
      kind: 'started',
      operation: { kind: 'add', name: 'Cleaner', lockId: DOOR },
    });
    await finish();
    expect(codes.operations()).toMatchObject([{ phase: 'done', name: 'Cleaner', failure: null }]);
    expect(heard.at(-1)).toMatchObject({
      type: 'code-operation',
      operation: { phase: 'done' },
    });
    const list = await codes.list(DOOR);
    expect(list).toMatchObject({ codes: [{ name: 'Cleaner', pinLength: 4, readOnly: false }], strays: [] });
    expect(JSON.stringify([list, codes.operations(), heard])).not.toContain(DRAFT.pin);
    expect(await codes.reveal(DOOR, list.codes[0]?.id ?? accessCodeId('none'))).toBe(DRAFT.pin);
  });

  it('refuse digits twice, and are changed and removed by their id, which may be that of a stray', async () => {
    const { codes, finish } = open();
    await codes.add(DOOR, DRAFT);
    await finish();
    expect(await codes.add(DOOR, { ...DRAFT, name: 'Other' })).toMatchObject({ kind: 'invalid' });
    const stray = await codes.remove(DOOR, accessCodeId('none'));
    expect(stray).toMatchObject({ kind: 'started', operation: { kind: 'remove', name: null } });
    await finish();
    await expect(codes.reveal(DOOR, accessCodeId('none'))).rejects.toMatchObject({ code: 'not-found' });
    const id = (await codes.list(DOOR)).codes[0]?.id ?? accessCodeId('none');
    await codes.update(DOOR, id, { pin: '0815' });
    await finish();
    expect(await codes.reveal(DOOR, id)).toBe('0815');
    await codes.remove(DOOR, id);
    await finish();
    expect((await codes.list(DOOR)).codes).toEqual([]);
  });
});

/** Only a move that was found by a later reading has it. */
const MAY_BE_LEFT_OUT = 'readLater';

/** The form of a value: members and kinds of values, without what they are. Null and empty lists say nothing. */
function differencesOfForm(stand: unknown, real: unknown, path: string): readonly string[] {
  if (Array.isArray(stand) && Array.isArray(real)) {
    return differencesOfForm(stand.at(0), real.at(0), `${path}[0]`);
  }
  if (isEmpty(stand) || isEmpty(real)) {
    return [];
  }
  if (!isObject(stand) || !isObject(real)) {
    return typeof stand === typeof real ? [] : [`${path}: ${typeof stand}, really ${typeof real}`];
  }
  const names = new Set([...Object.keys(stand), ...Object.keys(real)]);
  return [...names]
    .filter((name) => name !== MAY_BE_LEFT_OUT)
    .flatMap((name) =>
      name in stand === name in real
        ? differencesOfForm(stand[name], real[name], `${path}.${name}`)
        : [`${path}.${name} is ${name in stand ? 'invented' : 'missing'}`],
    );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}

describe('the operations that the stand-in answers', () => {
  const stand = linked(3);
  stand.stays = someStays();
  stand.guests = [...stayGuests()];
  const inputs: Readonly<Record<string, object>> = {
    'history.page': { limit: 20 },
    'history.look': { limit: 20, weeksAgo: 0 },
    'history.export': { format: 'csv' },
    'locks.battery': { lock: 'front' },
  };
  /** These write, or wait for something; their answers are those of another operation. */
  const others = new Set(['partner.save', 'link.start', 'watch', 'checkup', 'refresh', 'guests.look']);

  it('are answered by the real account in the same form', async () => {
    const account = await StayAccount.open([{ arrival: 1, nights: 3 }]);
    const { home } = account;
    await account.addCalendar();
    await home.control('locks/Front%20door/turn-thumbturn');
    await home.clock.advance(60_000);
    const found: string[] = [];
    for (const name of [...stand.answers.keys()].filter((one) => !others.has(one))) {
      const real = home.app.operations[name as 'status'] as ((input: object) => unknown) | undefined;
      const input = inputs[name] ?? {};
      const answer = real === undefined ? 'nothing' : await home.answered(Promise.resolve(real(input)));
      found.push(...differencesOfForm(await stand.operations[name]?.(input), answer, name));
    }
    expect(found).toEqual([]);
  });
});
