// Lengths of codes that locks take, learned from their codes, acceptances and refusals: over the real simulator, and in the demo.
import { expect, it } from 'vitest';
import { readScenario } from '../../../../simulator/src/simulate.ts';
import { accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import type { CodeProgress } from '../../../../src/domain/codes/operation.ts';
import { commonLength, NOTHING_LEARNED } from '../../../../src/domain/codes/pin-length.ts';
import { lockId as asLockId } from '../../../../src/domain/locks/lock.ts';
import { LockNotes } from '../../../../src/engine/codes/lock-notes.ts';
import { LockStore } from '../../../../src/engine/locks/lock-store.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { RESIDENT, SimulatedHome } from '../../../homes/simulated-home.ts';
import { ended } from './ended.ts';

const ALWAYS = { kind: 'always' } as const;

const add = async (home: SimulatedHome, lock: string, name: string, pin: string): Promise<CodeProgress> =>
  ended(home, home.app.operations['codes.add']({ lock, draft: { name, pin, schedule: ALWAYS } }));

const lengthsOf = async (home: SimulatedHome, lock: string) => {
  const listed = await home.answered(home.app.operations['codes.list']({ lock }));
  const { pinLength, knownLength, refusedLengths } = listed;
  return { pinLength, knownLength, refusedLengths };
};

it('the first guest of the demo, with a code of the suggested length, is refused by no lock', async () => {
  const { users = [], locks = [] } = readScenario('demo');
  const home = await SimulatedHome.linked({ simulator: { scenario: { users, locks } } });
  const all = await home.app.operations['locks']({});
  const facts = [];
  for (const { id } of all) {
    facts.push(await home.answered(home.app.operations['codes.list']({ lock: id })));
  }
  const pin = '4711'.padEnd(commonLength(facts) ?? 0, '1');
  await home.app.operations['guests.add']({ draft: { name: 'Anna', pin, schedule: ALWAYS }, locks: 'all' });
  await home.clock.advance(20_000);
  const [guest] = await home.app.operations['guests.list']({});
  expect(guest?.onLocks.map(({ standing }) => standing.kind)).toEqual([
    'up-to-date',
    'up-to-date',
    'up-to-date',
  ]);
});

it('a refused length and an accepted one are known after a restart, also where the lock has no code', async () => {
  const home = await SimulatedHome.linked();
  const lock = home.idOf('Back door');
  home.simulator.world.configure(lock, { vlac: false, accessCodeLength: 6 });
  expect((await add(home, lock, 'Anna', '4711')).failure?.reason).toBe('code-length-out-of-range');
  expect(await lengthsOf(home, lock)).toEqual({ pinLength: null, knownLength: null, refusedLengths: [4] });
  const { codeId } = await add(home, lock, 'Anna', '471100');
  expect(await lengthsOf(home, lock)).toEqual({ pinLength: 6, knownLength: 6, refusedLengths: [4] });
  await ended(home, home.app.operations['codes.remove']({ lock, code: codeId ?? '' }));
  await home.restart();
  expect(await lengthsOf(home, lock)).toEqual({ pinLength: null, knownLength: 6, refusedLengths: [4] });
});

it('listed codes of a length that the lock refuses do not forbid the length that it takes', async () => {
  const accessCodes = [{ name: 'Resident', code: '2580' }];
  const locks = [
    { name: 'Door', type: 'WifiDeadbolt' as const, roles: { [RESIDENT]: 'owner' as const }, accessCodes },
  ];
  const users = [{ userId: RESIDENT, friendlyName: 'Resident', email: 'resident@home.example' }];
  const home = await SimulatedHome.linked({ simulator: { scenario: { users, locks } } });
  const lock = home.idOf('Door');
  expect((await lengthsOf(home, lock)).knownLength).toBe(4);
  home.simulator.world.configure(lock, { vlac: false, accessCodeLength: 6 });
  expect((await add(home, lock, 'Anna', '4711')).phase).toBe('failed');
  expect(await lengthsOf(home, lock)).toEqual({ pinLength: null, knownLength: null, refusedLengths: [4] });
  expect((await add(home, lock, 'Anna', '471100')).phase).toBe('done');
});

it.each(['****', '', '1***'])('digits that the service hides as "%s" say nothing of a length', (pin) => {
  const codes = { lengths: () => NOTHING_LEARNED, saveLengths() {}, strays: () => [], saveStrays() {} };
  const store = new LockStore(() => {}, {
    staleBefore: () => 0,
    bounds: () => ({ latest: 0, setBackMs: 0 }),
  });
  const notes = new LockNotes({ store, log: silentLog, codes: { store: codes } });
  const code = { name: 'Anna', readOnly: false, schedule: ALWAYS };
  const hidden = { ...code, id: accessCodeId('a'), pin };
  const shown = { ...code, id: accessCodeId('b'), pin: '471100' };
  const id = asLockId('door');
  expect(notes.lengths(id, [hidden])).toMatchObject({ anyLength: false, knownLength: null });
  expect(notes.lengths(id, [hidden, shown])).toMatchObject({ anyLength: false, knownLength: 6 });
});

it('a guest is tried again on request where the lock failed by chance, not where it would refuse the same', async () => {
  const home = await SimulatedHome.linked();
  const [front, back] = [home.idOf('Front door'), home.idOf('Back door')];
  home.simulator.world.configure(back, { vlac: false, accessCodeLength: 6 });
  home.simulator.world.failNextCommands(front, { errorCode: 2, count: 1 });
  const draft = { name: 'Anna', pin: '4711', schedule: ALWAYS };
  await home.app.operations['guests.add']({ draft, locks: [front, back] });
  await home.clock.advance(20_000);
  const [guest] = await home.app.operations['guests.list']({});
  expect(guest?.onLocks.map(({ standing, mayRetry }) => [standing.kind, mayRetry])).toEqual([
    ['refused', true],
    ['refused', false],
  ]);
});

it('the rules of all locks are told without asking the service, and say which of them are recent', async () => {
  const home = await SimulatedHome.linked();
  const lock = home.idOf('Back door');
  await lengthsOf(home, lock);
  const before = await home.count('GET', '');
  const rules = await home.app.operations['codes.rules']({});
  expect(await home.count('GET', '')).toBe(before);
  expect(rules.map(({ isRecent }) => isRecent)).toEqual(rules.map(({ lockId }) => lockId === lock));
  expect(rules.find(({ lockId }) => lockId === lock)).toMatchObject({ zoneFrom: 'offset' });
  await home.clock.advance(60_000);
  expect((await home.app.operations['codes.rules']({})).some(({ isRecent }) => isRecent)).toBe(false);
});
