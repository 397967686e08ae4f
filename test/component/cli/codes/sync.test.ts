// `latchkey codes sync` over the real simulator: nothing is sent for a file with a bad row, and nothing is lost for a good one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import {
  begin,
  type Circumstances,
  containing,
  during,
  endedWith,
  inTime,
  linkedHome,
  type Ran,
} from '../terminal.ts';

type Row = readonly [lock: string, name: string, pin: string, schedule: string];

const HEAD = 'lock,name,code,schedule\n';

/** `codes sync` of this file, or of a table with these rows, while the home's time goes on. */
async function sync(
  at: SimulatedHome,
  content: string | readonly Row[],
  words: readonly string[],
  circumstances?: Circumstances,
): Promise<Ran> {
  const text = typeof content === 'string' ? content : HEAD + content.map((row) => row.join(',')).join('\n');
  const file = join(at.folder, /^(?:lock,|\[)/u.test(text) ? 'codes.txt' : 'codes.yml');
  writeFileSync(file, text);
  return inTime(at, ['codes', 'sync', file, ...words], circumstances);
}

function on(at: SimulatedHome, name: string): readonly string[] {
  const { codesOnLock } = at.simulator.world.inspect(at.idOf(name));
  return codesOnLock.map((code) => `${code.name} ${code.code}`).sort();
}

const sent = async (at: SimulatedHome): Promise<number> => at.count('POST', '/commands');

const swapped: readonly Row[] = [
  ['Front door', 'Ann', '2222', 'always'],
  ['Front door', 'Ben', '1111', 'always'],
];

describe('latchkey codes sync', () => {
  it('shows a plan, carries it out, and does nothing the second time', async () => {
    const at = await linkedHome();
    const file =
      'lock,name,code,schedule\nFront door,Cleaner,$CLEANER,"Mon,Wed 08:00-11:00"\nFront door,Guest,5561,2026-05-01 15:00 to 2026-05-05 11:00\nBack door,Guest,5561,always\n';
    const environment = { CLEANER: '0417' };
    expect(await sync(at, file, ['--dry-run'], { environment })).toMatchObject({
      status: 6,
      out: 'Front door:\n  + add        Cleaner\n  + add        Guest\n  - remove     Resident\nBack door:\n  + add        Guest\n',
    });
    expect(await sent(at)).toBe(0);
    expect((await sync(at, file, [], { environment, typed: ['no'] })).status).toBe(1);
    expect((await sync(at, file, [], { environment, typed: ['yes'] })).status).toBe(0);
    expect(await sync(at, file, ['--yes'], { environment })).toMatchObject({
      status: 0,
      err: 'Nothing to do.\n',
    });
    expect((await sync(at, file, ['--dry-run'], { environment })).status).toBe(0);
    expect(await sent(at)).toBe(4);
    expect(at.lines.join('\n')).not.toMatch(/0417|5561/);
  });

  it('waits for the changes of an interrupted run before it plans, and adds no code twice', async () => {
    const at = await linkedHome();
    const lock = at.idOf('Front door');
    at.simulator.world.configure(lock, { codeWriteMs: 6_000 });
    const draft = { name: 'Guest', pin: '5561', schedule: { kind: 'always' } };
    await at.answered(at.app.operations['codes.add']({ lock, draft }));
    expect(await sync(at, [['Front door', 'Guest', '5561', 'always']], ['--yes'])).toEqual({
      status: 0,
      out: 'Front door:\n  = unchanged  Guest\n  - remove     Resident\n',
      err: containing('Front door: waiting for a change of its codes that is under way\n'),
    });
    expect(await sent(at)).toBe(2);
  });

  it.each([
    [`${HEAD}Front door,Cleaner,$NOWHERE,always\n`, 'Line 2: the environment has no NOWHERE.'],
    ['lock,name,pin\nFront door,Cleaner,1234\n', 'The first line must name the columns'],
    ['[{"lock":"front","name":"Cleaner","code":417}]', 'Item 1: "code" must be one of'],
    [`${HEAD}Front door,Cleaner,1234,never\n`, 'Line 2: the schedule must be'],
    ['lock,name,code,schedule,code\nFront door,Cleaner,1234,always,1235\n', 'each once.'],
    [`${HEAD}Front door,Cleaner,1234\n`, 'Line 2: the column "schedule" is empty.'],
    [`${HEAD}Front door,Cleaner,1234,always,1235\n`, 'Line 2: there are more cells'],
    ['[{"lock":"Front door","name":"Cleaner","code":"1234"}]', 'Item 1: the column "schedule" is empty.'],
    [`${HEAD}front,Cleaner,1234,always\n`, 'Line 2: No lock is called "front".'],
    [`${HEAD}4821,Cleaner,1234,always\n`, 'Line 2: No lock is called "••••".'],
    [
      `${HEAD}Front door,Cleaner,1234,always\nFront door,Dora,12345,always\nBack door,Ann,1234,always\nBack door,Bé,99,2020-01-01 10:00 to 2020-01-02 10:00\nBack door,Cleo,88888,always\n`,
      'Line 2: A longer code on this lock begins with these digits. Choose a different one. Line 3: A shorter code on this lock begins the same way. Choose a different one. ' +
        'Line 5: Use plain letters (A to Z), digits and punctuation. The lock can’t store other characters. Line 5: Use 4 to 8 digits. Line 5: The end is in the past. ' +
        'Line 6: All codes on this lock must have the same number of digits. Use 4.',
    ],
    [
      '- lock: front\n  name: Cleaner\n  code: 0417\n  code: 0418\n',
      'Line 4, column 3 ([0]): this key stands there twice.',
    ],
    [
      '- lock: front\n  name: Cleaner\n- lock: front\n  code: $NOWHERE\n  schedule: always\n',
      'Line 1: the column "code" is empty. Line 1: the column "schedule" is empty. Line 3: the environment has no NOWHERE. Line 3: the column "name" is empty.',
    ],
    [
      '# none\n- { lock: front, name: Cleaner, code: [0417] }\n',
      'Line 2: "code" must be one of lock, name, code, schedule, as text.',
    ],
    [
      '- { lock: front, name: Cleaner, code: 04,17 }\n',
      'Line 1: each member must be one of lock, name, code, schedule, as text.',
    ],
    ['lock: front\ncode: 0417\n', 'The file is no YAML list of objects.'],
  ])(
    'refuses %j with its line, a dry run, too, shows no digits and sends nothing (faults#117)',
    async (text, words) => {
      const at = await linkedHome();
      for (const flag of ['--dry-run', '--yes']) {
        const ran = await sync(at, text, [flag]);
        expect(ran).toEqual({ out: '', ...endedWith(1, words) });
        expect(ran.err).not.toMatch(/1234|1235|041|17|4821/u);
      }
      expect(await sent(at)).toBe(0);
    },
  );

  it('leaves the codes of guests alone and counts them, and changes them with --include-guests (faults#117)', async () => {
    const at = await linkedHome();
    await at.clock.advance(4_000);
    await inTime(at, ['guests', 'add', 'Anna', '--on', 'Front door'], {
      environment: { LATCHKEY_CODE: '4711' },
    });
    const rows: readonly Row[] = [['Front door', 'Cleaner', '0417', 'always']];
    expect(await sync(at, rows, ['--yes'])).toMatchObject({
      status: 0,
      out: 'Front door:\n    guest      Anna\n  + add        Cleaner\n  - remove     Resident\n  1 code of a guest is left alone; --include-guests changes such codes, too.\n',
    });
    expect(on(at, 'Front door')).toEqual(['Anna 4711', 'Cleaner 0417']);
    const other = await sync(at, [...rows, ['Front door', 'Anna', '1234', 'always']], ['--dry-run']);
    expect(other).toMatchObject(endedWith(1, 'Line 3: this is a guest’s code.'));
    expect((await sync(at, rows, ['--dry-run', '--include-guests', '--json'])).out).toContain(
      '"guests":0,"steps":[{"step":"unchanged","name":"Cleaner"},{"step":"remove","name":"Anna"}]',
    );
  });

  it('lets two codes swap their digits, one of them by way of others (faults#117)', async () => {
    const at = await linkedHome();
    await sync(
      at,
      swapped.map(([lock, name], index) => [lock, name, swapped[1 - index]?.[2] ?? '', 'always']),
      ['--yes'],
    );
    expect(on(at, 'Front door')).toEqual(['Ann 1111', 'Ben 2222']);
    expect(await sync(at, swapped, ['--yes'])).toMatchObject({
      status: 0,
      out: 'Front door:\n  ~ change     Ann (code, for a moment)\n  ~ change     Ben (code)\n  ~ change     Ann (code)\n',
    });
    expect(on(at, 'Front door')).toEqual(['Ann 2222', 'Ben 1111']);
  });

  it('renames a code that has the digits of a row, and says so in words and for programs (faults#117)', async () => {
    const at = await linkedHome();
    const rows: readonly Row[] = [['Front door', 'Owner', '2580', 'always']];
    // The beginning of a lock's name is enough where the person says so.
    const { out } = await sync(
      at,
      [['front', 'Owner', '2580', 'always']],
      ['--dry-run', '--match', 'prefix'],
    );
    expect(out).toBe('Front door:\n  ~ change     Resident to Owner (name)\n');
    const json = await sync(at, rows, ['--dry-run', '--json']);
    expect(json.out).toContain('"changes":["name"],"newName":"Owner"');
  });

  it('removes nothing after an addition that the lock refuses, and reports the refusal as documented (faults#117)', async () => {
    const at = await linkedHome();
    at.simulator.world.failNextCommands(at.idOf('Front door'), { errorCode: 5, count: 1 });
    const { status, err } = await sync(at, swapped, ['--yes', '--json']);
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
    expect(on(at, 'Front door')).toEqual(['Resident 2580']);
    const quiet = await sync(at, [...swapped, ['Front door', 'Cleo', '9', 'always']], ['--yes', '--json']);
    expect([quiet.out, JSON.parse(quiet.err)]).toEqual([
      '',
      { error: { code: 'bad-request', message: 'Nothing was sent. Line 4: Use 4 to 8 digits.', next: null } },
    ]);
  });

  it('that is interrupted at the terminal leaves all of its changes to the owner of the account (faults#117)', async () => {
    const at = await linkedHome();
    at.simulator.world.configure(at.idOf('Front door'), { codeWriteMs: 30_000 });
    const stopping = new AbortController();
    const file = join(at.folder, 'codes.csv');
    writeFileSync(file, HEAD + swapped.map((row) => row.join(',')).join('\n'));
    const words = ['codes', 'sync', file, '--yes'];
    const { said, ended } = begin(at, words, at.clock, { stopped: stopping.signal });
    const isWorking = vi.waitUntil(() => said.err.includes('Front door, Ann: the lock is working'), {
      timeout: 20_000,
    });
    await during(at, isWorking, () => 10);
    stopping.abort();
    await during(at, ended, () => 10);
    expect(on(at, 'Front door')).toEqual(['Resident 2580']);
    await at.clock.advance(150_000);
    expect(on(at, 'Front door')).toEqual(['Ann 2222', 'Ben 1111']);
    expect(await sent(at)).toBe(3);
  });

  it('does not remove a code that somebody has changed since the plan', async () => {
    const at = await linkedHome();
    const readLine = async (): Promise<string> => {
      const words = ['codes', 'update', 'front', 'Resident', '--rename', 'Tenant'];
      expect((await inTime(at, words)).status).toBe(0);
      await at.clock.advance(6_000);
      return 'yes';
    };
    const ran = await sync(at, [['Front door', 'Ann', '5561', 'always']], [], { readLine });
    expect(ran).toMatchObject(endedWith(1, 'somebody else changed this meanwhile'));
    expect(on(at, 'Front door')).toEqual(['Tenant 2580']);
  });
});
