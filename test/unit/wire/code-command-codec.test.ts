// Commands on access codes: the request in either style, and the code that an answer names.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import type { CodeCommand } from '../../../src/domain/codes/ports.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { decodeCodeCommand, encodeCodeCommand } from '../../../src/wire/code-command-codec.ts';
import { deviceEndpoints } from '../../../src/wire/endpoints.ts';

const CODE = accessCodeId('a 71');
const DRAFT = { name: 'Ann', pin: '0417', schedule: { kind: 'always' } } as const;
const MEMBERS = { name: 'Ann', code: '0417', scheduleType: 'Always' };
const CHANGE = { accessCodeId: CODE, code: '2580' };
const PATH = '/locks/devices/door';

const request = (style: 'commands' | 'rest', command: CodeCommand) =>
  encodeCodeCommand(deviceEndpoints('locks'), style, lockId('door'), command, 'UTC');

const COMMANDS: readonly (readonly [CodeCommand, string, object])[] = [
  [{ kind: 'add', draft: DRAFT }, 'AddAccessCode', MEMBERS],
  [{ kind: 'update', codeId: CODE, changes: { pin: '2580' } }, 'UpdateAccessCode', CHANGE],
  [{ kind: 'remove', codeId: CODE }, 'DeleteAccessCode', { accessCodeId: CODE }],
  [{ kind: 'remove-all' }, 'DeleteAllAccessCodes', {}],
];

describe('a command on codes', () => {
  it.each(COMMANDS)('%j is sent as %s', (command, name, data) => {
    const sent = { method: 'POST', path: `${PATH}/commands`, body: { name, data } };
    expect(request('commands', command)).toEqual(sent);
  });

  it('has a path of its own in the older style', () => {
    expect(COMMANDS.map(([command]) => request('rest', command))).toEqual([
      { method: 'POST', path: `${PATH}/accesscodes`, body: MEMBERS },
      { method: 'PUT', path: `${PATH}/accesscodes/a%2071`, body: CHANGE },
      { method: 'DELETE', path: `${PATH}/accesscodes/a%2071`, body: null },
      { method: 'DELETE', path: `${PATH}/accesscodes`, body: null },
    ]);
  });
});

describe('the answer to a command on codes', () => {
  const answer = { commandId: 'c-1', state: 'Pending' };
  const reading = { state: 'pending', commandId: 'c-1' };

  it.each([
    [{ accessCodeId: 'a71e' }, 'a71e'],
    [{ accessCodeId: 7 }, '7'],
    [{ accessCodeId: '' }, null],
    [{}, null],
    [null, null],
  ])('with the data %j names the code %s', (data, codeId) => {
    expect(decodeCodeCommand({ ...answer, data }, null)).toEqual({ reading, codeId });
  });

  it('is null where it is no command, or another one', () => {
    expect(decodeCodeCommand({ state: 'Pending' }, null)).toBeNull();
    expect(decodeCodeCommand(answer, commandId('c-2'))).toBeNull();
    expect(decodeCodeCommand(answer, commandId('c-1'))).toEqual({ reading, codeId: null });
  });
});
