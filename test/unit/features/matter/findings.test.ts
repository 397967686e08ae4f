// The doctor's findings on Matter: none unless config.json asks for it, and then the next step.
import { describe, expect, it } from 'vitest';
import { matterFindings, matterNodeFinding } from '../../../../src/features/matter/commands/findings.ts';

describe('the doctor', () => {
  it('leaves out Matter where it is not configured', () => {
    expect(matterFindings({})).toEqual([]);
    expect(matterFindings({ matter: 'off', _bridge: { matter: {} } })).toEqual([]);
  });

  it('is content where Matter is on for the child bridge', () => {
    const findings = matterFindings({ matter: 'both', _bridge: { matter: { port: 5540 } } });
    expect(findings).toMatchObject([{ grade: 'ok', advice: null }]);
  });

  it.each([
    ['off', null],
    ['starting', 'note'],
    ['reachable', 'ok'],
    ['offline', 'warning'],
    ['not-added', 'warning'],
  ] as const)('judges a node that is %s: %s', (state, grade) => {
    expect(matterNodeFinding(state)?.grade ?? null).toBe(grade);
  });

  it.each([
    [{ matter: 'both' }, /child bridge/],
    [{ locks: [{ id: 'a', matter: 'only' }], _bridge: {} }, /Turn Matter on/],
    [{ matter: 'only', _bridge: { matter: { enabled: false } } }, /Turn Matter on/],
  ])('warns of %j, and says what to do', (block, advice) => {
    const [finding, ...others] = matterFindings(block);
    expect(others).toEqual([]);
    expect(finding?.grade).toBe('warning');
    expect(finding?.what).toContain('stay in HomeKit');
    expect(finding?.advice).toMatch(advice);
  });
});
