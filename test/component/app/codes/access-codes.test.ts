// Access codes over the whole account and the real simulator: listed, added, changed, removed, and their secrets kept.
import { describe, expect, it } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { ended } from './ended.ts';

const MORNINGS = {
  kind: 'recurring',
  windows: [{ days: ['Monday', 'Wednesday'], from: '08:00', until: '11:00' }],
} as const;

async function homeWithCodes() {
  const home = await SimulatedHome.linked();
  const lock = home.idOf('Front door');
  const { operations } = home.app;
  return {
    home,
    lock,
    operations,
    list: async () => home.answered(operations['codes.list']({ lock })),
  };
}

describe('the access codes of a lock', () => {
  it('are listed without their digits, which only a request of their own reveals (faults#68)', async () => {
    const { home, lock, operations, list } = await homeWithCodes();
    const { codes, pinLength } = await list();
    expect(codes).toEqual([
      {
        id: expect.any(String) as string,
        guest: null,
        name: 'Resident',
        pinLength: 4,
        readOnly: false,
        revision: expect.any(Number) as number,
        schedule: { kind: 'always' },
      },
    ]);
    // This lock takes codes of different lengths, and says so.
    expect(pinLength).toBeNull();
    const revealed = await home.answered(operations['codes.reveal']({ lock, code: codes[0]?.id }));
    expect(revealed).toEqual({ pin: '2580' });
    expect(home.lines.join('\n')).not.toContain('2580');
  });
});

it('the plan for a file names the codes of the lock without their digits, and sends nothing', async () => {
  const { home, lock, operations } = await homeWithCodes();
  const draft = { name: 'Guest', pin: '0417', schedule: { kind: 'always' } };
  const choices = { keepOthers: false, includeGuests: false };
  const before = await home.requests('POST', '/commands');
  const plan = await home.answered(
    operations['codes.plan']({ lock, wanted: [{ place: 'Line 2', draft }], ...choices }),
  );
  expect(plan).toMatchObject({ steps: [{ kind: 'add' }, { kind: 'remove', code: { name: 'Resident' } }] });
  expect(JSON.stringify(plan)).not.toContain('2580');
  expect(await home.requests('POST', '/commands')).toHaveLength(before.length);
});

it('the time zone that config.json names for a lock places the dates of its codes, beyond a change of clocks (faults#120)', async () => {
  const { home, lock } = await homeWithCodes();
  await home.restart({ locks: [{ id: lock, timeZone: 'America/New_York' }] });
  const { operations } = home.app;
  const winter = { from: Date.UTC(2027, 0, 5, 15), until: Date.UTC(2027, 0, 8, 16) };
  const draft = { name: 'Guest', pin: '0417', schedule: { kind: 'temporary', ...winter } };
  expect(await ended(home, operations['codes.add']({ lock, draft }))).toMatchObject({ phase: 'done' });
  expect(await home.answered(operations['codes.list']({ lock }))).toMatchObject({
    codes: [{}, { name: 'Guest', schedule: winter }],
    timeZone: 'America/New_York',
    zoneFrom: 'option',
  });
});

it('two people who change one code (faults#119) do not undo each other: the second is told, and sees both versions', async () => {
  const { home, lock, operations, list } = await homeWithCodes();
  await ended(
    home,
    operations['codes.add']({ lock, draft: { name: 'Cleaner', pin: '0417', schedule: MORNINGS } }),
  );
  const seen = (await list()).codes.find(({ name }) => name === 'Cleaner');
  const { id: code, revision } = seen ?? {};
  // The other changes the digits alone, which nobody sees.
  await ended(home, operations['codes.update']({ lock, code, changes: { pin: '0418' } }));
  const before = await home.requests('POST', '/commands');
  const changes = { schedule: { kind: 'always' } };
  for (const ask of [
    async () => operations['codes.update']({ lock, code, changes, revision }),
    async () => operations['codes.remove']({ lock, code, revision }),
  ]) {
    await expect(home.answered<unknown>(ask())).rejects.toMatchObject({ code: 'changed-meanwhile' });
  }
  const stale = operations['codes.update']({ lock, code, changes: { name: 'Ann', pin: '9999' }, revision });
  await expect(home.answered<unknown>(stale)).rejects.toThrow(
    /^Nothing was changed: somebody else changed this meanwhile. Now: "Cleaner", [\w,]+ [\d:-]+. Yours: "Ann", other digits. Try again to use yours.$/u,
  );
  expect(await home.requests('POST', '/commands')).toHaveLength(before.length);
  const now = (await list()).codes.find(({ name }) => name === 'Cleaner')?.revision;
  const renamed = operations['codes.update']({ lock, code, changes: { name: 'Ann' }, revision: now });
  expect(await ended(home, renamed)).toMatchObject({ phase: 'done' });
  expect(home.simulator.world.inspect(lock).codesOnLock).toMatchObject([{}, { code: '0418', name: 'Ann' }]);
});
