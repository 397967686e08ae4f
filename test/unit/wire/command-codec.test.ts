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
    ['secured', '/locks/devices/door-1/lock', 'Locked'],
    ['unsecured', '/locks/devices/door-1/unlock', 'Unlocked'],
  ] as const)(
    '%s is a ChangeLockState, or goes to %s in the style of the aliases',
    (target, path, lockState) => {
      const commands = '/locks/devices/door-1/commands';
      const body = { name: 'ChangeLockState', data: { lockState } };
      expect(encodeMove(endpoints, 'commands', door, target)).toEqual({
        method: 'POST',
        path: commands,
        body,
      });
      const alias = { method: 'POST', path, body: { lockState } };
      expect(encodeMove(endpoints, 'rest', door, target)).toEqual(alias);
    },
  );

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

  const withData = (state: string, data: unknown) => decodeCommand({ commandId: 'c-1', state, data }, asked);

  it.each<readonly [unknown, object]>([
    ['Locked', { bolt: 'secured' }],
    ['Unlocked', { bolt: 'unsecured' }],
    ['Unknown', { bolt: 'unknown' }],
    ...[null, 1, 'locked', undefined].map((word) => [word, {}] as const),
  ])('that is successful with the lock state %j names the bolt in %j (faults#85)', (lockState, bolt) => {
    const said = withData('Successful', { lockState, error: null });
    expect(said).toEqual({ state: 'successful', commandId: 'c-1', ...bolt });
  });

  it.each<readonly [unknown, object]>([
    ...[32, '32', 13, 99].map((code) => [code, { state: 'failed', reason: 'unrecognised' }] as const),
    ...[0, '0', null, undefined].map((code) => [code, { state: 'successful', bolt: 'secured' }] as const),
  ])('that is successful with error %j is %j', (errorCode, reading) => {
    const said = withData('Successful', { lockState: 'Locked', error: { errorCode } });
    expect(said).toEqual({ commandId: 'c-1', ...reading });
  });

  it.each([
    ['by its number', 'Failed', { statusCode: 409, errorCode: 32, errorMessage: 'Bolt' }, 'bolt-jammed'],
    // As in the published example, with a misspelt member.
    [
      'with integers as strings',
      'Failed',
      { statusCode: '409', errorCode: '36', errorMesage: 'Cannot process' },
      'lock-busy',
    ],
    ['in any letter case', 'FAILED', { errorCode: 32 }, 'bolt-jammed'],
  ])('that failed names the reason %s (faults#37)', (_, state, error, reason) => {
    expect(withData(state, { error })).toEqual({ state: 'failed', commandId: 'c-1', reason });
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
      expect(withData('Failed', data)).toMatchObject({ state: 'failed', reason: 'unrecognised' });
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
])('the address of a read-back %s names the command %s', (location, id) => {
  expect(commandIdOfLocation(location)).toBe(id);
});
