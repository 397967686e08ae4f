// Access codes in the Home app: the answers of the control point, its traces, and how a late end is shown.
import { decodeWithLists, encode } from 'hap-nodejs';
import { describe, expect, it, vi } from 'vitest';
import { accessCodeId, unnamedCodeId } from '../../../../src/domain/codes/access-code.ts';
import { resetCachedState } from '../../../../src/homekit/lock/lock-mechanism-service.ts';
import { CodeHome } from '../../../homes/codes-home.ts';
import { FRONT } from '../../../stand-ins/account/runtime.ts';
import { fixtureWithFrontDoor, type HomeFixture, optionsOf } from '../fixture.ts';

const OPTIONS = optionsOf({ appleHomeCodes: true });
const [LIST, READ, ADD, UPDATE, REMOVE] = [1, 2, 3, 4, 5] as const;

/** The statuses of an item, from 0. */
const STATUSES =
  'done, unknown, too many, too many requests, duplicate, too short, too long, characters, invalid, no such code'.split(
    ', ',
  );

interface Item {
  readonly identifier?: number;
  readonly pin?: string;
}

interface Home {
  readonly fixture: HomeFixture;
  /** The account behind it: its book, and the lock with its codes. */
  readonly at: CodeHome;
}

/** The lock takes codes of one length. After a restart it is the same account. */
function home(before?: Home): Home {
  const at = before?.at ?? new CodeHome({ lock: FRONT, anyLength: false });
  const fixture = fixtureWithFrontDoor({
    options: () => OPTIONS,
    restored: before?.fixture.throughCache() ?? [],
    prepare: (runtime) => {
      at.bus.on('codes-changed', ({ id }) => runtime.codesChanged(id));
      Object.assign(runtime, { codes: at.codes, guests: at.guests });
    },
  });
  return { fixture, at };
}

/** Time for the lock and for what follows its answer. */
async function worked({ at }: Home): Promise<void> {
  await at.clock.advance(10_000);
}

/** A home in which these codes were made, one after the other, and the lock has them. */
async function homeWith(...pins: readonly string[]): Promise<Home> {
  const here = home();
  await ask(here, ADD, ...pins.map((pin) => ({ pin })));
  await worked(here);
  return here;
}

const pinsOn = ({ at }: Home): readonly string[] => at.service.codesOf.map(({ pin }) => pin);

function requestOf(operation: number, items: readonly Item[]): string {
  const encoded = items.map(({ identifier, pin }) =>
    Buffer.concat([
      identifier === undefined ? Buffer.alloc(0) : encode(1, identifier),
      pin === undefined ? Buffer.alloc(0) : encode(2, pin),
    ]),
  );
  const body = items.length === 0 ? Buffer.alloc(0) : encode(2, encoded);
  return Buffer.concat([encode(1, operation), body]).toString('base64');
}

/** Each item of a response, as far as it says something: its identifier, its digits and its status. */
function itemsIn(response: string, operation: number): string[] {
  const members = decodeWithLists(Buffer.from(response, 'base64'));
  expect(members[1]).toEqual(Buffer.from([operation]));
  const raw = members[3];
  const items = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  return items.map((item) => {
    const { 1: identifier, 2: pin, 4: status } = decodeWithLists(item);
    const said = [
      Buffer.isBuffer(identifier) ? `#${String(identifier[0])}` : '',
      Buffer.isBuffer(pin) ? pin.toString('latin1') : '',
      Buffer.isBuffer(status) ? (STATUSES[status[0] ?? -1] ?? '') : '',
    ];
    return said.filter((part) => part !== '').join(' ');
  });
}

const point = ({ fixture }: Home) => fixture.characteristic('AccessCode', 'Access Code Control Point');
const stateOf = ({ fixture }: Home) => fixture.characteristic('AccessCode', 'Configuration State').value;

/** The answer to a controller: the items, or the status of an error. */
async function ask(at: Home, operation: number, ...items: readonly Item[]): Promise<string[] | number> {
  return write(at, requestOf(operation, items), operation);
}

async function write(at: Home, value: string, operation = 0): Promise<string[] | number> {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- any connection makes HAP check the value
  const somebody: Parameters<ReturnType<typeof point>['handleSetRequest']>[1] = Object.create(null);
  const answer = await point(at)
    .handleSetRequest(value, somebody)
    .catch((status: unknown) => Number(status));
  return typeof answer === 'string' ? itemsIn(answer, operation) : Number(answer);
}

describe('access codes in Home', () => {
  it('are added, read, changed, listed and removed, each item with its status', async () => {
    const here = await homeWith('4711', '0815');
    expect(here.at.service.codesOf.map(({ name, pin, schedule }) => [name, pin, schedule.kind])).toEqual([
      ['Home 1', '4711', 'always'],
      ['Home 2', '0815', 'always'],
    ]);
    expect(await ask(here, READ, { identifier: 2 }, { identifier: 9 })).toEqual([
      '#2 0815 done',
      '#9 no such code',
    ]);
    expect(await ask(here, UPDATE, { identifier: 1, pin: '1234' })).toEqual(['#1 1234 done']);
    expect(await ask(here, ADD, { identifier: 2, pin: '5678' })).toEqual(['#2 5678 done']);
    await worked(here);
    expect(pinsOn(here)).toEqual(['1234', '5678']);
    expect(await ask(here, REMOVE, { identifier: 1 })).toEqual(['#1 done']);
    await worked(here);
    expect([await ask(here, LIST), pinsOn(here)]).toEqual([['#2'], ['5678']]);
  });

  it('are rows of the book like all guests: shown on the pages, and changed there', async () => {
    const here = await homeWith('4711');
    const [guest] = here.at.guests.list();
    expect(guest).toMatchObject({ name: 'Home 1', locks: [FRONT], home: { lockId: FRONT, identifier: 1 } });
    const state = stateOf(here);
    here.at.guests.update(guest?.id ?? '', { name: 'Anna', pin: '9876' }, guest?.revision ?? 0);
    await worked(here);
    expect(stateOf(here)).not.toBe(state);
    expect(await ask(here, READ, { identifier: 1 })).toEqual(['#1 9876 done']);
    expect(here.at.service.codesOf).toMatchObject([{ name: 'Anna', pin: '9876' }]);
  });

  it('show the requested codes while the lock works, and after a crash', async () => {
    const here = home();
    here.at.service.takesMs = 5_000;
    await ask(here, ADD, { pin: '4711' });
    await here.at.clock.advance(4_000);
    await here.at.crash();
    const after = home(here);
    expect(await ask(after, LIST)).toEqual(['#1']);
    expect(await ask(after, READ, { identifier: 1 })).toEqual(['#1 4711 done']);
    await worked(after);
    expect(pinsOn(after)).toEqual(['4711']);
    await ask(after, REMOVE, { identifier: 1 });
    expect(await ask(after, LIST)).toEqual([]);
  });

  it('are read again where the lock refused a change that Home was told is done', async () => {
    const here = home();
    const refused = async (operation: number, item: Item): Promise<void> => {
      here.at.service.mishaps = [{ fails: 'code-not-added' }];
      await ask(here, operation, item);
      const asked = stateOf(here);
      await worked(here);
      expect(stateOf(here)).not.toBe(asked);
    };
    await refused(ADD, { pin: '4711' });
    expect(await ask(here, LIST)).toEqual([]);
    // The reason stands on the page, and the lock is asked again.
    expect(here.at.guests.list()).toMatchObject([{ onLocks: [{ standing: { kind: 'waiting' } }] }]);
    await here.at.clock.advance(6 * 60_000);
    here.at.bus.publish({ type: 'codes-changed', id: FRONT });
    await worked(here);
    expect(await ask(here, LIST)).toEqual(['#1']);
    await refused(REMOVE, { identifier: 1 });
    expect(await ask(here, READ, { identifier: 1 })).toEqual(['#1 4711 done']);
    const other = await homeWith('4711');
    other.at.service.mishaps = [{ fails: 'code-not-added' }];
    await ask(other, UPDATE, { identifier: 1, pin: '9999' });
    await worked(other);
    expect(await ask(other, READ, { identifier: 1 })).toEqual(['#1 4711 done']);
  });

  it('name what is wrong with a code, item by item', async () => {
    const here = await homeWith('4711');
    const wrong = [{ pin: '4711' }, { pin: '47' }, { pin: '471199' }, { pin: '47a1' }, {}, { pin: '0815' }];
    expect(await ask(here, ADD, ...wrong)).toEqual([
      '#1 4711 duplicate',
      '47 too short',
      '471199 too long',
      '47a1 characters',
      'invalid',
      '#2 0815 done',
    ]);
  });

  it('of other origin are neither listed nor touched, and their names stay reserved', async () => {
    const here = home();
    const schedule = { kind: 'always' } as const;
    here.at.service.codesOf = [
      { id: accessCodeId('a'), name: 'home 1', pin: '1111', schedule, readOnly: false },
    ];
    expect(await ask(here, LIST)).toEqual([]);
    await ask(here, ADD, { pin: '4711' });
    await worked(here);
    expect(here.at.service.codesOf.map(({ name }) => name)).toEqual(['home 1', 'Home 1 B']);
    expect(await ask(here, ADD, { pin: '1111' })).toEqual(['1111 duplicate']);
  });

  it('keep their identifiers across a restart and a new name, and vanish when removed elsewhere', async () => {
    const before = await homeWith('4711', '0815');
    await before.at.crash();
    const after = home(before);
    const { service } = after.at;
    service.codesOf = service.codesOf.map((code, index) => ({ ...code, name: `Guest ${String(index)}` }));
    await worked(after);
    expect(await ask(after, LIST)).toEqual(['#1', '#2']);
    expect(await ask(after, READ, { identifier: 2 })).toEqual(['#2 0815 done']);
    expect(await ask(after, UPDATE, { identifier: 2, pin: '5678' })).toEqual(['#2 5678 done']);
    await worked(after);
    expect(pinsOn(after)).toEqual(['4711', '5678']);
    await ask(after, LIST);
    const state = stateOf(after);
    service.codesOf = service.codesOf.slice(1);
    await worked(after);
    expect(await ask(after, LIST)).toEqual(['#2']);
    await worked(after);
    expect(stateOf(after)).not.toBe(state);
  });

  it('stay while a record of the list has no id, which may be any of them (faults#183)', async () => {
    const here = await homeWith('4711', '0815');
    const { service } = here.at;
    const whole = service.codesOf;
    service.codesOf = whole.map((code, at) =>
      at === 0 ? { ...code, id: unnamedCodeId(1), name: 'Other' } : code,
    );
    await here.at.clock.advance(6_000);
    expect(await ask(here, LIST)).toEqual(['#1', '#2']);
    service.codesOf = whole;
    await here.at.clock.advance(6_000);
    expect(await ask(here, READ, { identifier: 1 })).toEqual(['#1 4711 done']);
    service.codesOf = whole.slice(1);
    await here.at.clock.advance(6_000);
    expect(await ask(here, LIST)).toEqual(['#2']);
  });

  it('that version 1.0.0 knew in its cache become rows of the book, where the lock has them', async () => {
    const before = home();
    const schedule = { kind: 'always' } as const;
    before.at.service.codesOf = ['4711', '0815'].map((pin, index) => ({
      id: accessCodeId(`code-${String(index)}`),
      name: `Home ${String(index + 1)}`,
      pin,
      schedule,
      readOnly: false,
    }));
    const [accessory] = before.fixture.accessories;
    const codes = [
      { identifier: 7, name: 'Home 7', codeId: 'code-0' },
      { identifier: 8, name: 'Home 2', codeId: null },
      { identifier: 9, name: 'Home 9', codeId: 'gone' },
    ];
    Object.assign(accessory?.context ?? {}, { homeCodes: { state: 3, codes } });
    const after = home(before);
    expect(await ask(after, LIST)).toEqual(['#7', '#8']);
    await worked(after);
    expect(await ask(after, READ, { identifier: 7 })).toEqual(['#7 4711 done']);
    expect(after.at.guests.list()).toMatchObject([
      { name: 'Home 1', onLocks: [{ codeId: 'code-0', standing: { kind: 'up-to-date' } }] },
      { name: 'Home 2', onLocks: [{ codeId: 'code-1', standing: { kind: 'up-to-date' } }] },
    ]);
    expect([after.at.service.sent, after.fixture.cached().join()]).toEqual([
      [],
      expect.stringContaining('"codes":[]'),
    ]);
  });
});

describe('the control point', () => {
  it('answers within 2.5 s where the service does not, and starts nothing later', async () => {
    const here = home();
    const late = Promise.withResolvers<[]>();
    vi.spyOn(here.at.service, 'codes').mockReturnValueOnce(late.promise);
    const asked = ask(here, ADD, { pin: '4711' }, { pin: '0815' });
    await here.fixture.clock.advance(2_500);
    expect(await asked).toEqual(['4711 unknown', '0815 unknown']);
    late.resolve([]);
    await worked(here);
    expect([here.at.guests.list(), here.at.service.sent]).toEqual([[], []]);
    expect(await ask(here, LIST)).toEqual([]);
  });

  it('fails where the codes cannot be listed, instead of showing an empty list', async () => {
    const here = home();
    here.at.service.unreachable = true;
    expect(await ask(here, LIST)).toBe(-70402);
    expect(await ask(here, ADD, { pin: '4711' })).toEqual(['4711 unknown']);
  });

  it.each([
    ['nothing', ''],
    ['no TLV', Buffer.from([1]).toString('base64')],
    ['an unknown operation', requestOf(9, [])],
    ['a list with items', requestOf(LIST, [{ identifier: 1 }])],
    ['an add without items', requestOf(ADD, [])],
    ['too much', 'A'.repeat(5_000)],
  ])('refuses %s', async (_, value) => {
    expect(await write(home(), value)).toBe(-70410);
  });

  it('is for admins of the home alone, also in the cache before a lock takes it over (faults#77)', async () => {
    const here = home();
    const { fixture } = here;
    expect(point(here).props.adminOnlyAccess).toEqual([0, 1]);
    const [cached] = fixture.throughCache();
    const accessory = cached ?? expect.fail('The accessory was not cached');
    resetCachedState(fixture.api, accessory);
    const closed = accessory.services
      .filter(({ constructor }) => constructor.name === 'AccessCode')
      .flatMap(({ characteristics }) => characteristics)
      .find(({ displayName }) => displayName === 'Access Code Control Point');
    expect(closed?.props.adminOnlyAccess).toEqual([0, 1]);
    const written = closed?.handleSetRequest(requestOf(ADD, [{ pin: '4711' }]));
    await expect(written).rejects.toBe(-70402);
    expect(closed?.value).toBe('');
  });

  it('leaves no digits behind: not in its value, the cache of accessories or the log (faults#77)', async () => {
    const here = home();
    const { fixture, at } = here;
    await ask(here, ADD, { pin: '471147' }, { pin: '47a1' });
    await ask(here, READ, { identifier: 1 });
    expect(point(here).value).toBe('');
    at.service.mishaps = [{ fails: 'code-not-added' }];
    await ask(here, UPDATE, { identifier: 1, pin: '471147' });
    await worked(here);
    const kept = [...fixture.cached(), ...fixture.lines, ...at.lines].join('\n');
    expect(kept).toContain('homeCodes');
    expect(kept).not.toMatch(/4711|47a1/u);
    // Digits inside of base64 stand at one of three offsets.
    for (const before of ['', ' ', '  ']) {
      const inner = Buffer.from(`${before}471147`)
        .toString('base64')
        .slice(2 * before.length, -3);
      expect(kept).not.toContain(inner);
    }
  });

  it('names the lengths that the lock takes once its codes are known', async () => {
    const here = home();
    const configuration = (): readonly unknown[] => {
      const { value } = here.fixture.characteristic('AccessCode', 'Access Code Supported Configuration');
      return [...Buffer.from(typeof value === 'string' ? value : '', 'base64')];
    };
    expect(configuration()).toEqual([1, 1, 1, 2, 1, 4, 3, 1, 8, 4, 1, 100]);
    await ask(here, ADD, { pin: '471147' });
    await worked(here);
    await ask(here, LIST);
    expect(configuration()).toEqual([1, 1, 1, 2, 1, 6, 3, 1, 6, 4, 1, 100]);
  });

  it('is removed with the option', () => {
    const fixture = fixtureWithFrontDoor({ restored: home().fixture.throughCache() });
    expect(fixture.service('AccessCode')).toBeUndefined();
  });
});
