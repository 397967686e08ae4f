// `latchkey codes` beside a running plugin: a guest's mornings from end to end, dates at the door, and words for refusals.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAST_ACTION } from '../../../../src/homekit/hap/characteristic-values.ts';
import { lastActionOf } from '../../../../src/homekit/lock/lock-management-service.ts';
import { openPushedHome } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { endedWith, inTime, linkedHome, type Ran, writeConfig } from '../terminal.ts';

async function codes(
  at: SimulatedHome,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  typed: readonly string[] = [],
): Promise<Ran> {
  return inTime(at, ['codes', ...words], { environment, typed });
}

describe('latchkey codes', () => {
  it('adds a code for Monday and Wednesday mornings, which opens on Monday and not on Tuesday', async () => {
    const at = await openPushedHome();
    writeConfig(at, {});
    const lock = at.idOf('Front door');
    const words = ['add', 'front', 'Cleaner', '--when', 'Mon,Wed 08:00-11:00'];
    expect(await codes(at, words, { LATCHKEY_CODE: '0417' })).toMatchObject({
      status: 0,
      out: 'Front door, Cleaner: added\n',
    });
    const { world } = at.simulator;
    // 2026-04-20 is a Monday.
    await advanceTo(at, '2026-04-20T09:00');
    expect(world.typeCode(lock, '0417')).toBe('accepted');
    await at.clock.advance(65_000);
    const move = at.app.runtime.lock(lock)?.lastMove;
    expect(move).toMatchObject({ to: 'unsecured', by: { method: 'access-code', name: 'Cleaner' } });
    // Home's last action: by keypad.
    expect(lastActionOf(move?.by.method ?? 'other', 'unsecured')).toBe(LAST_ACTION.UNSECURED_BY_KEYPAD);
    const history = await inTime(at, ['history', 'front', '--limit', '3']);
    expect(history.out).toMatch(/unlocked.*Cleaner/u);
    await advanceTo(at, '2026-04-21T09:00');
    expect(world.typeCode(lock, '0417')).toBe('refused');
    const list = await codes(at, ['list', 'front', '--json']);
    expect(list.out).toContain('"name":"Cleaner"');
    expect(list.out + at.lines.join('\n')).not.toContain('0417');
  });

  it('lists nothing without an account, and says how to connect one', async () => {
    const at = await SimulatedHome.open();
    writeConfig(at, {});
    expect(await codes(at, ['list'])).toMatchObject(endedWith(3, 'homebridge-latchkey link'));
  });

  it('names the reason of a refusal before anything is sent (faults#69)', async () => {
    const at = await linkedHome();
    expect(await codes(at, ['add', 'front', 'resident'], { LATCHKEY_CODE: '2580' })).toMatchObject({
      status: 1,
      err: 'Front door, resident: nothing was sent. Another code on this lock has this name. Another code on this lock is the same. Choose a different one.\n',
    });
    const odd = await codes(at, ['add', 'front', 'x', '--when', 'someday'], { LATCHKEY_CODE: '2581' });
    expect(odd).toMatchObject(endedWith(1, '--when must be'));
    const none = await codes(at, ['update', 'front', 'Resident']);
    expect(none).toEqual({ out: '', ...endedWith(2, 'say --rename, --when or --new-code.') });
    expect(await at.requests('POST', '/commands')).toEqual([]);
  });

  it('changes, removes and clears codes, the last only after the name of the lock was typed', async () => {
    const at = await linkedHome();
    expect(await codes(at, ['update', 'front', 'Resident', '--rename', 'Owner'])).toMatchObject({
      status: 0,
    });
    const listed = await codes(at, ['list', 'front', '--reveal']);
    expect(listed.out).toContain('Front door: 1 code\n  Owner                     2580');
    expect(await codes(at, ['clear', 'front'], {}, ['front'])).toMatchObject({ status: 1 });
    expect(await codes(at, ['remove', 'front', 'owner'])).toMatchObject({ status: 0 });
    expect(await codes(at, ['clear', 'front'], {}, ['Front door'])).toMatchObject({ status: 0 });
    expect((await codes(at, ['list', 'front'])).out).toBe('Front door: 0 codes\n');
  });
});

describe('dates on a machine in UTC, at a lock that says UTC-04:00 and no zone', () => {
  // 2026-04-17 is a Friday; New York changes its clocks on the first of November.
  const near = '2026-04-17 15:00 to 2026-04-18 11:00';
  const far = '2026-12-04 15:00 to 2026-12-05 11:00';

  const addition = {
    codes: (name: string) => ['codes', 'add', 'front', name],
    guests: (name: string) => ['guests', 'add', name, '--on', 'front'],
  } as const;

  it.each(['codes', 'guests'] as const)(
    'of `%s` are those at the door, shown with it, and in another season ask for the zone, once (faults#120)',
    async (group) => {
      const at = await linkedHome();
      const add = async (name: string, digits: string, ...more: readonly string[]): Promise<Ran> =>
        inTime(at, [...addition[group](name), '--when', ...more], { environment: { LATCHKEY_CODE: digits } });
      expect(await add('Anna', '0417', far)).toMatchObject(endedWith(1, 'Set the lock’s time zone first'));
      expect(await at.requests('POST', '/commands')).toEqual([]);
      expect((await add('Anna', '0417', near)).status).toBe(0);
      expect((await codes(at, ['list', 'front'])).out).toContain(`${near} (UTC-04:00)`);
      const [, code] = at.simulator.world.inspect(at.idOf('Front door')).codesOnLock;
      expect(JSON.stringify(code)).toContain('20260417T15:00-04:00');
      expect((await add('Ben', '5561', far, '--zone', 'America/New_York')).status).toBe(0);
      expect((await add('Cleo', '5562', far)).status).toBe(0);
      expect((await codes(at, ['list', 'front'])).out).toContain(`${far} (America/New_York)`);
    },
  );

  it('are judged in a file as well, and the doctor names the lock (faults#120)', async () => {
    const at = await linkedHome();
    const file = join(at.folder, 'codes.csv');
    writeFileSync(file, `lock,name,code,schedule\nFront door,Anna,0417,${far}\n`);
    expect(await codes(at, ['sync', file, '--dry-run'])).toMatchObject(
      endedWith(1, 'Line 2: Set the lock’s time zone first'),
    );
    expect((await inTime(at, ['doctor'])).out).toContain(
      'This machine is at UTC+00:00 (UTC); Front door is at UTC-04:00, Back door is at UTC-04:00',
    );
  });
});

/** Jumps to that time at the lock, whose clocks are at UTC-04:00 then. */
async function advanceTo(at: SimulatedHome, local: string): Promise<void> {
  at.clock.standStill(Date.parse(`${local}-04:00`) - at.clock.now());
  await at.clock.advance(5_000);
}
