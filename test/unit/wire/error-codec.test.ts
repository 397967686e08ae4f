// Every form of error body, read alike; its text stays inside.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeError, isKeyRefusal } from '../../../src/wire/error-codec.ts';

describe('an error body', () => {
  it.each([
    // Wire contract 0: the device interface, with the seed's capital D.
    [{ errorCode: 36, Description: 'Cannot process' }, 36, 'lock-busy', 'Cannot process'],
    // Wire contract 3: inside a command, and the published example (faults#37).
    [{ statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' }, 32, 'bolt-jammed', 'Bolt is jammed'],
    [{ statusCode: '409', errorCode: '32', errorMesage: 'Bolt' }, 32, 'bolt-jammed', 'Bolt'],
    // Wire contract 0: the gateway.
    [{ statusCode: 401, message: 'Access denied' }, null, null, 'Access denied'],
    // Specification, Rate limit error and OAuth errors.
    [{ error: 'Try again in 37 seconds.' }, null, null, 'Try again in 37 seconds.'],
    [{ errorCode: 99 }, 99, 'unrecognised', ''],
    [{}, null, null, ''],
    [{ errorCode: {}, Description: 7, message: null }, null, null, ''],
    [undefined, null, null, ''],
    [null, null, null, ''],
    ['<html>', null, null, ''],
    [[{ errorCode: 1 }], null, null, ''],
  ])('%j is read (faults#37)', (body, errorCode, reason, sentence) => {
    expect(decodeError(body)).toEqual({ errorCode, reason, sentence });
  });

  it('of any shape is read without a throw', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(decodeError(body)).toHaveProperty('sentence');
      }),
    );
  });
});

it.each([
  ['Access denied: subscription key is missing.', true],
  ['Access denied: subscription key is not valid.', true],
  ['Invalid API key', true],
  ['The api-key is unknown.', true],
  ['Access token is missing or not valid.', false],
  ['', false],
])('a 401 with "%s" is about the key: %s', (message, aboutKey) => {
  expect(isKeyRefusal(decodeError({ statusCode: 401, message }))).toBe(aboutKey);
});
