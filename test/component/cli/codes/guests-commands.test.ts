// `latchkey guests` beside a running plugin: one code on every lock, and a difference that a person decides.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/support/clock.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import { begin, containing, during, endedWith, inTime, linkedHome, type Ran } from '../terminal.ts';

async function home(): Promise<SimulatedHome> {
  const opened = await linkedHome();
  await opened.clock.advance(4_000);
  return opened;
}

/** A home with the guest Anna on these locks, and time enough to compare them again. */
async function homeWithAnna(...locks: readonly string[]): Promise<SimulatedHome> {
  const at = await home();
  await guests(at, ['add', 'Anna', '--on', ...locks], '4711');
  await at.clock.advance(10_000);
  return at;
}

async function guests(at: SimulatedHome, words: readonly string[], code?: string): Promise<Ran> {
  return inTime(at, ['guests', ...words], { environment: code === undefined ? {} : { LATCHKEY_CODE: code } });
}

async function codes(at: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  return inTime(at, ['codes', ...words]);
}

describe('latchkey guests', () => {
  it('adds a guest on every lock, changes the code in place, and removes it everywhere', async () => {
    const at = await home();
    const rows = ['Front door', 'Back door', 'Garage'].map((name) => `  ${name}: Up to date\n`).join('');
    expect(await guests(at, ['add', 'Anna'], '4711')).toMatchObject({
      status: 0,
      out: `Anna  ••••  always\n${rows}`,
    });
    expect(at.simulator.world.typeCode(at.idOf('Garage'), '4711')).toBe('accepted');
    expect((await guests(at, ['update', 'anna', '--new-code', '--rename', 'Anna B'], '0815')).status).toBe(0);
    expect((await codes(at, 'list', 'back', '--reveal')).out).toContain('Anna B                    0815');
    expect((await codes(at, 'list', 'back')).out).toMatch(/Anna B .* always {2}\(guest Anna B\)\n/u);
    expect((await guests(at, ['show', 'anna', '--reveal'])).out).toContain('  code: 0815\n');
    const listed = await guests(at, ['list', '--json']);
    expect(listed.out).toContain('"name":"Anna B"');
    expect(listed.out + at.lines.join('\n')).not.toMatch(/4711|0815/u);
    expect(await guests(at, ['remove', 'anna'])).toMatchObject({ status: 0, out: 'Anna B: removed\n' });
    expect((await guests(at, ['list'])).out).toBe('There are no guests.\n');
    expect((await codes(at, 'list', 'back')).out).toBe('Back door: 0 codes\n');
  });

  it('calls a guest as they are called, also where a lock needs another name, and finds them by either', async () => {
    const at = await home();
    expect(await guests(at, ['add', 'Анна', '--on', 'back'], '4711')).toMatchObject({
      status: 0,
      out: 'Анна (“Guest” on the lock)  ••••  always\n  Back door: Up to date\n',
    });
    expect((await codes(at, 'list', 'back')).out).toMatch(/Guest .* always {2}\(guest Анна\)\n/u);
    expect((await guests(at, ['show', 'guest'])).out).toContain('Анна');
    expect(await guests(at, ['remove', 'анна'])).toMatchObject({ status: 0, out: 'Анна: removed\n' });
  });

  it('names each lock that refused the code, and keeps the guest on the others', async () => {
    const at = await home();
    expect(await guests(at, ['add', 'Resident', '--on', 'front', 'back'], '4711')).toMatchObject({
      status: 1,
      out: 'Resident  ••••  always\n  Front door: Another code on this lock has this name.\n  Back door: Up to date\n',
    });
    // The list of codes says how it stands, too.
    const listed = await codes(at, 'list', 'front');
    expect(listed.out).toMatch(/\n {2}Resident {18}Another code on this lock has this name\.\n$/u);
    expect((await codes(at, 'list', 'back', '--json')).out).toContain('"open":[]');
    expect(await guests(at, ['add', 'resident', '--on', 'back'], '4712')).toMatchObject(
      endedWith(1, 'Nothing was changed. Another guest has this name.\n'),
    );
  });

  it('leaves the decision about a code that was changed elsewhere to a person', async () => {
    const at = await homeWithAnna('back');
    const renamed = await codes(at, 'update', 'back', 'Anna', '--rename', 'Anne');
    expect(renamed.err).toContain(
      'This is the code of the guest Anna. For all locks at once: latchkey guests',
    );
    await at.clock.advance(10_000);
    expect((await guests(at, ['list'])).out).toContain(
      'Back door: Changed elsewhere, for example in the lock’s app: the name is “Anne”. Decide with: guests settle\n',
    );
    expect((await guests(at, ['settle', 'Anna', 'back', 'perhaps'])).status).toBe(1);
    expect(await guests(at, ['settle', 'Anna', 'back', 'overwrite'])).toMatchObject({
      status: 0,
      out: 'Anna  ••••  always\n  Back door: Up to date\n',
    });
    expect((await codes(at, 'list', 'back')).out).toContain('Anna ');
  });

  it('compares with the locks before it says "Up to date" (faults#115)', async () => {
    const at = await homeWithAnna('back');
    const { world } = at.simulator;
    const back = at.idOf('Back door');
    for (const { accessCodeId } of world.inspect(back).codesOnLock) {
      world.dropAccessCode(back, accessCodeId, 'both');
    }
    for (const words of [['list'], ['show', 'anna']]) {
      expect(await guests(at, words)).toMatchObject({
        status: 0,
        out: 'Anna  ••••  always\n  Back door: The code was removed elsewhere, for example in the lock’s app. Decide with: guests settle\n',
      });
    }
  });

  it('says that its list may be older while the locks cannot be compared, and ends with 4 (faults#115)', async () => {
    const at = await homeWithAnna('back');
    await at.fail('/**/accesscodes', { kind: 'latency', delayMs: 30_000, when: 'before-work' });
    expect(await guests(at, ['list'])).toMatchObject(endedWith(4, 'this may be older'));
  });

  it('names the code that is still there after a removal, and ends with 5 until it is gone (faults#116)', async () => {
    const at = await homeWithAnna('front', 'back');
    await codes(at, 'update', 'front', 'Anna', '--rename', 'Anne');
    await at.clock.advance(10_000);
    expect((await guests(at, ['settle', 'Anna', 'front', 'keep'])).status).toBe(0);
    const rows = [
      'Anna  ••••  always  (being removed)',
      '  Front door: Removed, but there is a code called “Anne” with the same digits on this lock. Remove it? Decide with: guests settle',
    ];
    const listed = [...rows, ''].join('\n');
    expect(await guests(at, ['remove', 'Anna'])).toMatchObject({
      status: 5,
      out: `Anna, Front door: Removed, but there is a code called “Anne” with the same digits on this lock. Remove it?\n${listed}`,
    });
    expect((await guests(at, ['list'])).out).toBe(listed);
    const { world } = at.simulator;
    expect(world.typeCode(at.idOf('Front door'), '4711')).toBe('accepted');
    expect(world.typeCode(at.idOf('Back door'), '4711')).toBe('refused');
    expect(await guests(at, ['settle', 'Anna', 'front', 'keep'])).toMatchObject({
      status: 5,
      out: `${rows[0] ?? ''}\n  Front door: You left a code called “Anne” with the same digits on this lock.\n`,
    });
    expect(await guests(at, ['settle', 'Anna', 'front', 'overwrite'])).toMatchObject({
      status: 0,
      out: 'Anna: removed\n',
    });
    expect(world.typeCode(at.idOf('Front door'), '4711')).toBe('refused');
  });

  it('shows both versions of a guest that another person changed while the digits were typed (faults#119)', async () => {
    const at = await home();
    await guests(at, ['add', 'Anna'], '4711');
    const other = Promise.withResolvers<void>();
    const readLine = async (): Promise<string> => {
      await guests(at, ['update', 'Anna', '--on', 'back', '--when', 'Mon 08:00-11:00']);
      other.resolve();
      return '0815';
    };
    const { ended } = begin(at, ['guests', 'update', 'Anna', '--new-code', '--all-locks'], systemClock, {
      readLine,
    });
    await other.promise;
    expect(await during(at, ended)).toEqual({
      status: 1,
      out: '',
      err: containing(
        'Nothing was changed: somebody else changed this meanwhile. Now: "Anna", Mon 08:00-11:00, on Back door. Yours: other digits, on all locks. Try again to use yours.',
      ),
    });
    await at.clock.advance(10_000);
    expect((await guests(at, ['show', 'Anna', '--reveal'])).out).toBe(
      'Anna  ••••  Mon 08:00-11:00 (UTC-04:00)\n  Back door: Up to date\n  code: 4711\n',
    );
  });
});
