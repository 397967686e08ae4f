// The table of codes made in Home: its cached form, and new identifiers.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import {
  homeCodeTableIn,
  NO_HOME_CODES,
  newIdentifier,
  nextState,
} from '../../../../src/homekit/hap/home-code-table.ts';

const code = (identifier: number) => ({ identifier, name: `Home ${identifier}`, codeId: null });

describe('the table of codes made in Home', () => {
  it('is read back from the cache unchanged', () => {
    const table = { state: 65_535, codes: [{ ...code(255), codeId: accessCodeId('a') }, code(1)] };
    expect(homeCodeTableIn(JSON.parse(JSON.stringify(table)))).toEqual(table);
  });

  it.each([
    undefined,
    null,
    'x',
    {},
    { state: 1 },
    { state: 65_536, codes: [] },
    { state: -1, codes: [] },
    { state: 0.5, codes: [] },
    { state: 1, codes: [null] },
    { state: 1, codes: [code(0)] },
    { state: 1, codes: [code(256)] },
    { state: 1, codes: [{ ...code(1), name: 7 }] },
    { state: 1, codes: [{ ...code(1), codeId: 7 }] },
  ])('is empty where the cache holds something else: %j', (cached) => {
    expect(homeCodeTableIn(cached)).toEqual(NO_HOME_CODES);
  });

  it('changes its state with every change, within 16 bits', () => {
    expect([0, 65_535].map(nextState)).toEqual([1, 0]);
  });

  it.each([
    ['the first of all', [], 1],
    ['above all others', [2, 7, 3], 8],
    ['the highest', [254], 255],
    ['the lowest that is free, once the highest is taken', [1, 2, 4, 255], 3],
    ['none, once all are taken', Array.from({ length: 255 }, (_, at) => at + 1), null],
  ])('gives an identifier: %s', (_, used, identifier) => {
    expect(newIdentifier(used)).toBe(identifier);
  });
});
