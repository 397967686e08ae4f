// Who may call an operation: each row of the list says so, and the servers of pages ask the row.
import { expect, it } from 'vitest';
import { nothing, type Operation, operation } from '../../../../src/panel/operations/operation.ts';
import { isPageOperation, type PanelParts, panelApi } from '../../../../src/panel/operations/panel-api.ts';

const NAMES = Object.keys(panelApi({} as PanelParts));

it('pages may call every operation but those that could open a door, log in, or take the account (faults#80)', () => {
  expect(NAMES.length).toBeGreaterThan(60);
  const kept = ['move', 'stays.read-feed', 'panel.show', 'panel.login', 'step-back'];
  expect(new Set(NAMES.filter((name) => !isPageOperation(name)))).toEqual(new Set(kept));
});

it('a row that does not say who may call it is refused by the compiler', () => {
  // @ts-expect-error -- a row needs its callers
  const callersMissing: Operation<unknown, number> = { effect: 'reads', perform: async () => 1 };
  // @ts-expect-error -- and they come first
  const callersLeftOut = (): unknown => operation('reads', nothing, () => 1);
  // @ts-expect-error -- of two words
  const callersUnknown = operation('anyone', 'reads', nothing, () => 1);
  expect([callersMissing, callersLeftOut, callersUnknown]).toHaveLength(3);
});
