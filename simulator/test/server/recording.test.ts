// Scenarios, their scripts, the recorded log and its replay.
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { replay } from '../../src/replay.ts';
import { EXAMPLES } from '../../src/scenario/examples.ts';
import { readRecording } from '../../src/scenario/recording.ts';
import { parseScenario, parseScenarioText, type Scenario } from '../../src/scenario/scenario.ts';
import { call, Fixture, type Partner } from './partner.ts';

async function started(scenario: Scenario): Promise<Fixture> {
  const fixture = await Fixture.start({ scenario });
  onTestFinished(() => fixture.close());
  return fixture;
}

const example = (name: string): Scenario => parseScenario(EXAMPLES.get(name), name);

/** The state and error number of a command once it has ended. */
async function outcome(fixture: Fixture, partner: Partner, lockState: string): Promise<readonly unknown[]> {
  const answer = await partner.command(fixture.lockId(), 'ChangeLockState', { lockState });
  await fixture.clock.advance(30_000);
  const ended = await call(answer.headers['location'] ?? '', { headers: partner.headers });
  const { state, data } = z
    .object({ state: z.string(), data: z.object({ error: z.object({ errorCode: z.number() }).nullable() }) })
    .parse(ended.json);
  return [state, data.error?.errorCode ?? null];
}

describe('scenarios', () => {
  test.each([...EXAMPLES.keys()])('the example %s is a scenario and can be started', async (name) => {
    const fixture = await started(example(name));
    expect((await (await fixture.link()).call('/devices')).status).toBe(200);
  });

  test('can have two locks of which one jams on the second command', async () => {
    const fixture = await started(example('jam-on-second-command'));
    const partner = await fixture.link();
    expect(await outcome(fixture, partner, 'Unlocked')).toEqual(['Successful', null]);
    expect(await outcome(fixture, partner, 'Locked')).toEqual(['Failed', 32]);
    expect(await outcome(fixture, partner, 'Locked')).toEqual(['Successful', null]);
  });

  test('can have a step that comes at its time, within a longer step of the clock', async () => {
    const fixture = await started(example('unlinked-overnight'));
    const partner = await fixture.link();
    await fixture.control('time/advance', { ms: 299_999 });
    expect((await fixture.refresh(partner.refreshToken)).status).toBe(200);
    await fixture.control('time/advance', { ms: 1 });
    expect(fixture.simulator.world.users()).toHaveLength(2);
    expect((await fixture.refresh(partner.refreshToken)).json).toEqual({ error: 'invalid_grant' });
  });

  test('can have an impossible step, which is reported in the state and disturbs nothing', async () => {
    const script = [
      { afterMs: 1000, lock: 'Nowhere', action: 'jam' },
      {
        afterMs: 1000,
        lock: 'Front door',
        action: 'drop-access-code',
        details: { accessCodeId: 'x', side: 'cloud' },
      },
      { beforeCommand: 1, lock: 'Garage', action: 'set-role', details: { userId: 'nobody', role: 'guest' } },
    ];
    const fixture = await started({ script });
    const partner = await fixture.link();
    await fixture.clock.advance(1000);
    const answer = await partner.call(`/devices/${fixture.lockId('Garage')}/lock`, { method: 'POST' });
    expect(answer.status).toBe(202);
    const { scriptFailures } = z
      .looseObject({ scriptFailures: z.array(z.string()) })
      .parse((await call(`${fixture.simulator.controlUrl}/state`)).json);
    expect(scriptFailures.map((line) => line.split(':')[0])).toEqual(['jam', 'drop-access-code', 'set-role']);
  });

  test('can begin in another year, from which the clock runs on', async () => {
    const fixture = await started({ startAt: '2027-03-14T06:59:59Z' });
    await fixture.clock.advance(1000);
    const partner = await fixture.link();
    const answer = await partner.call(`/devices/${fixture.lockId()}`);
    expect(answer.headers['date']).toBe('Sun, 14 Mar 2027 07:00:00 GMT');
    // New York's clocks went forward at that moment.
    expect(answer.json).toMatchObject({ timezoneOffset: '-04:00' });
  });

  test.each<readonly [string, unknown, string]>([
    ['an unknown member', { lock: [] }, '(whole file): Unrecognized key: "lock"'],
    [
      'a bad zone',
      { locks: [{ name: 'A', type: 'WifiLever', roles: {}, settings: { timeZone: 'Mars' } }] },
      'locks[0].settings.timeZone: An IANA time zone',
    ],
    ['a step without a time', { script: [{ lock: 'Front door', action: 'jam' }] }, 'script[0]: Say when'],
    [
      'a step with two times',
      { script: [{ afterMs: 1, beforeCommand: 1, lock: 'Front door', action: 'jam' }] },
      'script[0]: Say when',
    ],
    [
      'an unknown action',
      { script: [{ afterMs: 1, action: 'constructor' }] },
      'script[0].action: Known actions: turn-thumbturn',
    ],
    ['a step without its lock', { script: [{ afterMs: 1, action: 'jam' }] }, 'script[0].lock: Say which'],
    [
      'bad details of a step',
      { script: [{ afterMs: 1, lock: 'A', action: 'jam', details: { count: 0 } }] },
      'script[0].details.count: ',
    ],
    [
      'a lock that is not there',
      {
        locks: [{ name: 'A', type: 'WifiLever', roles: {} }],
        script: [{ afterMs: 1, lock: 'B', action: 'jam' }],
      },
      'script[0].lock: No lock of this scenario is called so; there are: A',
    ],
    [
      'a role of nobody',
      { users: [], locks: [{ name: 'A', type: 'WifiLever', roles: { resident: 'owner' } }] },
      'locks[0].roles.resident: No user of this scenario has this id',
    ],
    [
      'a redirect address with a fragment',
      { clients: [{ redirectUris: ['http://127.0.0.1/#a'] }] },
      'clients[0].redirectUris[0]: A redirect address has no fragment',
    ],
    ['a seed that is no text', { seed: 5 }, 'seed: '],
  ])('%s is named with its place', (_what, scenario, message) => {
    expect(() => parseScenario(scenario, 'house.json')).toThrow(`house.json is not a scenario:\n`);
    expect(() => parseScenario(scenario, 'house.json')).toThrow(message);
  });

  test('a file that is no JSON is named', () => {
    expect(() => parseScenarioText('{', 'house.json')).toThrow(/^house\.json is not JSON: /u);
  });
});

/** A day in the life of a partner: linking, commands, codes, mistakes, hands at the doors, time. */
async function live(fixture: Fixture): Promise<string> {
  const partner = await fixture.link();
  const door = fixture.lockId();
  await partner.call('/devices');
  await partner.command(door, 'ChangeLockState', { lockState: 'Unlocked' });
  await partner.command(door, 'ChangeLockState', { lockState: 'Locked' });
  await fixture.control('time/advance', { ms: 5000 });
  await partner.command(door, 'AddAccessCode', { name: 'Cleaner', code: '918273', scheduleType: 'Always' });
  await fixture.clock.advance(5000);
  await partner.call(`/devices/${door}/accesscodes`);
  await partner.call(`/devices/${door}/commands`, { method: 'POST', body: '{ not JSON' });
  await fixture.control('locks/Front door/type-code', { code: '918273' });
  await partner.call('/nowhere');
  await fixture.control('locks/Garage/cut-wifi');
  await fixture.control('time/advance', { ms: 3_600_000 });
  await partner.call('/devices');
  await fixture.refresh(partner.refreshToken);
  await (await fixture.link('guest-of-house', 1)).call('/devices');
  return fixture.simulator.recording();
}

describe('the recorded log', () => {
  test('is the same for the same seed and the same calls, byte for byte, and another for another seed', async () => {
    const first = await live(await started({ seed: 'a' }));
    expect(await live(await started({ seed: 'a' }))).toBe(first);
    expect(await live(await started({ seed: 'b' }))).not.toBe(first);
    expect(first.split('\n').length).toBeGreaterThan(20);
  });

  test('answers every request in a replay as it was answered, and shows an answer that differs', async () => {
    const text = await live(await started({}));
    const recording = readRecording(text, 'log');
    const { length } = recording.requests;
    expect(await replay(recording)).toEqual({ replayed: length, skipped: 0, differences: [] });
    const changed = recording.requests.map((request) =>
      request.url.endsWith('/nowhere') ? { ...request, status: 200 } : request,
    );
    const { differences } = await replay({ ...recording, requests: changed });
    expect(differences.map(({ recorded, status }) => [recorded.status, status])).toEqual([[200, 404]]);
    const [head = '', , ...rest] = text.split('\n');
    expect(rest).toHaveLength(length);
    expect(() => readRecording([head, ...rest].join('\n'), 'log')).toThrow('has lost its first requests');
  });

  test('a subscription is not repeated in a replay, because its handshake would reach out', async () => {
    const fixture = await started({});
    const partner = await fixture.link();
    const body = { url: 'http://127.0.0.1/hooks' };
    await partner.call('/events/subscriptions', { method: 'POST', body });
    const text = fixture.simulator.recording();
    expect(await replay(readRecording(text, 'log'))).toMatchObject({ skipped: 1, differences: [] });
  });

  test('can be downloaded, and has no request that only reads', async () => {
    const fixture = await started({});
    await call(fixture.simulator.url);
    await call(`${fixture.simulator.controlUrl}/state`);
    expect(fixture.simulator.recording().split('\n')).toHaveLength(2);
    await live(fixture);
    const answer = await call(`${fixture.simulator.controlUrl}/log`);
    expect(answer.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(answer.text).toBe(fixture.simulator.recording());
  });

  test.each([
    ['no head', '{"sequence":1}\n', 'log, line 1 is not part of a recording'],
    [
      'a broken line',
      '{"recording":1,"startedAt":"2026-04-14T12:00:00.000Z","scenario":{"seed":"a"}}\n{',
      'log, line 2 is not JSON',
    ],
    [
      'a scenario with a mistake',
      '{"recording":1,"startedAt":"2026-04-14T12:00:00.000Z","scenario":{"seed":"a","door":1}}',
      'Unrecognized key: "door"',
    ],
  ])('%s is named', (_what, text, message) => {
    expect(() => readRecording(text, 'log')).toThrow(message);
  });
});
