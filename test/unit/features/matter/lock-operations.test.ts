// Moves of a bolt as Matter events: the source of each, and the controller behind a command.
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import { errorEvent, operationEvent } from '../../../../src/features/matter/node/lock-operations.ts';

const ASKER = { fabricIndex: 3, sourceNode: 9n, userIndex: null };

describe('an operation', () => {
  it.each<[AccessMethod, number]>([
    ['thumbturn', 1],
    ['platform', 2],
    ['virtual-key', 2],
    ['own-command', 2],
    ['access-code', 3],
    ['auto-relock', 4],
    ['one-touch', 5],
    ['lock-button', 5],
    ['unlock-button', 5],
    ['schedule', 6],
    ['platform-key', 8],
    ['unavailable', 0],
    ['other', 0],
  ])('by %s has the source %i', (method, operationSource) => {
    expect(operationEvent({ to: 'secured', method }, null)).toEqual({
      name: 'lockOperation',
      payload: {
        lockOperationType: 0,
        operationSource,
        userIndex: null,
        fabricIndex: null,
        sourceNode: null,
      },
    });
  });

  it('by a hand never names the controller that asked for the same by chance', () => {
    expect(operationEvent({ to: 'unsecured', method: 'thumbturn' }, ASKER).payload).toMatchObject({
      operationSource: 1,
      fabricIndex: null,
      sourceNode: null,
    });
  });
});

it('an error names the controller of a command over Matter, and no other', () => {
  expect(errorEvent('secured', ASKER).payload).toMatchObject({
    operationSource: 7,
    operationError: 0,
    ...ASKER,
  });
  expect(errorEvent('secured', null).payload).toMatchObject({ operationSource: 2, fabricIndex: null });
});
