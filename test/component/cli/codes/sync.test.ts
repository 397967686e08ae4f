// `latchkey codes sync` over the real simulator: nothing is sent for a file with a bad row, and nothing is lost for a good one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import { endedWith, inTime, linkedHome, type Ran } from '../terminal.ts';

type Row = readonly [lock: string, name: string, pin: string, schedule: string];

class Door {
  readonly home: SimulatedHome;

  static async open(): Promise<Door> {
    return new Door(await linkedHome());
  }

  private constructor(home: SimulatedHome) {
    this.home = home;
  }

  /** `codes sync` of these rows, while the home's time goes on. */
  async sync(rows: readonly Row[], ...flags: readonly string[]): Promise<Ran> {
    const file = join(this.home.folder, 'codes.csv');
    writeFileSync(file, ['lock,name,code,schedule', ...rows.map((row) => row.join(','))].join('\n'));
    return this.run('codes', 'sync', file, ...flags);
  }

  async run(...words: readonly string[]): Promise<Ran> {
    return inTime(this.home, words, { environment: { LATCHKEY_CODE: '4711' } });
  }

  on(name: string): readonly string[] {
    const { codesOnLock } = this.home.simulator.world.inspect(this.home.idOf(name));
    return codesOnLock.map((code) => `${code.name} ${code.code}`).sort();
  }

  async sent(): Promise<number> {
    return (await this.home.requests('POST', '/commands')).length;
  }
}

const swapped: readonly Row[] = [
  ['Front door', 'Ann', '2222', 'always'],
  ['Front door', 'Ben', '1111', 'always'],
];

describe('latchkey codes sync', () => {
  it('leaves the codes of guests alone and counts them, and changes them with --include-guests (faults#117)', async () => {
    const door = await Door.open();
    await door.home.clock.advance(4_000);
    await door.run('guests', 'add', 'Anna', '--on', 'Front door');
    const rows: readonly Row[] = [['Front door', 'Cleaner', '0417', 'always']];
    expect(await door.sync(rows, '--yes')).toMatchObject({
      status: 0,
      out: 'Front door:\n    guest      Anna\n  + add        Cleaner\n  - remove     Resident\n  1 code of a guest is left alone; --include-guests changes such codes, too.\n',
    });
    expect(door.on('Front door')).toEqual(['Anna 4711', 'Cleaner 0417']);
    const other = await door.sync([...rows, ['Front door', 'Anna', '1234', 'always']], '--dry-run');
    expect(other).toMatchObject(endedWith(1, 'Line 3: this is a guest’s code.'));
    expect((await door.sync(rows, '--dry-run', '--include-guests', '--json')).out).toContain(
      '"guests":0,"steps":[{"step":"unchanged","name":"Cleaner"},{"step":"remove","name":"Anna"}]',
    );
  });

  it('lets two codes swap their digits, one of them by way of others (faults#117)', async () => {
    const door = await Door.open();
    await door.sync(
      swapped.map(([lock, name], at) => [lock, name, swapped[1 - at]?.[2] ?? '', 'always']),
      '--yes',
    );
    expect(door.on('Front door')).toEqual(['Ann 1111', 'Ben 2222']);
    expect(await door.sync(swapped, '--yes')).toMatchObject({
      status: 0,
      out: 'Front door:\n  ~ change     Ann (code, for a moment)\n  ~ change     Ben (code)\n  ~ change     Ann (code)\n',
    });
    expect(door.on('Front door')).toEqual(['Ann 2222', 'Ben 1111']);
  });

  it('removes nothing after an addition that the lock refuses, and reports the refusal as documented (faults#117)', async () => {
    const door = await Door.open();
    door.home.simulator.world.failNextCommands(door.home.idOf('Front door'), { errorCode: 5, count: 1 });
    const { status, err } = await door.sync(swapped, '--yes', '--json');
    expect([status, JSON.parse(err)]).toEqual([
      1,
      {
        error: {
          code: 'code-not-added',
          message: 'Front door, Ann: The lock could not store the code. It may be full: remove a code first.',
          next: '2 more changes of this lock: not begun. Run it again when that is mended.',
        },
      },
    ]);
    expect(door.on('Front door')).toEqual(['Resident 2580']);
    const quiet = await door.sync([...swapped, ['Front door', 'Cleo', '9', 'always']], '--yes', '--json');
    expect([quiet.out, JSON.parse(quiet.err)]).toEqual([
      '',
      { error: { code: 'bad-request', message: 'Nothing was sent. Line 4: Use 4 to 8 digits.', next: null } },
    ]);
  });

  it('takes the beginning of a lock’s name with --match prefix (faults#117)', async () => {
    const door = await Door.open();
    const rows: readonly Row[] = [['front', 'Ann', '1111', 'always']];
    expect((await door.sync(rows, '--dry-run', '--match', 'prefix')).status).toBe(6);
  });

  it('sends nothing, or leaves the locks as the file says, for any mixture of rows (faults#117)', async () => {
    const door = await Door.open();
    const [name, pin, schedule] = [
      mostly(['Ann', 'Ben', 'Cleo', 'Dora', 'Resident'], ['ann', 'Bé', 'A name of more than 24 characters']),
      mostly(['1111', '2222', '3333', '2580'], ['11112', '12', 'abcd', '123456789']),
      mostly(['always', 'Mon 08:00-11:00'], ['never', '', '2020-01-01 10:00 to 2020-01-02 10:00']),
    ];
    const row = fc.tuple(mostly(['Front door', 'Back door'], ['Shed']), name, pin, schedule);
    const seen = { refused: 0, done: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
        const before = [await door.sent(), door.on('Front door'), door.on('Back door')];
        const { status } = await door.sync(rows, '--yes');
        if (status === 0) {
          seen.done += 1;
          for (const lock of new Set(rows.map(([named]) => named))) {
            const wanted = rows
              .filter(([named]) => named === lock)
              .map(([, who, digits]) => `${who} ${digits}`);
            expect(door.on(lock)).toEqual(wanted.sort());
          }
        } else {
          seen.refused += 1;
          expect([await door.sent(), door.on('Front door'), door.on('Back door')]).toEqual(before);
        }
      }),
      { numRuns: 14, seed: 117, endOnFailure: true },
    );
    expect(Math.min(seen.done, seen.refused)).toBeGreaterThan(3);
  });
});

/** A bad value once in fifteen times. */
function mostly(good: readonly string[], bad: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...good), weight: 14 },
    { arbitrary: fc.constantFrom(...bad), weight: 1 },
  );
}
