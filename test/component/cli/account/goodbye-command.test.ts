// `latchkey goodbye` through the plugin and without it: what it says before and after, and its exit status.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import {
  begin,
  containing,
  during,
  endedWith,
  inTime,
  latchkey,
  linkedHome,
  pushedHome,
} from '../terminal.ts';

const DRAFT = { name: 'Cleaner', pin: '482915', schedule: { kind: 'always' } } as const;

async function withCleaner(home: SimulatedHome): Promise<SimulatedHome> {
  const lock = home.idOf('Front door');
  await home.answered(home.app.operations['guests.add']({ draft: DRAFT, locks: [lock] }));
  await home.clock.advance(120_000);
  return home;
}

/** What the account left in the folder of Homebridge. */
function filesOf({ folder }: SimulatedHome): readonly string[] {
  const place = join(folder, 'latchkey');
  return existsSync(place) ? readdirSync(place) : [];
}

describe('latchkey goodbye (faults#164)', () => {
  it('tells what it would remove, and removes nothing', async () => {
    const home = await withCleaner(await pushedHome());
    const ran = await latchkey(home, 'goodbye', '--dry-run');
    expect(ran).toMatchObject({ status: 0, out: containing('Code of Cleaner: comes off Front door') });
    expect(ran.out).toContain('Webhooks: unregistered at the service');
    expect(ran.out).toContain('Sign-in: given up');
    expect(ran.out + ran.err).not.toContain(DRAFT.pin);
    expect(await home.app.operations['guests.list']({})).toHaveLength(1);
    expect(filesOf(home)).not.toEqual([]);
  });

  it('ends the account of a running plugin: codes, webhooks, sign-in and files', async () => {
    const home = await withCleaner(await pushedHome());
    const ran = await inTime(home, ['goodbye', '--yes', '--json']);
    expect(ran).toMatchObject({ status: 0 });
    expect(JSON.parse(ran.out)).toEqual({ ended: true, codes: [], webhooks: false, broker: null });
    const { codesOnLock } = home.simulator.world.inspect(home.idOf('Front door'));
    // The code that was made in the lock's app is not ours to remove.
    expect(codesOnLock.map(({ name }) => name)).toEqual(['Resident']);
    await home.clock.advance(1_000);
    await home.app.dispose();
    expect(filesOf(home)).toEqual([]);
  });

  it('ends it without a running plugin, too', async () => {
    const home = await linkedHome();
    await home.app.dispose();
    expect(await inTime(home, ['goodbye', '--yes'])).toMatchObject({
      status: 0,
      out: containing('The account has ended.'),
    });
    expect(filesOf(home)).toEqual([]);
  });

  it('asks for the name of the account, and changes nothing for another one', async () => {
    const home = await withCleaner(await linkedHome());
    const { ended } = begin(home, ['goodbye'], home.clock, { typed: ['yes'] });
    expect(await during(home, ended)).toMatchObject(endedWith(1, 'Nothing was changed.'));
    expect(await home.app.operations['guests.list']({})).toHaveLength(1);
  });

  it('goes on while a lock that is away may have a code: it is named, and nothing is given up', async () => {
    const home = await withCleaner(await linkedHome());
    await home.control('locks/Front door/cut-wifi', {});
    await home.clock.advance(120_000);
    const { ended } = begin(home, ['goodbye', '--yes'], home.clock);
    const ran = await during(home, ended, () => 5_000);
    expect(ran).toMatchObject({
      status: 4,
      out: containing('The code of Cleaner may still open Front door.'),
    });
    expect(home.app.runtime.linkState()).toBe('linked');
    const left = begin(home, ['goodbye', '--yes', '--leave-codes'], home.clock).ended;
    expect(await during(home, left, () => 5_000)).toMatchObject({
      status: 1,
      out: containing('The code of Cleaner may still open Front door.'),
    });
    expect(home.app.runtime.linkState()).toBe('unlinked');
  });
});
