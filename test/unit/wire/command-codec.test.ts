// Commands to the wire and back: the written position is the requested one, and only a stated success is one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import {
  commandIdOfLocation,
  decodeCommand,
  encodeMove,
  strangeCommandWords,
} from '../../../src/wire/command-codec.ts';
import { deviceEndpoints } from '../../../src/wire/endpoints.ts';

const endpoints = deviceEndpoints('locks');
const door = lockId('door-1');
const asked = commandId('c-1');

describe('a request to the service', () => {
  it.each([
    ['secured', 'Locked'],
    ['unsecured', 'Unlocked'],
  ] as const)('%s is a ChangeLockState to %s', (target, lockState) => {
    expect(encodeMove(endpoints, 'commands', door, target)).toEqual({
      method: 'POST',
      path: '/locks/devices/door-1/commands',
      body: { name: 'ChangeLockState', data: { lockState } },
    });
  });

  it.each([
    ['secured', '/locks/devices/door-1/lock', 'Locked'],
    ['unsecured', '/locks/devices/door-1/unlock', 'Unlocked'],
  ] as const)('%s goes to %s in the style of the aliases', (target, path, lockState) => {
    expect(encodeMove(endpoints, 'rest', door, target)).toEqual({
      method: 'POST',
      path,
      body: { lockState },
    });
  });

  it('stays below the device whatever the id holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        const { path } = encodeMove(endpoints, 'commands', lockId(`d${id}`), 'secured');
        const { pathname, search, hash } = new URL(path, 'https://service.example');
        expect(pathname).toMatch(/^\/locks\/devices\/[^/]+\/commands$/);
        expect(search + hash).toBe('');
        expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(`d${id}`);
      }),
    );
  });
});

describe('the answer to a command', () => {
  it.each([
    [{ commandId: 'c-1', state: 'Pending', data: { lockState: 'Unknown', error: null } }, 'pending'],
    [{ state: 'Successful' }, 'successful'],
    [{ commandId: 'c-1', state: 'Queued' }, 'pending'],
    [{ commandId: 'c-1', state: 'successful' }, 'successful'],
    [{ commandId: 'c-1', state: 'SUCCESSFUL' }, 'successful'],
    [{ commandId: 'c-1', state: 'Success' }, 'pending'],
    [{ commandId: 'c-1', state: 'Completed' }, 'pending'],
    [{ commandId: 'c-1', state: ['Successful'] }, 'pending'],
    [{ commandId: 'c-1' }, 'pending'],
  ])('%j is %s', (body, state) => {
    expect(decodeCommand(body, asked)).toEqual({ state, commandId: 'c-1' });
  });

  it.each([
    ['Locked', 'secured'],
    ['Unlocked', 'unsecured'],
    ['Unknown', 'unknown'],
  ])('that is successful names the bolt as %s (faults#85)', (lockState, bolt) => {
    const body = { commandId: 'c-1', state: 'Successful', data: { lockState, error: null } };
    expect(decodeCommand(body, asked)).toEqual({ state: 'successful', commandId: 'c-1', bolt });
  });

  it.each([null, 1, 'locked', undefined])(
    'that is successful with the lock state %j names no position',
    (lockState) => {
      const body = { commandId: 'c-1', state: 'Successful', data: { lockState, error: null } };
      expect(decodeCommand(body, asked)).toEqual({ state: 'successful', commandId: 'c-1' });
    },
  );

  it.each([32, '32', 13, 99])('that is successful with error %j proves nothing', (errorCode) => {
    const data = { lockState: 'Locked', error: { errorCode } };
    expect(decodeCommand({ commandId: 'c-1', state: 'Successful', data }, asked)).toEqual({
      state: 'failed',
      commandId: 'c-1',
      reason: 'unrecognised',
    });
  });

  it.each([0, '0', null, undefined])('that is successful with error %j is successful', (errorCode) => {
    const data = { lockState: 'Locked', error: { errorCode } };
    expect(decodeCommand({ commandId: 'c-1', state: 'Successful', data }, asked)).toEqual({
      state: 'successful',
      commandId: 'c-1',
      bolt: 'secured',
    });
  });

  it('that failed names the reason, by its number', () => {
    const error = { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' };
    expect(decodeCommand({ commandId: 'c-1', state: 'Failed', data: { error } }, asked)).toEqual({
      state: 'failed',
      commandId: 'c-1',
      reason: 'bolt-jammed',
    });
  });

  it('is read in the published example with integers as strings and a misspelt member (faults#37)', () => {
    const error = { statusCode: '409', errorCode: '36', errorMesage: 'Cannot process' };
    expect(decodeCommand({ commandId: 'c-1', state: 'Failed', data: { error } }, asked)).toMatchObject({
      reason: 'lock-busy',
    });
  });

  it('that failed is read in any letter case', () => {
    const data = { error: { errorCode: 32 } };
    expect(decodeCommand({ commandId: 'c-1', state: 'FAILED', data }, asked)).toMatchObject({
      state: 'failed',
      reason: 'bolt-jammed',
    });
  });

  it.each([
    ['Completed', ['state "Completed"']],
    [3, ['state 3']],
    ['PENDING', []],
    ['successful', []],
    [null, []],
    [undefined, []],
  ])('with an unknown word names its state %j', (state, words) => {
    expect(strangeCommandWords({ commandId: 'c-1', state })).toEqual(words);
    expect(strangeCommandWords(null)).toEqual([]);
  });

  it.each([undefined, null, {}, { error: null }, { error: {} }, { error: { errorCode: 'x' } }, 'text'])(
    'that failed with data %j failed for an unknown reason (faults#37)',
    (data) => {
      expect(decodeCommand({ commandId: 'c-1', state: 'Failed', data }, asked)).toMatchObject({
        state: 'failed',
        reason: 'unrecognised',
      });
    },
  );

  it.each([null, undefined, 'Pending', [], 7])('%j is no command', (body) => {
    expect(decodeCommand(body, asked)).toBeNull();
  });

  it('with another id is not that of the command', () => {
    expect(decodeCommand({ commandId: 'c-2', state: 'Successful' }, asked)).toBeNull();
  });

  it('without an id cannot be followed when the command is new', () => {
    expect(decodeCommand({ state: 'Pending' }, null)).toBeNull();
    expect(decodeCommand({ state: 'Pending', commandId: '..' }, null)).toBeNull();
  });

  it('is a success only for a body that says so', () => {
    const bodies = fc.oneof(
      fc.anything(),
      fc.record({
        commandId: fc.constantFrom('c-1', 'c-2', null),
        state: fc.anything(),
        data: fc.anything(),
      }),
      fc.record({ commandId: fc.constant('c-1'), state: fc.mixedCase(fc.constant('Successful')) }),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const said = typeof body === 'object' && body !== null && 'state' in body ? body.state : undefined;
        if (decodeCommand(body, asked)?.state === 'successful') {
          expect(said).toMatch(/^successful$/i);
        }
      }),
    );
  });
});

describe('the address of a read-back', () => {
  it.each([
    ['https://api.example/v2/locks/devices/d/commands/c-1', 'c-1'],
    ['/locks/devices/d/commands/c%2F1', 'c/1'],
    ['/locks/devices/d/commands/c-1/', 'c-1'],
    ['/locks/devices/d/commands/c-1?version=2', 'c-1'],
    ['https://api.example/locks/devices/d/commands/', null],
    ['https://api.example/locks/devices/d/commands/c-1/more', null],
    ['https://api.example/locks/devices/d', null],
    ['/locks/devices/d/commands/c-1/data', null],
    ['/commands/%E0%A4%A', null],
    ['/commands/..', null],
    [undefined, null],
  ])('%s names the command %s', (location, id) => {
    expect(commandIdOfLocation(location)).toBe(id);
  });

  it('round-trips every id that could be asked for', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(commandIdOfLocation(`https://api.example${endpoints.command(door, commandId(id))}`)).toBe(id);
      }),
    );
  });
});
