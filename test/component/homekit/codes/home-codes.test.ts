// Access codes in the Home app: the answers of the control point, its traces, and how a late end is shown.
import { decodeWithLists, encode } from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import { accessCodeId, unnamedCodeId } from '../../../../src/domain/codes/access-code.ts';
import { resetCachedState } from '../../../../src/homekit/lock/lock-mechanism-service.ts';
import { FRONT } from '../../../stand-ins/account/runtime.ts';
import { fixtureWithFrontDoor, type HomeFixture, optionsOf } from '../fixture.ts';

const OPTIONS = optionsOf({ appleHomeCodes: true });
const [LIST, READ, ADD, UPDATE, REMOVE] = [1, 2, 3, 4, 5] as const;

interface Item {
  readonly identifier?: number;
  readonly pin?: string;
  readonly status?: number;
}

function home(restored?: HomeFixture): HomeFixture {
  return fixtureWithFrontDoor({ options: () => OPTIONS, restored: restored?.throughCache() ?? [] });
}

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

function itemsIn(response: string, operation: number): Item[] {
  const members = decodeWithLists(Buffer.from(response, 'base64'));
  expect(members[1]).toEqual(Buffer.from([operation]));
  const raw = members[3];
  const items = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  return items.map((item) => {
    const { 1: identifier, 2: pin, 4: status } = decodeWithLists(item);
    const found = {
      identifier: Buffer.isBuffer(identifier) ? identifier[0] : undefined,
      pin: Buffer.isBuffer(pin) ? pin.toString('latin1') : undefined,
      status: Buffer.isBuffer(status) ? status[0] : undefined,
    };
    return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  });
}

const point = (fixture: HomeFixture) => fixture.characteristic('AccessCode', 'Access Code Control Point');
const stateOf = (fixture: HomeFixture) => fixture.characteristic('AccessCode', 'Configuration State').value;

/** The answer to a controller: the items, or the status of an error. */
async function ask(
  fixture: HomeFixture,
  operation: number,
  ...items: readonly Item[]
): Promise<Item[] | number> {
  return write(fixture, requestOf(operation, items), operation);
}

async function write(fixture: HomeFixture, value: string, operation = 0): Promise<Item[] | number> {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- any connection makes HAP check the value
  const somebody: Parameters<ReturnType<typeof point>['handleSetRequest']>[1] = Object.create(null);
  const answer = await point(fixture)
    .handleSetRequest(value, somebody)
    .catch((status: unknown) => Number(status));
  return typeof answer === 'string' ? itemsIn(answer, operation) : Number(answer);
}

describe('access codes in Home', () => {
  it('are added, read, changed, listed and removed, each item with its status', async () => {
    const fixture = home();
    const { codes } = fixture.runtime;
    expect(await ask(fixture, LIST)).toEqual([]);
    expect(await ask(fixture, ADD, { pin: '4711' }, { pin: '0815' })).toEqual([
      { identifier: 1, pin: '4711', status: 0 },
      { identifier: 2, pin: '0815', status: 0 },
    ]);
    codes.end('done');
    expect(codes.codes.map(({ name, pin, schedule }) => [name, pin, schedule.kind])).toEqual([
      ['Home 1', '4711', 'always'],
      ['Home 2', '0815', 'always'],
    ]);
    expect(await ask(fixture, READ, { identifier: 2 }, { identifier: 9 })).toEqual([
      { identifier: 2, pin: '0815', status: 0 },
      { identifier: 9, status: 9 },
    ]);
    expect(await ask(fixture, UPDATE, { identifier: 1, pin: '1234' })).toEqual([
      { identifier: 1, pin: '1234', status: 0 },
    ]);
    expect(await ask(fixture, ADD, { identifier: 2, pin: '5678' })).toEqual([
      { identifier: 2, pin: '5678', status: 0 },
    ]);
    codes.end('done');
    expect(codes.codes.map(({ pin }) => pin)).toEqual(['1234', '5678']);
    expect(await ask(fixture, REMOVE, { identifier: 1 })).toEqual([{ identifier: 1, status: 0 }]);
    codes.end('done');
    expect(await ask(fixture, LIST)).toEqual([{ identifier: 2 }]);
  });

  it('show the requested codes while the lock works', async () => {
    const fixture = home();
    const { codes } = fixture.runtime;
    await ask(fixture, ADD, { pin: '4711' });
    expect(await ask(fixture, LIST)).toEqual([{ identifier: 1 }]);
    expect(await ask(fixture, READ, { identifier: 1 })).toEqual([{ identifier: 1, pin: '4711', status: 0 }]);
    codes.end('done');
    await ask(fixture, REMOVE, { identifier: 1 });
    expect(await ask(fixture, LIST)).toEqual([]);
  });

  it('are read again where the lock refused a change that Home was told is done', async () => {
    const fixture = home();
    const refused = async (operation: number, item: Item): Promise<void> => {
      await ask(fixture, operation, item);
      const asked = stateOf(fixture);
      fixture.runtime.codes.end('failed');
      expect(stateOf(fixture)).not.toBe(asked);
    };
    await refused(ADD, { pin: '4711' });
    expect(await ask(fixture, LIST)).toEqual([]);
    await ask(fixture, ADD, { pin: '4711' });
    fixture.runtime.codes.end('done');
    await refused(REMOVE, { identifier: 1 });
    await refused(UPDATE, { identifier: 1, pin: '9999' });
    expect(await ask(fixture, READ, { identifier: 1 })).toEqual([{ identifier: 1, pin: '4711', status: 0 }]);
  });

  it('name what is wrong with a code, item by item', async () => {
    const fixture = home();
    await ask(fixture, ADD, { pin: '4711' });
    fixture.runtime.codes.end('done');
    const wrong = [{ pin: '4711' }, { pin: '47' }, { pin: '471199' }, { pin: '47a1' }, {}, { pin: '0815' }];
    expect(await ask(fixture, ADD, ...wrong)).toEqual([
      { identifier: 1, pin: '4711', status: 4 },
      { pin: '47', status: 5 },
      { pin: '471199', status: 6 },
      { pin: '47a1', status: 7 },
      { status: 8 },
      { identifier: 2, pin: '0815', status: 0 },
    ]);
  });

  it('of other origin are neither listed nor touched, and their names stay reserved', async () => {
    const fixture = home();
    const { codes } = fixture.runtime;
    codes.codes = [
      { id: accessCodeId('a'), name: 'home 1', pin: '1111', schedule: { kind: 'always' }, readOnly: false },
    ];
    expect(await ask(fixture, LIST)).toEqual([]);
    await ask(fixture, ADD, { pin: '4711' });
    codes.end('done');
    expect(codes.codes.map(({ name }) => name)).toEqual(['home 1', 'Home 1 (2)']);
    expect(await ask(fixture, ADD, { pin: '1111' })).toEqual([{ pin: '1111', status: 4 }]);
  });

  it('keep their identifiers across a restart and a new name, and vanish when removed elsewhere', async () => {
    const before = home();
    await ask(before, ADD, { pin: '4711' }, { pin: '0815' });
    before.runtime.codes.end('done');
    const after = home(before);
    const { codes } = after.runtime;
    codes.codes = before.runtime.codes.codes.map((code, at) => Object.assign(code, { name: `Guest ${at}` }));
    expect(await ask(after, LIST)).toEqual([{ identifier: 1 }, { identifier: 2 }]);
    expect(await ask(after, READ, { identifier: 2 })).toEqual([{ identifier: 2, pin: '0815', status: 0 }]);
    const state = stateOf(after);
    codes.codes = codes.codes.slice(1);
    after.runtime.codesChanged(FRONT);
    await after.clock.advance(0);
    expect(stateOf(after)).not.toBe(state);
    expect(await ask(after, LIST)).toEqual([{ identifier: 2 }]);
  });

  it('stay while a record of the list has no id, which may be any of them (faults#183)', async () => {
    const fixture = home();
    const { codes } = fixture.runtime;
    await ask(fixture, ADD, { pin: '4711' }, { pin: '0815' });
    codes.end('done');
    const whole = codes.codes;
    codes.codes = whole.map((code, at) => (at === 0 ? { ...code, id: unnamedCodeId(1) } : code));
    expect(await ask(fixture, LIST)).toEqual([{ identifier: 1 }, { identifier: 2 }]);
    codes.codes = whole;
    expect(await ask(fixture, READ, { identifier: 1 })).toEqual([{ identifier: 1, pin: '4711', status: 0 }]);
    codes.codes = whole.slice(1);
    expect(await ask(fixture, LIST)).toEqual([{ identifier: 2 }]);
  });

  it('include an added code whose operation a restart interrupted, by its name', async () => {
    const before = home();
    await ask(before, ADD, { pin: '4711' });
    const after = home(before);
    before.runtime.codes.end('done');
    after.runtime.codes.codes = before.runtime.codes.codes;
    expect(await ask(after, READ, { identifier: 1 })).toEqual([{ identifier: 1, pin: '4711', status: 0 }]);
    expect(await ask(home(before), LIST)).toEqual([]);
  });
});

describe('the control point', () => {
  it('answers within 2.5 s where the service does not, and starts nothing later', async () => {
    const fixture = home();
    const { codes } = fixture.runtime;
    const late = Promise.withResolvers<unknown>();
    codes.answering = late.promise;
    const asked = ask(fixture, ADD, { pin: '4711' }, { pin: '0815' });
    await fixture.clock.advance(2_500);
    expect(await asked).toEqual([
      { pin: '4711', status: 1 },
      { pin: '0815', status: 1 },
    ]);
    late.resolve(null);
    await fixture.clock.advance(0);
    expect(codes.operations()).toEqual([]);
    expect(await ask(fixture, LIST)).toEqual([]);
  });

  it('fails where the codes cannot be listed, instead of showing an empty list', async () => {
    const fixture = home();
    fixture.runtime.codes.isDown = true;
    expect(await ask(fixture, LIST)).toBe(-70402);
    expect(await ask(fixture, ADD, { pin: '4711' })).toEqual([{ pin: '4711', status: 1 }]);
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
    const fixture = home();
    expect(point(fixture).props.adminOnlyAccess).toEqual([0, 1]);
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
    const fixture = home();
    await ask(fixture, ADD, { pin: '471147' }, { pin: '47a1' });
    await ask(fixture, READ, { identifier: 1 });
    expect(point(fixture).value).toBe('');
    fixture.runtime.codes.end('failed');
    const kept = [...fixture.cached(), ...fixture.lines].join('\n');
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
    const fixture = home();
    const configuration = (): readonly unknown[] => {
      const { value } = fixture.characteristic('AccessCode', 'Access Code Supported Configuration');
      return [...Buffer.from(typeof value === 'string' ? value : '', 'base64')];
    };
    expect(configuration()).toEqual([1, 1, 1, 2, 1, 4, 3, 1, 8, 4, 1, 100]);
    await ask(fixture, ADD, { pin: '471147' });
    fixture.runtime.codes.end('done');
    await ask(fixture, LIST);
    expect(configuration()).toEqual([1, 1, 1, 2, 1, 6, 3, 1, 6, 4, 1, 100]);
  });

  it('is removed with the option', () => {
    const fixture = fixtureWithFrontDoor({ restored: home().throughCache() });
    expect(fixture.service('AccessCode')).toBeUndefined();
  });
});
