// Wire contract 3, 10 and 11: commands from acceptance to their one end.
import { describe, expect, test } from 'vitest';
import {
  ANY_TEXT,
  DAY,
  DOOR,
  errorOf,
  HOUR,
  home,
  MINUTE,
  refusalOf,
  SECOND,
  START,
  statusAndCode,
} from './home.ts';

const UNLOCK = { lockState: 'Unlocked' };
const LOCK = { lockState: 'Locked' };
const NEW_CODE = { name: 'Cleaner', code: '4821', scheduleType: 'Always' };

describe('wire contract 3, the life of a command', () => {
  test.each([
    ['AddAccessCode', NEW_CODE, { accessCodeId: null, friendlyName: 'Cleaner' }],
    ['UpdateAccessCode', { accessCodeId: 'c1', name: 'B' }, { accessCodeId: null, friendlyName: 'B' }],
    ['DeleteAccessCode', { accessCodeId: 'c1' }, { accessCodeId: 'c1', friendlyName: 'A' }],
    ['DeleteAllAccessCodes', {}, { deviceId: DOOR }],
  ])('a failed %s changes no code, and its data names the error', (name, data, named) => {
    const { codes, world, outcome } = home({
      accessCodes: [{ accessCodeId: 'c1', name: 'A', code: '1234' }],
    });
    const before = codes();
    world.failNextCommands(DOOR, { errorCode: 7 });
    const errorMessage = 'Network error occurred while updating storage';
    expect(outcome(name, data).data).toEqual({
      ...named,
      error: { statusCode: 502, errorCode: 7, errorMessage },
    });
    expect([codes(), world.inspect(DOOR).codesOnLock]).toEqual([before, before]);
  });

  test('a command ends with one event, at its end and never at its start', () => {
    const { command, pass, reported } = home();
    const { commandId } = command('ChangeLockState', UNLOCK);
    expect(reported()).toEqual([]);
    pass(2 * DAY);
    const ends = reported().filter((fact) => fact.kind === 'command-ended');
    expect(ends).toMatchObject([{ command: { commandId, state: 'Successful' } }]);
  });

  test('a command is kept for 24 hours after its end, on its own device; anything else is a 404', () => {
    const { world, command, pass } = home();
    const shed = world.addDevice({ name: 'Shed', type: 'WifiLever', roles: { owner: 'owner' } });
    const { commandId } = command('ChangeLockState', UNLOCK);
    const unknown = { status: 404, errorCode: 1, description: 'Device not found' };
    expect(refusalOf(world.getCommand('owner', shed, commandId))).toEqual(unknown);
    pass(1200 + 24 * HOUR - 1);
    expect(world.getCommand('owner', DOOR, commandId).ok).toBe(true);
    pass(1);
    expect(refusalOf(world.getCommand('owner', DOOR, commandId))).toEqual(unknown);
  });
});

describe('wire contract 3, bodies of commands', () => {
  test.each([['Nonsense'], [undefined], [null], [7], ['changelockstate']])(
    'the name %j is 400 with 25',
    (name) => {
      expect(statusAndCode(home().refusal(name, UNLOCK))).toEqual([400, 25]);
    },
  );

  test.each([[undefined], [null], [{}], [{ lockState: 'Unknown' }], [{ lockState: 1 }], [[]], ['Locked']])(
    'the data %j of a lock change is 400 with 20',
    (data) => {
      expect(statusAndCode(home().refusal('ChangeLockState', data))).toEqual([400, 20]);
    },
  );

  test('DeleteAllAccessCodes needs no data', () => {
    expect(home().submit('DeleteAllAccessCodes').ok).toBe(true);
  });
});

describe('wire contract 3 and 10.1, one command at a time', () => {
  test('a second command while one is pending is 409 with 36, and makes no command', () => {
    const { command, refusal, pass, submit, reported } = home();
    command('ChangeLockState', UNLOCK);
    expect(refusal('ChangeLockState', LOCK)).toEqual({
      status: 409,
      errorCode: 36,
      description: 'Cannot process multiple device commands simultaneously',
    });
    pass(MINUTE);
    expect(reported().filter((fact) => fact.kind === 'command-ended')).toHaveLength(1);
    expect(submit('ChangeLockState', LOCK).ok).toBe(true);
  });

  test('with the switch, it is a command that has failed with 36', () => {
    const { world, command, reported, read } = home({}, { busyMode: 'failed-command' });
    const first = command('ChangeLockState', UNLOCK);
    const second = command('ChangeLockState', LOCK);
    expect(second).toMatchObject({
      state: 'Failed',
      data: { lockState: 'Unknown', error: { statusCode: 409, errorCode: 36 } },
    });
    expect(read(second.commandId)).toEqual(second);
    expect(reported()).toMatchObject([{ kind: 'command-ended', command: { commandId: second.commandId } }]);
    expect(world.inspect(DOOR).pendingCommandId).toBe(first.commandId);
    world.setBusyMode('409');
    expect(refusalOf(world.submitCommand('owner', DOOR, 'ChangeLockState', LOCK)).errorCode).toBe(36);
  });

  test('it is per device, and shared by all users of the device', () => {
    const { world, command } = home();
    const shed = world.addDevice({ name: 'Shed', type: 'WifiLever', roles: { owner: 'owner' } });
    command('ChangeLockState', UNLOCK);
    expect(world.submitCommand('owner', shed, 'ChangeLockState', UNLOCK).ok).toBe(true);
    expect(refusalOf(world.submitCommand('guest', DOOR, 'ChangeLockState', LOCK)).errorCode).toBe(36);
  });

  test('wire contract 11: 400, 404 and 403 of the body come before 36, clashes after it', () => {
    const { command, refusal } = home({
      accessCodes: [
        { accessCodeId: 'c1', name: 'Taken', code: '1234' },
        { accessCodeId: 'fixed', name: 'Fixed', code: '9999', readOnly: true },
      ],
    });
    command('ChangeLockState', UNLOCK);
    expect(refusal('ChangeLockState', {}).errorCode).toBe(20);
    expect(refusal('Nonsense', {}).errorCode).toBe(25);
    expect(refusal('DeleteAccessCode', { accessCodeId: 'none' }).errorCode).toBe(31);
    expect(statusAndCode(refusal('DeleteAccessCode', { accessCodeId: 'fixed' }))).toEqual([403, 1]);
    expect(refusal('AddAccessCode', { ...NEW_CODE, code: '1234' }).errorCode).toBe(36);
  });
});

describe('wire contract 3 and 11, answers that do not come', () => {
  test('a lock that the cloud still believes online fails with 13 after 60 seconds', () => {
    const { world, command, pass, read } = home();
    world.cutWifi(DOOR, 20 * MINUTE);
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(60 * SECOND - 1);
    expect(read(commandId).state).toBe('Pending');
    pass(1);
    expect(read(commandId)).toMatchObject({
      state: 'Failed',
      data: {
        error: {
          statusCode: 504,
          errorCode: 13,
          errorMessage: 'Lost connection while waiting for a response',
        },
      },
    });
  });

  test.each([
    ['ChangeLockState', UNLOCK, 1200],
    ['AddAccessCode', NEW_CODE, 800],
  ])('a lock known to be offline fails %s with 13 after its own time', (name, data, ownTimeMs) => {
    const { world, command, pass, read } = home();
    world.cutWifi(DOOR, 0);
    const { commandId } = command(name, data);
    pass(ownTimeMs - 1);
    expect(read(commandId).state).toBe('Pending');
    pass(1);
    expect(errorOf(read(commandId))).toBe(13);
  });

  test('a command to an offline lock never moves the bolt, not even after it is back', () => {
    const { world, command, pass } = home();
    world.cutWifi(DOOR, 20 * MINUTE);
    command('ChangeLockState', UNLOCK);
    pass(10 * SECOND);
    world.restoreWifi(DOOR);
    pass(DAY);
    expect(world.inspect(DOOR).bolt).toBe('Locked');
  });

  test('a lock cut off on its way moves all the same, and the command fails with 13', () => {
    const { world, command, pass, device, read } = home();
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(100);
    world.cutWifi(DOOR, 20 * MINUTE);
    pass(60 * SECOND);
    expect(errorOf(read(commandId))).toBe(13);
    expect(world.inspect(DOOR).bolt).toBe('Unlocked');
    expect(device().lockState).toBe('Locked');
  });

  test('a travel longer than 60 seconds: the command has failed, the bolt arrives', () => {
    const { command, pass, device, read } = home({ settings: { travelMs: 90 * SECOND } });
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(60 * SECOND);
    expect(errorOf(read(commandId))).toBe(13);
    pass(30 * SECOND);
    expect(device().lockState).toBe('Unlocked');
    expect(errorOf(read(commandId))).toBe(13);
  });

  test('a code written after 60 seconds is on the lock and not in the list', () => {
    const { outcome, codes, world } = home({ settings: { codeWriteMs: 61 * SECOND } });
    expect(errorOf(outcome('AddAccessCode', NEW_CODE))).toBe(13);
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toHaveLength(1);
  });

  test('a lock whose batteries died meanwhile writes nothing', () => {
    const { command, codes, pass, world, read } = home();
    const { commandId } = command('AddAccessCode', NEW_CODE);
    world.setBattery(DOOR, 0);
    pass(MINUTE);
    expect(errorOf(read(commandId))).toBe(13);
    expect(codes()).toEqual([]);
    expect(world.inspect(DOOR).codesOnLock).toEqual([]);
  });
});

describe('wire contract 3 and 11, a command and the bolt', () => {
  test('lockState keeps its old value while the bolt travels', () => {
    const { command, device, pass, world } = home();
    command('ChangeLockState', UNLOCK);
    pass(600);
    expect(device().lockState).toBe('Locked');
    expect(world.inspect(DOOR).movingTo).toBe('Unlocked');
  });

  test('locking a locked door succeeds, with a history entry and no event', () => {
    const { outcome, history, kinds } = home();
    expect(outcome('ChangeLockState', LOCK).state).toBe('Successful');
    expect(history().map((entry) => entry.eventCode)).toEqual(['LockedByMobileDevice']);
    expect(kinds()).toEqual(['command-ended']);
  });

  test('the event and the history name the user who sent the command', () => {
    const { world, pass, history, reported } = home();
    world.submitCommand('guest', DOOR, 'ChangeLockState', UNLOCK);
    pass(1200);
    const accessor = { id: 'guest', friendlyName: 'Guest', accessType: 'VirtualKey' };
    expect(reported()[0]).toEqual({ kind: 'lock-state-changed', lockState: 'Unlocked', accessor });
    expect(history()[0]).toEqual({
      id: ANY_TEXT,
      timestamp: new Date(START + 1200).toISOString(),
      eventCode: 'UnlockedByMobileDevice',
      accessor,
    });
  });

  test('a hand that is quicker decides: the other way fails the command with 1', () => {
    const { world, command, pass, read } = home();
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(600);
    world.turnThumbturn(DOOR, 'Locked');
    expect(errorOf(read(commandId))).toBe(1);
    pass(MINUTE);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Locked', movingTo: null });
  });

  test('a hand that is quicker in the same direction fulfils the command', () => {
    const { world, command, pass, history, read } = home();
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(600);
    world.turnThumbturn(DOOR, 'Unlocked');
    expect(read(commandId).state).toBe('Successful');
    expect(history()[0]?.eventCode).toBe('UnlockedByThumbturn');
  });

  test('a keypad that overtakes the command turns the motor round', () => {
    const { world, command, pass, read } = home({
      bolt: 'Unlocked',
      accessCodes: [{ name: 'A', code: '1234' }],
    });
    const { commandId } = command('ChangeLockState', LOCK);
    pass(600);
    world.typeCode(DOOR, '1234');
    pass(1200);
    expect(world.inspect(DOOR).bolt).toBe('Unlocked');
    expect(errorOf(read(commandId))).toBe(1);
  });
});

describe('planned failures', () => {
  test('fail the next N commands and no more', () => {
    const { world, outcome } = home();
    world.failNextCommands(DOOR, { errorCode: 1, count: 2 });
    world.failNextCommands(DOOR, { errorCode: 14 });
    const ends = [1, 2, 3, 4].map(() => errorOf(outcome('ChangeLockState', UNLOCK)));
    expect(ends).toEqual([1, 1, 14, null]);
  });

  test('come after the planned delay, and leave the bolt alone', () => {
    const { world, command, pass, device, history, read } = home();
    world.failNextCommands(DOOR, { errorCode: 1, delayMs: 30 * SECOND });
    const { commandId } = command('ChangeLockState', UNLOCK);
    pass(30 * SECOND - 1);
    expect(read(commandId).state).toBe('Pending');
    pass(1);
    expect(errorOf(read(commandId))).toBe(1);
    expect(device().lockState).toBe('Locked');
    expect(history()).toEqual([]);
  });

  test.each([1, 32] as const)('planned beyond 60 seconds, 13 comes first, and %i never', (errorCode) => {
    const { world, outcome, device } = home();
    world.failNextCommands(DOOR, { errorCode, delayMs: 61 * SECOND });
    expect(errorOf(outcome('ChangeLockState', UNLOCK))).toBe(13);
    expect(device().lockState).toBe('Locked');
  });

  test('a planned 32 on a lock change is a real jam', () => {
    const { world, outcome, device, history, kinds } = home();
    world.failNextCommands(DOOR, { errorCode: 32 });
    expect(errorOf(outcome('ChangeLockState', UNLOCK))).toBe(32);
    expect(device().lockState).toBe('Unknown');
    expect(history().map((entry) => entry.eventCode)).toEqual(['LockJammed']);
    expect(kinds()).toEqual(['jammed', 'command-ended']);
  });

  test('the time of a failing command is not disturbed by hands at the door', () => {
    const { world, command, pass, read } = home();
    world.failNextCommands(DOOR, { errorCode: 1 });
    const { commandId } = command('ChangeLockState', UNLOCK);
    world.turnThumbturn(DOOR, 'Unlocked');
    expect(read(commandId).state).toBe('Pending');
    pass(1200);
    expect(errorOf(read(commandId))).toBe(1);
  });
});
