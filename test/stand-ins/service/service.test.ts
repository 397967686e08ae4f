// The service in memory and our client at the simulator keep the same promises; what both must do stands here once.
import { describe, expect, it, onTestFinished } from 'vitest';
import { Fixture } from '../../../simulator/test/server/partner.ts';
import { accessCodeClient } from '../../../src/cloud/access-code-client.ts';
import { historyClient } from '../../../src/cloud/history-client.ts';
import { lockClient } from '../../../src/cloud/lock-client.ts';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import type { AccessCodeGateway } from '../../../src/domain/codes/ports.ts';
import { type CommandReading, commandId } from '../../../src/domain/commands/command.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type { AuthorizationServer, LockGateway, LockHistory, SendGuard } from '../../../src/domain/ports.ts';
import { CalendarReader } from '../../../src/features/stays/calendar/calendar-reader.ts';
import type { CalendarGateway } from '../../../src/features/stays/policy/calendar-ports.ts';
import { silentLog } from '../../../src/support/log.ts';
import { TestCalendar } from '../../harness/test-calendar.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { deviceInterfaceAt, oauthClientAt, tokensFrom, WANTED } from '../../support/service-clients.ts';
import { StandInCodeService } from './codes.ts';
import { StandInHistoryService } from './history.ts';
import { StandInService } from './locks.ts';
import { StandInPortal } from './portal.ts';
import { StandInTokens } from './tokens.ts';

/** What happens at the door and on the way to it. */
interface World {
  readonly locks: LockGateway;
  readonly codes: AccessCodeGateway;
  readonly history: LockHistory;
  readonly tokens: Pick<AuthorizationServer, 'refresh'>;
  readonly portal: CalendarGateway;
  readonly door: LockId;
  readonly firstToken: string;
  readonly calendar: string;
  readonly pass: (ms: number) => Promise<void> | void;
  readonly turn: (to: BoltPosition) => Promise<void> | void;
  readonly jam: () => Promise<void> | void;
  /** The lock answers no command any more, and the service has not noticed. */
  readonly fallSilent: () => Promise<void> | void;
  /** The next command, or its next refresh, is done, and its answer is lost. */
  readonly loseAnswer: () => Promise<void> | void;
  /** The next command is answered with "too many requests". */
  readonly limit: () => Promise<void> | void;
  readonly breakPortal: () => Promise<void> | void;
}

const MORE_THAN_TRAVEL_MS = 5_000;
const NEVER = { from: 0, until: Number.MAX_SAFE_INTEGER } as const;

async function inMemory(): Promise<World> {
  const clock = new ManualClock(undefined, settlePromises);
  const locks = new StandInService(clock);
  const codes = new StandInCodeService(clock);
  codes.refusesDoubles = true;
  const history = new StandInHistoryService();
  const tokens = new StandInTokens(clock);
  const portal = new StandInPortal();
  const door = lockId('front-door');
  locks.add(door, 'secured');
  const by = { method: 'thumbturn', id: null, name: null } as const;
  return Promise.resolve({
    locks,
    codes,
    history,
    tokens,
    portal,
    door,
    firstToken: 'r1',
    calendar: 'a calendar',
    pass: async (ms) => clock.advance(ms),
    turn: (to) => {
      locks.turn(to);
      const entry = { id: `h-${String(clock.now())}`, at: clock.now(), offsetMinutes: null, what: to, by };
      history.entries = [entry, ...history.entries];
    },
    jam: () => {
      locks.mishaps.push({ kind: 'fails', reason: 'bolt-jammed' });
    },
    fallSilent: () => {
      locks.mishaps.push({ kind: 'never-ends' });
    },
    loseAnswer: () => {
      locks.mishaps.push({ kind: 'lost-reply' });
      codes.mishaps.push('lost-reply');
      tokens.script.push('lost');
    },
    limit: () => {
      locks.mishaps.push({ kind: 'limited', forMs: 3_000 });
      codes.mishaps.push('limited');
    },
    breakPortal: () => {
      portal.fault = 'broken';
    },
  });
}

async function atTheSimulator(): Promise<World> {
  const fixture = await Fixture.start({
    scenario: {
      locks: [{ name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } }],
      calendars: [{ name: 'Portal', timeZone: 'UTC', bookings: [{ arrival: 1, nights: 2 }] }],
    },
  });
  const { clock, simulator } = fixture;
  const { accessToken, refreshToken } = await fixture.link();
  const client = fixture.client();
  const device = deviceInterfaceAt(simulator.baseUrl, {
    subscriptionKeys: () => client.subscriptionKeys,
    tokens: tokensFrom(async () => Promise.resolve(accessToken)),
    clock,
  });
  const redirectUri = fixture.redirectUri();
  const server = oauthClientAt(simulator.authUrl, { client: () => client, redirectUri, clock });
  const portal = new CalendarReader({ clock, allowed: { insecureLoopback: true, privateHosts: false } });
  onTestFinished(async () => {
    portal.close();
    await fixture.close();
  });
  const { productSegment } = simulator;
  const partner = { productSegment, commandStyle: 'commands', log: silentLog } as const;
  const door = fixture.lockId();
  const atDoor = async (action: string, details: object = {}): Promise<void> => {
    await fixture.control(`locks/${door}/${action}`, details);
  };
  const calls = async (fault: object): Promise<void> => {
    await fixture.control('house/inject-fault', { often: 'once', ...fault });
  };
  return {
    locks: lockClient(device, partner),
    codes: accessCodeClient(device, partner),
    history: historyClient(device, partner),
    tokens: server,
    portal,
    door: lockId(door),
    firstToken: refreshToken,
    calendar: TestCalendar.of(simulator).url,
    pass: async (ms) => clock.advance(ms),
    turn: async (to) => atDoor('turn-thumbturn', { to: to === 'secured' ? 'Locked' : 'Unlocked' }),
    jam: async () => atDoor('jam', { count: 1 }),
    fallSilent: async () => atDoor('cut-wifi', { noticeAfterMs: 3_600_000 }),
    loseAnswer: async () => {
      await calls({ kind: 'cut', when: 'after-work', method: 'POST' });
    },
    limit: async () => {
      await calls({ kind: 'status', status: 429, wait: { seconds: 3, said: 'retry-after' } });
    },
    breakPortal: async () => {
      await fixture.control('house/fail-calendar', { kind: 'status', status: 503, often: 'always' });
    },
  };
}

const UNWANTED: SendGuard = { ...WANTED, stillWanted: () => false };

function idOf({ reading }: { readonly reading: CommandReading }) {
  return reading.commandId ?? commandId('none');
}

const DRAFT = { name: 'Cleaner', pin: '0417', schedule: { kind: 'always' } } as const;

describe.each([
  ['the stand-in of the service', inMemory],
  ['our client at the simulator', atTheSimulator],
] as const)('%s', (_name, open) => {
  it('lists a lock with its position, and what a hand does to it', async () => {
    const { locks, door, turn } = await open();
    const bolt = async (): Promise<unknown> => {
      const listing = await locks.list();
      expect(listing.unread).toBe(0);
      return listing.locks.find(({ id }) => id === door);
    };
    expect(await bolt()).toMatchObject({ bolt: 'secured', connected: true });
    await turn('unsecured');
    expect(await bolt()).toMatchObject({ bolt: 'unsecured', connected: true });
  });

  it('calls a command pending until the bolt is there, and refuses another one meanwhile', async () => {
    const { locks, door, pass } = await open();
    const sent = await locks.command(door, 'unsecured', WANTED);
    expect(sent.reading.state).toBe('pending');
    await expect(locks.command(door, 'secured', WANTED)).rejects.toMatchObject({
      disposition: 'wait',
      code: 'lock-busy',
    });
    await pass(MORE_THAN_TRAVEL_MS);
    const { reading } = await locks.outcome(door, idOf(sent));
    expect(reading).toEqual({ state: 'successful', commandId: idOf(sent), bolt: 'unsecured' });
  });

  it('says that a bolt is jammed, and knows its position no more', async () => {
    const { locks, door, pass, jam } = await open();
    await jam();
    const sent = await locks.command(door, 'unsecured', WANTED);
    await pass(MORE_THAN_TRAVEL_MS);
    const { reading } = await locks.outcome(door, idOf(sent));
    expect(reading).toEqual({ state: 'failed', commandId: idOf(sent), reason: 'bolt-jammed' });
    const { locks: listed } = await locks.list();
    expect(listed.find(({ id }) => id === door)?.bolt).not.toBe('secured');
  });

  it('says after a minute that a lock did not answer', async () => {
    const { locks, door, pass, fallSilent } = await open();
    await fallSilent();
    const sent = await locks.command(door, 'unsecured', WANTED);
    await pass(50_000);
    expect((await locks.outcome(door, idOf(sent))).reading.state).toBe('pending');
    await pass(11_000);
    const { reading } = await locks.outcome(door, idOf(sent));
    expect(reading).toEqual({ state: 'failed', commandId: idOf(sent), reason: 'lock-silent' });
  });

  it('is uncertain of a command whose answer is lost, and has done it', async () => {
    const { locks, door, pass, loseAnswer } = await open();
    await loseAnswer();
    await expect(locks.command(door, 'unsecured', WANTED)).rejects.toMatchObject({
      disposition: 'uncertain',
    });
    await pass(MORE_THAN_TRAVEL_MS);
    const { locks: listed } = await locks.list();
    expect(listed.find(({ id }) => id === door)?.bolt).toBe('unsecured');
  });

  it('sends nothing that is no longer wanted, knows no command that it never took, and asks for pauses', async () => {
    const { locks, door, limit } = await open();
    await expect(locks.command(door, 'unsecured', UNWANTED)).rejects.toMatchObject({
      disposition: 'retry',
      code: 'aborted',
    });
    await expect(locks.outcome(door, commandId('99'))).rejects.toMatchObject({
      disposition: 'final',
      code: 'not-found',
    });
    await limit();
    await expect(locks.command(door, 'unsecured', WANTED)).rejects.toMatchObject({
      disposition: 'wait',
      code: 'rate-limited',
    });
    expect((await locks.list()).locks.find(({ id }) => id === door)?.bolt).toBe('secured');
  });

  it('adds a code, changes it and removes it, each when the lock has done it', async () => {
    const { codes, door, pass } = await open();
    const added = await codes.send(door, { kind: 'add', draft: DRAFT }, 'UTC', WANTED);
    expect(added.reading.state).toBe('pending');
    expect(await codes.codes(door, 'UTC')).toEqual([]);
    await pass(MORE_THAN_TRAVEL_MS);
    const done = await codes.codeOutcome(door, idOf(added));
    const codeId = done.codeId ?? accessCodeId('none');
    expect(done.reading.state).toBe('successful');
    expect(await codes.codes(door, 'UTC')).toEqual([{ ...DRAFT, id: codeId, readOnly: false }]);
    await codes.send(door, { kind: 'update', codeId, changes: { pin: '0815' } }, 'UTC', WANTED);
    await pass(MORE_THAN_TRAVEL_MS);
    expect(await codes.codes(door, 'UTC')).toEqual([{ ...DRAFT, pin: '0815', id: codeId, readOnly: false }]);
    await codes.send(door, { kind: 'remove', codeId }, 'UTC', WANTED);
    await pass(MORE_THAN_TRAVEL_MS);
    expect(await codes.codes(door, 'UTC')).toEqual([]);
  });

  it('takes no code twice, and none that is no longer wanted', async () => {
    const { codes, door, pass } = await open();
    const add = { kind: 'add', draft: DRAFT } as const;
    await expect(codes.send(door, add, 'UTC', UNWANTED)).rejects.toMatchObject({ code: 'aborted' });
    await codes.send(door, add, 'UTC', WANTED);
    await pass(MORE_THAN_TRAVEL_MS);
    const twice = codes.send(door, add, 'UTC', WANTED).then(async (sent) => {
      await pass(MORE_THAN_TRAVEL_MS);
      const { reading } = await codes.codeOutcome(door, idOf(sent));
      return reading.state === 'failed' ? reading.reason : reading.state;
    });
    const failure = await twice.catch((error: unknown) => Reflect.get(Object(error), 'reason') as unknown);
    expect(failure).toBe('code-exists');
    await expect(codes.codeOutcome(door, commandId('99'))).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is uncertain of a code whose answer is lost, and has added it', async () => {
    const { codes, door, pass, loseAnswer } = await open();
    await loseAnswer();
    await expect(codes.send(door, { kind: 'add', draft: DRAFT }, 'UTC', WANTED)).rejects.toMatchObject({
      disposition: 'uncertain',
    });
    await pass(MORE_THAN_TRAVEL_MS);
    expect(await codes.codes(door, 'UTC')).toMatchObject([DRAFT]);
  });

  it('remembers moves, the newest first, and tells no more of them than it is asked for', async () => {
    const { history, door, pass, turn } = await open();
    for (const to of ['unsecured', 'secured', 'unsecured'] as const) {
      await turn(to);
      await pass(1_000);
    }
    const { entries, limit } = await history.history(door, { limit: 2, deviceTime: false });
    expect([entries.map(({ what }) => what), limit]).toEqual([['unsecured', 'secured'], 2]);
    expect(entries[0]?.by.method).toBe('thumbturn');
  });

  it('takes a refresh token once', async () => {
    const { tokens, firstToken } = await open();
    const { refreshToken } = await tokens.refresh(firstToken);
    expect(refreshToken).not.toBe(firstToken);
    await expect(tokens.refresh(firstToken)).rejects.toMatchObject({
      disposition: 'relink',
      code: 'revoked',
    });
  });

  it('has spent a refresh token whose answer is lost', async () => {
    const { tokens, firstToken, loseAnswer } = await open();
    await loseAnswer();
    await expect(tokens.refresh(firstToken)).rejects.toMatchObject({ disposition: 'retry' });
    await expect(tokens.refresh(firstToken)).rejects.toMatchObject({ code: 'revoked' });
  });

  it('gives a calendar once to whoever says what they have, and says when the portal fails', async () => {
    const { portal, calendar, breakPortal } = await open();
    const question = { address: calendar, validators: null, ...NEVER };
    const reading = await portal.read(question);
    const validators = reading.kind === 'entries' ? reading.validators : null;
    expect(reading.kind).toBe('entries');
    expect(await portal.read({ ...question, validators })).toEqual({ kind: 'unchanged' });
    await breakPortal();
    expect(await portal.read(question)).toMatchObject({ kind: 'failed', failure: 'failing' });
  });
});
