// Changes that belong together, as a file of codes asks for them: one after the other, and none after one that failed.
import { describe, expect, it, vi } from 'vitest';
import { KeptCodeStore } from '../../../../src/storage/codes/code-store.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { CodeHome, DOOR } from '../../../homes/codes-home.ts';
import type { CodeMishap } from '../../../stand-ins/service/codes.ts';

const ALWAYS = { kind: 'always' } as const;
const OLD = { name: 'Old', pin: '1000', schedule: ALWAYS };
const ANN = { kind: 'add', draft: { name: 'Ann', pin: '0417', schedule: ALWAYS } } as const;
const BEN = { kind: 'add', draft: { name: 'Ben', pin: '8842', schedule: ALWAYS } } as const;

const FAILS = { fails: 'code-not-added' } as const;

/** A lock with one code, and the plan that two others come in its place. */
async function planned() {
  const home = new CodeHome();
  await home.asked(home.codes.add(DOOR, OLD));
  await home.clock.advance(5_000);
  const [old] = (await home.asked(home.codes.list(DOOR))).codes;
  const code = old ?? expect.fail('The code was not added');
  return { home, steps: [ANN, BEN, { kind: 'remove' as const, code }] };
}

/** `mishaps`: of the commands of the plan, in their order. */
async function begun(...mishaps: readonly CodeMishap[]): Promise<CodeHome> {
  const { home, steps } = await planned();
  home.service.mishaps = [...mishaps];
  await home.asked(home.codes.carryOut(DOOR, steps));
  return home;
}

const names = ({ service }: CodeHome): readonly string[] => service.codesOf.map(({ name }) => name);
const phases = ({ codes }: CodeHome): readonly string[] =>
  codes.operations().map(({ name, phase, failure }) => `${name ?? '?'} ${failure?.reason ?? phase}`);

describe('the changes of a plan', () => {
  it('come one after the other, in its order', async () => {
    const home = await begun();
    const seen: string[] = [];
    home.service.onApply = () => seen.push(names(home).join('+'));
    await home.clock.advance(20_000);
    expect(seen).toEqual(['Old', 'Old+Ann', 'Old+Ann+Ben']);
    expect(names(home)).toEqual(['Ann', 'Ben']);
    expect(phases(home)).toEqual(['Old done', 'Ann done', 'Ben done', 'Old done']);
  });

  it('go on with the next process where the first one ended at any moment, and none comes twice', async () => {
    for (let ms = 0; ms < 6_000; ms += 150) {
      const home = await begun();
      await home.clock.advance(ms);
      await home.crash();
      await home.clock.advance(200_000);
      expect([ms, names(home), home.open()]).toEqual([ms, ['Ann', 'Ben'], []]);
    }
  });

  it.each([
    ['first', ['Old'], [FAILS]],
    ['second', ['Old', 'Ann'], ['late-list', FAILS]],
  ] as const)('are not begun after the %s failed, also not by the next process', async (_, left, mishaps) => {
    const home = await begun(...mishaps);
    await home.clock.advance(20_000);
    await home.crash();
    await home.clock.advance(200_000);
    expect(names(home)).toEqual(left);
    expect(home.open()).toEqual([]);
    expect(home.lines.join('\n')).toContain(
      'Front door: couldn’t remove an access code: An earlier change of the same plan failed, so this one was not begun.',
    );
  });

  it('are not begun either where the disk forgets only some of them with the one that failed', async () => {
    const home = await begun(FAILS);
    const erase = vi.spyOn(home.store, 'eraseGuest');
    erase.mockImplementationOnce((id) => {
      KeptCodeStore.prototype.eraseGuest.call(home.store, id);
    });
    erase.mockImplementation(() => {
      throw new RetryError('storage-failed', 'The disk is full.');
    });
    await home.clock.advance(10_000);
    erase.mockRestore();
    // The beginning of the plan is left: it is begun anew, and what was erased never comes.
    expect(home.open().map(({ draft }) => draft.name)).toEqual(['Ann', 'Ben']);
    expect(phases(home).slice(1)).toEqual(['Ann code-not-added', 'Ben not-sent', 'Old not-sent']);
  });

  it('are all refused where somebody has changed one of the codes since, and where not all can be stored', async () => {
    const { home, steps } = await planned();
    home.service.codesOf = home.service.codesOf.map((code) => ({ ...code, pin: '1001' }));
    await home.clock.advance(6_000);
    await expect(home.asked(home.codes.carryOut(DOOR, steps))).rejects.toThrow(/somebody else changed this/u);
    const save = vi.spyOn(home.store, 'saveGuest');
    save.mockImplementationOnce((row) => {
      KeptCodeStore.prototype.saveGuest.call(home.store, row);
    });
    save.mockImplementation(() => {
      throw new RetryError('storage-failed', 'The disk is full.');
    });
    await expect(home.asked(home.codes.carryOut(DOOR, [ANN, BEN]))).rejects.toThrow('The disk is full.');
    save.mockRestore();
    await home.clock.advance(20_000);
    expect([names(home), home.open()]).toEqual([['Old'], []]);
  });
});
