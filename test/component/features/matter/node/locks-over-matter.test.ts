// A lock over Matter, in the stand-in of Homebridge: what controllers read, receive, and get for their commands.
import { describe, expect, it } from 'vitest';
import type { CommandOutcome } from '../../../../../src/domain/commands/command.ts';
import { lockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import type { RequestAnswer } from '../../../../../src/engine/account-runtime.ts';
import { FinalError, RetryError } from '../../../../../src/support/errors.ts';
import { describedAs, FRONT } from '../../../../stand-ins/account/runtime.ts';
import { DEFAULTS, Fixture, keptLabels } from './fixture.ts';

const BACK = lockId('back-1');

describe('the state of a lock over Matter', () => {
  it('is unknown until there is evidence, and never in what Homebridge caches (faults#101)', async () => {
    const fixture = new Fixture({
      prepare: (account) => account.add(unknownLock(FRONT, describedAs('Front'))),
    });
    await fixture.settled();
    expect(fixture.endpoint().lockState).toBeNull();
    await fixture.reported({ source: 'poll', bolt: 'secured', connected: true });
    expect(fixture.endpoint().lockState).toBe(1);
    expect(fixture.shell.accessories.map(({ clusters }) => clusters['doorLock']?.['lockState'])).toEqual([
      null,
    ]);
  });

  it('keeps the position of the bolt when a controller commands, until there is evidence (faults#100)', async () => {
    const fixture = await Fixture.withFrontDoor();
    expect(await fixture.command('unlockDoor')).toBeNull();
    expect(fixture.account.requests).toEqual([{ id: FRONT, target: 'unsecured' }]);
    expect(fixture.endpoint().lockState).toBe(1);
    await fixture.reported({ bolt: 'unsecured' });
    expect(fixture.endpoint().lockState).toBe(2);
  });

  it('is unknown and out of reach while the service cannot reach the lock or the account is not linked', async () => {
    const fixture = await Fixture.withFrontDoor();
    await fixture.reported({ connected: false });
    expect(fixture.endpoint().reports).toEqual([
      { name: 'lockState', value: null },
      { name: 'reachable', value: false },
    ]);
    await fixture.reported({ bolt: 'secured', connected: true });
    expect(fixture.endpoint().lockState).toBe(1);
    expect(fixture.endpoint().read('bridgedDeviceBasicInformation', 'reachable')).toBe(true);
    fixture.account.setLink('revoked');
    await fixture.settled();
    expect(fixture.endpoint().lockState).toBeNull();
    fixture.account.setLink('linked');
    await fixture.settled();
    expect(fixture.endpoint().lockState).toBe(1);
  });

  it('is written again when the endpoint refused it, and only the latest value', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.endpoint().failures = 2;
    await fixture.reported({ bolt: 'unsecured' });
    expect(fixture.endpoint().lockState).toBe(1);
    await fixture.clock.advance(1_000);
    expect(fixture.endpoint().lockState).toBe(1);
    await fixture.clock.advance(1_000);
    expect(fixture.endpoint().lockState).toBe(2);
    expect(fixture.lines.filter((line) => line.startsWith('warn'))).toHaveLength(2);
  });
});

describe('a command over Matter', () => {
  it('is answered at once though the service takes its time', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.answer = async () => new Promise(() => {});
    expect(await fixture.command('unlockDoor')).toBeNull();
  });

  it('that is refused gets a status, and changes nothing', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.answer = async () => Promise.resolve({ kind: 'refused', reason: 'lock-missing' });
    expect(await fixture.command('unlockDoor')).toBe('NotFound');
    expect(fixture.endpoint().reports).toEqual([]);
  });

  it('never unlocks a lock whose options forbid that, and may lock it, although it is locked (a hand may have opened the bolt)', async () => {
    const options = { ...DEFAULTS, unlockRefusal: 'only administrators may' };
    const fixture = await Fixture.withFrontDoor({ options: () => options });
    expect(await fixture.command('unlockDoor')).toBe('PermissionDenied');
    expect(fixture.account.requests).toEqual([]);
    expect(await fixture.command('lockDoor')).toBeNull();
    expect(fixture.account.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });

  it('fails when the account throws, and the process goes on', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.answer = async () => Promise.reject(new Error('lost'));
    expect(await fixture.command('lockDoor')).toBe('Failure');
  });

  it('with a timeout is not offered, because the lock could not keep it', async () => {
    const fixture = await Fixture.withFrontDoor();
    expect(await fixture.command('unlockWithTimeout')).toBe('UnsupportedCommand');
    expect(fixture.endpoint().lockState).toBe(1);
  });

  it.each([
    ['was not sent', { kind: 'failed', error: new RetryError('unreachable', 'no') }, 1],
    [
      'was refused by the service, which its end tells',
      { kind: 'failed', error: new FinalError('refused', 'no') },
      0,
    ],
  ] as const)('that was accepted and %s is reported so often: %#', async (_, answer, times) => {
    const fixture = await Fixture.withFrontDoor();
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    fixture.account.answer = async () => promise;
    expect(await fixture.command('unlockDoor')).toBeNull();
    resolve(answer);
    await fixture.settled();
    expect(fixture.endpoint().reports).toHaveLength(times);
    expect(fixture.endpoint().reports.every(({ name }) => name === 'lockOperationError')).toBe(true);
  });
});

/** Numbers of Matter: a status, and an alarm. */
const UNSUPPORTED_WRITE = '136';
const WRONG_CODE_ENTRY_LIMIT = 4;

describe('a lock that asks for a PIN', () => {
  const CONTROLLER = { fabric: 2 };
  const asking = async (): Promise<Fixture> => Fixture.withFrontDoor({ pin: '2468' });
  const coded = (pin: string): { readonly pinCode: Uint8Array } => ({
    pinCode: new TextEncoder().encode(pin),
  });

  it('declares that to controllers, and a lock without a PIN does not', async () => {
    expect((await asking()).endpoint().written).toMatchObject({
      requirePinForRemoteOperation: true,
      numberOfPinUsersSupported: 1,
      numberOfTotalUsersSupported: 1,
      numberOfCredentialsSupportedPerUser: 1,
      minPinCodeLength: 0,
      maxPinCodeLength: 8,
      wrongCodeEntryLimit: 5,
      userCodeTemporaryDisableTime: 60,
    });
    expect((await Fixture.withFrontDoor()).endpoint().written).not.toHaveProperty(
      'requirePinForRemoteOperation',
    );
  });

  it('is unlocked with the PIN alone, and locked without, but not with a wrong one', async () => {
    const fixture = await asking();
    expect(await fixture.command('unlockDoor', CONTROLLER)).toBe('Failure');
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2469'))).toBe('Failure');
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('24680'))).toBe('Failure');
    expect(fixture.account.requests).toEqual([]);
    expect(await fixture.command('lockDoor', CONTROLLER)).toBeNull();
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2468'))).toBeNull();
    expect(await fixture.command('lockDoor', CONTROLLER, coded('2469'))).toBe('Failure');
    expect(fixture.account.requests.map(({ target }) => target)).toEqual(['secured', 'unsecured']);
    expect(await fixture.command('lockDoor', CONTROLLER, coded('2468'))).toBeNull();
  });

  it('accepts no PIN for a minute after five wrong ones, with an alarm, counted for each controller and lock, and the others go on (faults#132, faults#174)', async () => {
    const fixture = await Fixture.withFrontDoor({
      pin: '2468',
      prepare: (account) => account.add(unknownLock(BACK, describedAs('Back door'))),
    });
    for (let guess = 1_000; guess < 1_005; guess += 1) {
      expect(await fixture.command('unlockDoor', CONTROLLER, coded(String(guess)))).toBe('Failure');
    }
    await fixture.settled();
    const alarms = fixture.endpoint().reports.filter(({ name }) => name === 'doorLockAlarm');
    expect(alarms.map(({ value }) => value)).toEqual([{ alarmCode: WRONG_CODE_ENTRY_LIMIT }]);
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2468'))).toBe('Failure');
    expect(await fixture.command('unlockDoor', { fabric: 3 }, coded('2468'))).toBeNull();
    expect(await fixture.endpoint(BACK).command('unlockDoor', CONTROLLER, coded('2468'))).toBeNull();
    await fixture.clock.advance(59_900);
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2468'))).toBe('Failure');
    await fixture.clock.advance(100);
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2468'))).toBeNull();
  });

  it.each([
    ['operatingMode', 3],
    ['requirePinForRemoteOperation', false],
    ['wrongCodeEntryLimit', 255],
    ['userCodeTemporaryDisableTime', 1],
  ])(
    'refuses a write of %s, which it would not follow, as unsupported (faults#130, faults#174)',
    async (attribute, value) => {
      const endpoint = (await asking()).endpoint();
      const before = endpoint.written[attribute];
      expect(endpoint.write(attribute, value)).toBe(UNSUPPORTED_WRITE);
      expect(endpoint.written[attribute]).toBe(before);
      expect(endpoint.written['supportedOperatingModes']).toMatchObject({
        normal: false,
        noRemoteLockUnlock: true,
      });
    },
  );

  it('has one user with the PIN, which controllers can read of, and not the digits (faults#132)', async () => {
    const endpoint = (await asking()).endpoint();
    expect(endpoint.features).toEqual(['PinCredential', 'CredentialOverTheAirAccess', 'User']);
    expect(endpoint.userCommand('getUser', { userIndex: 1 })).toEqual({
      userIndex: 1,
      userName: 'remotePin',
      userUniqueId: null,
      userStatus: 1,
      userType: 9,
      credentialRule: 0,
      credentials: [PIN],
      creatorFabricIndex: null,
      lastModifiedFabricIndex: null,
      nextUserIndex: null,
    });
  });

  const PIN = { credentialType: 1, credentialIndex: 1 };
  const RFID = { credentialType: 2, credentialIndex: 1 };

  it.each([
    [PIN, true, null],
    [{ ...PIN, credentialIndex: 0 }, false, 1],
    [{ ...PIN, credentialIndex: 2 }, false, null],
    [RFID, false, null],
  ])(
    'answers a question for the credential %j: it exists %s, the next one is %s (faults#132)',
    async (credential, exists, next) => {
      expect((await asking()).endpoint().userCommand('getCredentialStatus', { credential })).toEqual({
        credentialExists: exists,
        userIndex: exists ? 1 : null,
        nextCredentialIndex: next,
        creatorFabricIndex: null,
        lastModifiedFabricIndex: null,
      });
    },
  );

  const ADD = 0;
  const MODIFY = 2;

  it.each([
    ['adding another PIN as it', ADD, PIN, '1357', 1],
    ['adding the same PIN, as with any other digits', ADD, PIN, '2468', 1],
    ['changing it', MODIFY, PIN, '1357', 1],
    ['a second one', ADD, { ...PIN, credentialIndex: 2 }, '1357', 133],
    ['one that is too short', ADD, PIN, '135', 133],
    ['one that is too long', ADD, PIN, '135791357', 133],
    ['another kind', ADD, RFID, '1357', 133],
  ])('refuses %s (faults#132)', async (_, operationType, credential, digits, status) => {
    const fixture = await asking();
    const credentialData = new TextEncoder().encode(digits);
    const request = { operationType, credential, credentialData, userIndex: null };
    expect(fixture.endpoint().userCommand('setCredential', request)).toEqual({
      status,
      userIndex: null,
      nextCredentialIndex: null,
    });
    expect(await fixture.command('unlockDoor', CONTROLLER, coded('2468'))).toBeNull();
  });

  it.each([
    ['setUser', { operationType: ADD, userIndex: 1 }, '1, 3'],
    ['setUser', { operationType: MODIFY, userIndex: 1, userStatus: 3 }, '1'],
    ['setUser', { operationType: ADD, userIndex: 2 }, '133'],
    ['getUser', { userIndex: 2 }, '133'],
    ['clearUser', { userIndex: 2 }, '133'],
    ['clearUser', { userIndex: 1 }, '1'],
    ['clearUser', { userIndex: 0xfffe }, '1'],
    ['clearCredential', { credential: PIN }, '1'],
    ['clearCredential', { credential: { ...PIN, credentialIndex: 0xfffe } }, '1'],
    ['clearCredential', { credential: null }, '1'],
    ['clearCredential', { credential: RFID }, '133'],
  ] as const)('refuses %s %j with %s (faults#132)', async (command, request, status) => {
    expect((await asking()).endpoint().userCommand(command, request)).toBe(status);
  });

  it('names the user of the PIN in the events of its commands, and a wrong PIN as the error (faults#132)', async () => {
    const fixture = await asking();
    await fixture.command('unlockDoor', CONTROLLER, coded('2469'));
    await fixture.command('unlockDoor', CONTROLLER, coded('2468'));
    fixture.account.sendCommand(FRONT, 'unsecured');
    await fixture.ended('unsecured', { kind: 'moved' });
    expect(fixture.endpoint().reports).toMatchObject([
      { name: 'lockOperationError', value: { operationError: 1, userIndex: null } },
      { name: 'lockOperation', value: { userIndex: 1, fabricIndex: 2, credentials: [PIN] } },
    ]);
  });

  it('never has the PIN, or what was sent for it, in a log, an event or what Homebridge keeps', async () => {
    const fixture = await Fixture.withFrontDoor({ pin: '24681357' });
    await fixture.command('unlockDoor', CONTROLLER, coded('97531864'));
    await fixture.command('unlockDoor', CONTROLLER, coded('24681357'));
    const said = JSON.stringify([fixture.lines, fixture.endpoint().reports, fixture.shell.accessories]);
    expect(said).not.toMatch(/24681357|97531864/);
    expect(fixture.lines.join()).toContain('the PIN was wrong');
  });

  it("warns, beside Homebridge's own debug lines, that those hold the PIN of a command", async () => {
    const fixture = await asking();
    const warnings = (): readonly string[] => fixture.lines.filter((line) => line.includes('do not share'));
    await fixture.command('lockDoor', CONTROLLER);
    expect(warnings()).toEqual([]);
    await fixture.command('unlockDoor', CONTROLLER, coded('2468'));
    expect(warnings()).toEqual([expect.stringMatching(/^debug .*-D/)]);
  });
});

describe('events over Matter', () => {
  it('name the controller that moved the bolt, once, though the service reports the move again', async () => {
    const fixture = await Fixture.withFrontDoor();
    await fixture.command('unlockDoor');
    fixture.moved('unsecured');
    await fixture.reported({
      bolt: 'unsecured',
      accessor: { method: 'own-command', id: null, name: null },
    });
    expect(fixture.endpoint().reports).toEqual([
      { name: 'lockState', value: 2 },
      {
        name: 'lockOperation',
        value: { lockOperationType: 1, operationSource: 7, userIndex: null, fabricIndex: 2, sourceNode: 7n },
      },
    ]);
  });

  it('name the controller of each, when two command one lock at once (faults#134)', async () => {
    const fixture = await Fixture.withFrontDoor();
    await fixture.command('unlockDoor', { fabric: 2, subject: { id: 7n } });
    await fixture.command('lockDoor', { fabric: 3, subject: { id: 8n } });
    await fixture.command('unlockDoor', { fabric: 4, subject: { id: 9n } });
    fixture.moved('unsecured');
    await fixture.ended('secured', { kind: 'refused', reason: 'bolt-jammed' });
    const reported = fixture.endpoint().reports.filter(({ name }) => name.startsWith('lockOperation'));
    expect(reported.map(({ value }) => value)).toMatchObject([
      { lockOperationType: 1, operationSource: 7, fabricIndex: 2, sourceNode: 7n },
      { lockOperationType: 0, operationSource: 7, fabricIndex: 3, sourceNode: 8n },
    ]);
  });

  it('do not name the controller for a command that came later from elsewhere', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.answer = async () => Promise.resolve({ kind: 'already' });
    await fixture.command('unlockDoor');
    fixture.moved('unsecured');
    fixture.moved('secured');
    await fixture.settled();
    const reported = fixture.endpoint().reports.filter(({ name }) => name === 'lockOperation');
    expect(reported.map(({ value }) => value)).toMatchObject([
      { lockOperationType: 1, operationSource: 2, fabricIndex: null },
      { lockOperationType: 0, operationSource: 2, fabricIndex: null },
    ]);
  });

  it('report the end of a command whose position a listing showed first', async () => {
    const fixture = await Fixture.withFrontDoor();
    await fixture.command('unlockDoor');
    fixture.account.sendCommand(FRONT, 'unsecured');
    fixture.account.report(FRONT, { source: 'poll', bolt: 'unsecured' });
    await fixture.ended('unsecured', { kind: 'moved' });
    expect(fixture.endpoint().reports).toMatchObject([
      { name: 'lockState', value: 2 },
      { name: 'lockOperation', value: { operationSource: 7, fabricIndex: 2 } },
    ]);
  });

  it('report a code at the keypad, after the state it led to', async () => {
    const fixture = await Fixture.withFrontDoor();
    await fixture.reported({
      bolt: 'unsecured',
      accessor: { method: 'access-code', id: '3', name: 'Sam' },
    });
    expect(fixture.endpoint().reports).toMatchObject([
      { name: 'lockState', value: 2 },
      { name: 'lockOperation', value: { lockOperationType: 1, operationSource: 3 } },
    ]);
    expect(JSON.stringify(fixture.endpoint().reports)).not.toContain('Sam');
  });

  it('leave out a move that was reported long after it happened', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.silentMs = 3_600_000;
    await fixture.reported({
      bolt: 'unsecured',
      accessor: { method: 'thumbturn', id: null, name: null },
    });
    expect(fixture.endpoint().reports).toEqual([{ name: 'lockState', value: 2 }]);
  });

  it('raise the alarm for a jam when it begins, and once', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.report(FRONT, { bolt: 'jammed' });
    await fixture.reported({ bolt: 'jammed' });
    expect(fixture.endpoint().reports).toEqual([
      { name: 'lockState', value: 0 },
      { name: 'doorLockAlarm', value: { alarmCode: 0 } },
    ]);
  });

  it.each<[string, CommandOutcome, number]>([
    ['was refused', { kind: 'refused', reason: 'bolt-jammed' }, 1],
    ['waits for another', { kind: 'refused', reason: 'lock-busy' }, 0],
    ['failed, though the bolt may have moved', { kind: 'uncertain', reason: 'general-failure' }, 1],
    ['found no lock', { kind: 'uncertain', reason: 'lock-silent' }, 1],
    ['failed with a success', { kind: 'uncertain', reason: 'claims-success' }, 0],
    ['was never answered', { kind: 'uncertain' }, 0],
    ['was pending for too long', { kind: 'overdue' }, 0],
    ['was dropped unsent', { kind: 'unsent' }, 0],
  ])(
    'report an error of a command that %s only where the service confirmed it (faults#100)',
    async (_, outcome, errors) => {
      const fixture = await Fixture.withFrontDoor();
      await fixture.command('unlockDoor');
      await fixture.ended('unsecured', outcome);
      const value = { operationError: 0, operationSource: 7, fabricIndex: 2 };
      const expected = Array.from({ length: errors }, () => ({ name: 'lockOperationError', value }));
      expect(fixture.endpoint().reports).toMatchObject(expected);
    },
  );
});

describe('the locks on the Matter bridge', () => {
  it('come and go with the account', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.account.add(unknownLock(BACK, describedAs('Back door')));
    await fixture.settled();
    expect([...fixture.shell.endpoints.keys()]).toHaveLength(2);
    fixture.account.remove(BACK);
    await fixture.settled();
    expect([...fixture.shell.endpoints.keys()]).toEqual([fixture.endpoint().id]);
  });

  it('can be hidden and shown again, and then follow the bolt', async () => {
    let hidden = false;
    const fixture = await Fixture.withFrontDoor({ options: () => ({ ...DEFAULTS, hidden }) });
    hidden = true;
    fixture.configured(FRONT);
    hidden = false;
    fixture.configured(FRONT);
    await fixture.clock.advance(1_000);
    await fixture.reported({ bolt: 'unsecured' });
    expect(fixture.endpoint().lockState).toBe(2);
    expect(fixture.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('do not include one that is hidden again before Homebridge has let it go', async () => {
    let hidden = false;
    const fixture = await Fixture.withFrontDoor({ options: () => ({ ...DEFAULTS, hidden }) });
    for (const isHidden of [true, false, true]) {
      hidden = isHidden;
      fixture.configured(FRONT);
    }
    await fixture.clock.advance(11_000);
    expect(fixture.shell.accessories).toEqual([]);
    hidden = false;
    fixture.configured(FRONT);
    await fixture.clock.advance(1_000);
    await fixture.reported({ bolt: 'unsecured' });
    expect(fixture.endpoint().lockState).toBe(2);
  });

  it('do not include a hidden one, which is removed from a restored bridge', async () => {
    const first = await Fixture.withFrontDoor();
    const restored = first.shell.accessories;
    const fixture = new Fixture({ restored, options: () => ({ ...DEFAULTS, hidden: true }) });
    fixture.shell.accessories.push(...restored);
    await fixture.settled();
    expect(fixture.shell.accessories).toEqual([]);
  });

  it('include one that Homebridge restored and the account has not listed yet', async () => {
    const first = await Fixture.withFrontDoor();
    const fixture = new Fixture({ restored: first.shell.accessories });
    await fixture.settled();
    expect(fixture.endpoint().lockState).toBeNull();
    expect(fixture.shell.accessories.map(({ displayName }) => displayName)).toEqual(['Front door']);
  });

  it('keep the name that a person gave them in an app, and no other, until they leave the account (faults#131)', async () => {
    const labels = keptLabels();
    const fixture = await Fixture.withFrontDoor({ labels });
    fixture.endpoint().label('Set by Homebridge', {});
    await fixture.settled();
    expect(labels.read(FRONT)).toBeNull();
    fixture.endpoint().label('The red door');
    await fixture.settled();
    // Homebridge has not saved its cache since, or has lost it.
    const restored = fixture.shell.accessories;
    for (const cached of [restored, []]) {
      const { shell } = await Fixture.withFrontDoor({ labels, restored: cached });
      expect(shell.accessories).toMatchObject([{ displayName: 'The red door' }]);
    }
    fixture.account.remove(FRONT);
    await fixture.settled();
    expect(labels.read(FRONT)).toBeNull();
  });

  it('have an id of their own for apps, which is the same after a restart (faults#131)', async () => {
    const ids = async (): Promise<readonly unknown[]> => {
      const fixture = await Fixture.withFrontDoor({
        prepare: (account) => account.add(unknownLock(BACK, describedAs('Back door'))),
      });
      return [...fixture.shell.endpoints.values()].map((endpoint) =>
        endpoint.read('bridgedDeviceBasicInformation', 'uniqueId'),
      );
    };
    const first = await ids();
    const digest: unknown = expect.stringMatching(/^[0-9a-f]{32}$/u);
    expect(first).toEqual([digest, digest]);
    expect(new Set(first).size).toBe(2);
    expect(await ids()).toEqual(first);
  });

  it('leave no timer and no listener behind', async () => {
    const fixture = await Fixture.withFrontDoor();
    fixture.endpoint().failures = 1;
    await fixture.reported({ bolt: 'unsecured' });
    fixture.matter.dispose();
    fixture.presence.dispose();
    expect(fixture.clock.pendingTimers).toBe(0);
    expect(fixture.account.listeners).toBe(0);
  });
});
