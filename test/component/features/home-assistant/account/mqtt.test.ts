// MQTT of a whole account over the simulator and a real broker: the same lock in Home Assistant's terms and the service's.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BrokerClient } from '../../../../harness/broker-client.ts';
import {
  hasMosquitto,
  type Mosquitto,
  type MosquittoOptions,
  startMosquitto,
} from '../../../../harness/mosquitto.ts';
import { RESIDENT, SimulatedHome } from '../../../../homes/simulated-home.ts';
import { HomeAssistant } from '../../../../support/home-assistant.ts';
import { inWords } from '../../../../support/in-words.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { writeConfig } from '../../../cli/terminal.ts';

const DOOR = 'Front door';
const LOGIN = { username: 'latchkey', password: 'correct horse battery' };

async function broker(
  options: Omit<MosquittoOptions, 'folder'> = {},
  folder = temporaryFolder(),
): Promise<Mosquitto> {
  const started = await startMosquitto({ ...options, folder });
  onTestFinished(async () => started.stop());
  return started;
}

async function homeAssistant(url: URL): Promise<HomeAssistant> {
  const ha = await HomeAssistant.connect(url);
  onTestFinished(() => {
    ha.close();
  });
  return ha;
}

/** A broker that asks for the login. */
async function closedBroker(): Promise<Mosquitto> {
  const folder = temporaryFolder();
  const file = join(folder, 'passwords');
  spawnSync('mosquitto_passwd', ['-b', '-c', file, LOGIN.username, LOGIN.password]);
  return broker({ closed: true, lines: [`password_file ${file}`] }, folder);
}

/** Time passes until it is so, as it does in a home: ours for the broker, the home's for its timers. */
async function becomes(home: SimulatedHome, look: () => unknown, wanted: unknown): Promise<void> {
  const passing = async (): Promise<unknown> => {
    await home.clock.advance(100);
    return look();
  };
  await expect.poll(passing).toBe(wanted);
}

async function reaches(home: SimulatedHome, state: string): Promise<void> {
  await becomes(home, async () => (await home.app.operations['mqtt.status']({})).state, state);
}

/** A linked account at a broker that Home Assistant shares with it, where the front door is shown as locked. */
async function shownHome(options: Readonly<Record<string, unknown>> = {}) {
  const { url } = await broker();
  const mqtt = { url: url.href, homeAssistant: true };
  const home = await SimulatedHome.linked({ options: { mqtt, ...options } });
  const ha = await homeAssistant(url);
  await reaches(home, 'connected');
  await becomes(home, () => ha.shows(DOOR, 'lock'), 'locked');
  return { home, ha, mqtt };
}

describe.runIf(hasMosquitto)('an account with MQTT', () => {
  it('an account with a broker shows each lock to Home Assistant, and a tap there moves the lock at the service', async () => {
    const { home, ha } = await shownHome();
    await ha.tap(DOOR, 'unlock', home.clock.now());
    await becomes(home, () => ha.shows(DOOR, 'lock'), 'unlocked');
    expect((await home.app.operations.locks({}))[0]?.bolt).toBe('unsecured');
    expect(await home.requests('POST', 'command')).toHaveLength(1);
    expect(ha.events(DOOR)).toContainEqual(
      expect.objectContaining({ event_type: 'unlocked', how: 'own-command' }),
    );
    expect(Number(ha.shows(DOOR, 'wifi'))).toBeLessThan(0);
    await home.app.dispose();
    await expect.poll(() => ha.shows(DOOR, 'lock')).toBe('unavailable');
  });

  it('an account reaches the broker once, with the client id, base topic and discovery prefix of its options', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'broker.log');
    const { url } = await broker({ lines: [`log_dest file ${file}`, 'log_type all'] }, folder);
    const named = { clientId: 'front-hall', baseTopic: 'house', discoveryPrefix: 'found' };
    const options = { mqtt: { url: url.href, homeAssistant: true, ...named } };
    const other = await BrokerClient.connect(url, 'house/#', 'found/#', 'latchkey/#', 'homeassistant/#');
    onTestFinished(() => {
      other.close();
    });
    const home = await SimulatedHome.linked({ options });
    await reaches(home, 'connected');
    const levels = (): string =>
      other.seen
        .flatMap(({ topic, text }) => (text === '' ? [] : topic.split('/')[0]))
        .filter((level, index, all) => all.indexOf(level) === index)
        .toSorted((a = '', b = '') => a.localeCompare(b))
        .join();
    await becomes(home, levels, 'found,house');
    await home.clock.advance(120_000);
    const connections = readFileSync(file, 'utf8').match(/ as front-hall /g);
    expect(connections).toHaveLength(1);
    // Not even emptied: this account was linked after topics had an id (faults#124).
    const elsewhere = other.seen.filter(({ topic }) => /^(?:latchkey|homeassistant)\//.test(topic));
    expect(elsewhere).toEqual([]);
  });

  it('an account refuses commands from the broker that the options of a lock forbid', async () => {
    const { home, ha } = await shownHome();
    const lock = home.idOf(DOOR);
    const refusals = (): string => String(ha.events(DOOR).map(({ reason }) => reason));
    await home.app.operations['locks.configure']({ lock, settings: { remoteUnlock: false } });
    await ha.tap(DOOR, 'unlock', home.clock.now());
    await becomes(home, refusals, 'remote-unlock-forbidden');
    await home.app.operations['locks.configure']({ lock, settings: { remoteUnlock: true, adminOnly: true } });
    await ha.tap(DOOR, 'unlock', home.clock.now() + 1);
    await becomes(home, refusals, 'remote-unlock-forbidden,unlock-off');
    expect(await home.requests('POST', 'command')).toEqual([]);
    await home.app.operations['locks.configure']({ lock, settings: { hide: true } });
    await becomes(home, () => ha.shows(DOOR, 'lock'), undefined);
  });

  it('an account adds no code over MQTT to a lock whose remote unlock is off, or that is hidden', async () => {
    const { url } = await broker();
    const home = await SimulatedHome.linked({ options: { mqtt: { url: url.href, accessCodes: true } } });
    const ha = await homeAssistant(url);
    await reaches(home, 'connected');
    const { topics } = await home.app.operations['mqtt.status']({});
    // From then on no command is too early.
    const status = (): unknown => ha.seen.findLast(({ topic }) => topic === `${topics}/status`)?.text;
    await becomes(home, status, 'online');
    const lock = home.idOf(DOOR);
    const answers = (): string =>
      ha.seen.flatMap(({ topic, text }) => (/(?:codes|guests)\/event$/.test(topic) ? [text] : [])).join();
    const reasons = (): string => [...answers().matchAll(/"reason":"([^"]*)"/g)].map(([, why]) => why).join();
    const add = async (place: string, locks: object, at: number): Promise<void> =>
      ha.publish(
        `${topics}/${place}/set`,
        JSON.stringify({ action: 'add', at, name: 'Eve', code: '246813', ...locks }),
      );
    await home.app.operations['locks.configure']({ lock, settings: { remoteUnlock: false } });
    await add(`${lock}/codes`, {}, home.clock.now());
    await becomes(home, reasons, 'unlock-off');
    await add('account/guests', {}, home.clock.now());
    await becomes(home, reasons, 'unlock-off,unlock-off');
    await home.app.operations['locks.configure']({ lock, settings: { remoteUnlock: true, hide: true } });
    await add('account/guests', { locks: [lock] }, home.clock.now());
    await becomes(home, reasons, 'unlock-off,unlock-off,unlock-off');
    expect(await home.requests('POST', 'command')).toEqual([]);
  });

  it('an account publishes an event with who and how for each move that polling finds, and reads the history once for each (faults#129)', async () => {
    const { home, ha } = await shownHome({ polling: { idleSeconds: 5 } });
    const moves = (): readonly object[] => ha.events(DOOR).filter(({ how }) => how !== undefined);
    const move = async (action: string, details: object, event: object): Promise<void> => {
      const [count, read] = [moves().length, await home.count('GET', '/history')];
      await home.control(`locks/${encodeURIComponent(DOOR)}/${action}`, { ...details });
      await becomes(home, () => moves().length, count + 1);
      // Another listing adds nothing.
      await home.clock.advance(6_000);
      expect(moves().slice(count)).toEqual([expect.objectContaining({ ...event, read_later: true })]);
      expect((await home.count('GET', '/history')) - read).toBe(1);
    };
    await move('turn-thumbturn', {}, { event_type: 'unlocked', how: 'thumbturn', who: null });
    await move('run-scheduled-lock', {}, { event_type: 'locked', how: 'schedule', who: null });
    const to = { userId: RESIDENT, to: 'Unlocked' };
    await move('use-virtual-key', to, { event_type: 'unlocked', how: 'virtual-key' });
    const state = ha.seen.filter(({ topic }) => topic.endsWith('/state')).map(({ text }) => text);
    const who: unknown = ha.events(DOOR).at(-1)?.['who'];
    expect(who).toMatch(/./);
    expect(state.filter((text) => text.includes('"moved_how":"virtual-key"')).join()).toContain(
      `"moved_by":"${String(who)}"`,
    );
  });

  it('an account keeps its id at the broker, and carries out an unlock once, over restarts and a rename (faults#124, faults#126)', async () => {
    const { home, ha, mqtt } = await shownHome();
    const { topics } = await home.app.operations['mqtt.status']({});
    expect(topics).toMatch(/^latchkey\/Latchkey-[0-9a-f]{8}$/);
    const devices = [...ha.devices().keys()];
    // As far ahead as clocks may be, so that it is newer than the next process.
    const at = home.clock.now() + 1_500;
    await ha.tap(DOOR, 'unlock', at);
    await becomes(home, () => ha.shows(DOOR, 'lock'), 'unlocked');
    await home.restart({ mqtt, name: 'Beach house' });
    await becomes(home, () => ha.shows(DOOR, 'lock'), 'unlocked');
    await ha.tap(DOOR, 'unlock', at);
    const refused = (): unknown => ha.events(DOOR).at(-1)?.event_type;
    await becomes(home, refused, 'refused');
    expect(await home.requests('POST', 'command')).toHaveLength(1);
    expect((await home.app.operations['mqtt.status']({})).topics).toBe(topics);
    expect([...ha.devices().keys()]).toEqual(devices);
  });

  it('an account publishes that a restart is needed for the changed options in its file', async () => {
    const { home, ha, mqtt } = await shownHome();
    writeConfig(home, { mqtt });
    await home.restart();
    await becomes(home, () => ha.shows('Latchkey', 'restart_needed'), 'off');
    writeConfig(home, { mqtt, debug: true });
    await becomes(home, () => ha.shows('Latchkey', 'restart_needed'), 'on');
    expect(ha.shows('Latchkey', 'update')).toBe('unknown');
  });

  it('an account keeps and forgets a login that a page gives, for this broker alone, never shows it, and leaves that of config.json alone', async () => {
    const running = await closedBroker();
    const home = await SimulatedHome.linked({ options: { mqtt: { url: running.url.href } } });
    await reaches(home, 'waiting');
    const refused = await home.app.operations['mqtt.status']({});
    expect(refused).toMatchObject({ state: 'waiting', loginFrom: null });
    expect(inWords(refused.trouble)).toBe('The broker rejected the user name or password. Check both.');
    await home.app.operations['mqtt.login'](LOGIN);
    await reaches(home, 'connected');
    expect(await home.app.operations['mqtt.status']({})).toMatchObject({
      loginFrom: 'page',
      username: 'latchkey',
    });
    await home.restart();
    await reaches(home, 'connected');
    await home.restart({ mqtt: { url: 'mqtt://127.0.0.1:1' } });
    expect(await home.app.operations['mqtt.status']({})).toMatchObject({ loginFrom: null, username: null });
    const shown = JSON.stringify([home.lines, refused, await home.app.operations.diagnostics({})]);
    expect(shown).not.toContain(LOGIN.password);
    await home.restart({ mqtt: { url: running.url.href } });
    await reaches(home, 'connected');
    await home.app.operations['mqtt.login']({ username: null });
    expect(await home.app.operations['mqtt.status']({})).toMatchObject({ loginFrom: null });
    await home.restart({ mqtt: { url: running.url.href, ...LOGIN } });
    await reaches(home, 'connected');
    await expect(home.app.operations['mqtt.login']({ username: 'other', password: 'x' })).rejects.toThrow(
      'mqtt.username is set in config.json',
    );
  });

  it('an account says which file cannot be read, and runs without MQTT', async () => {
    const home = await SimulatedHome.linked({
      options: { mqtt: { url: 'mqtts://127.0.0.1:1', ca: '/no/such/ca.pem' } },
    });
    await becomes(home, () => home.lines.some((line) => line.includes('MQTT')), true);
    expect(home.lines.filter((line) => line.includes('MQTT'))).toEqual([
      'MQTT is not started. mqtt.ca names a file that cannot be read: /no/such/ca.pem.',
    ]);
    expect((await home.app.operations.locks({})).length).toBeGreaterThan(0);
  });

  it('an account has one connection to the broker, however many logins are saved at once, and however early', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'broker.log');
    const { url } = await broker({ lines: [`log_dest file ${file}`, 'log_type all'] }, folder);
    const home = await SimulatedHome.linked({ options: { mqtt: { url: url.href } } });
    const clients = (what: RegExp): readonly string[] =>
      [...readFileSync(file, 'utf8').matchAll(what)].map(([, client = '']) => client);
    // The first connection is not opened yet.
    await Promise.all([
      home.app.operations['mqtt.login'](LOGIN),
      home.app.operations['mqtt.login']({ ...LOGIN, username: 'latchkey-2' }),
    ]);
    await home.clock.advance(2_000);
    await reaches(home, 'connected');
    const begun = (): number => clients(/New client connected from \S+ as (latchkey\S+)/g).length;
    const ended = (): number =>
      clients(/Client (latchkey\S+) (?:disconnected|closed its connection)/g).length;
    await expect.poll(() => begun() - ended()).toBe(1);
    await home.app.dispose();
    await expect.poll(() => begun() - ended()).toBe(0);
  });

  it('an account without MQTT has no page for it, and takes no login', async () => {
    const home = await SimulatedHome.linked();
    expect(await home.app.operations['mqtt.status']({})).toMatchObject({ broker: null, state: 'off' });
    await expect(home.app.operations['mqtt.login'](LOGIN)).rejects.toThrow('MQTT is off');
  });

  it('an account whose broker hangs is stopped within five seconds, also in the middle of a renewal (faults#111)', async () => {
    const running = await broker();
    const home = await SimulatedHome.linked({ options: { mqtt: { url: running.url.href } } });
    await reaches(home, 'connected');
    const silent = { path: '**/token', kind: 'latency', delayMs: 3_600_000, often: 'always' } as const;
    await home.control('house/inject-fault', silent);
    await home.clock.advance(3_000_000);
    process.kill(running.pid() ?? 0, 'SIGSTOP');
    onTestFinished(() => {
      process.kill(running.pid() ?? 0, 'SIGCONT');
    });
    const startedAt = home.clock.monotonic();
    const stopped = new AbortController();
    const stopping = home.app.dispose().finally(() => {
      stopped.abort();
    });
    while (!stopped.signal.aborted) {
      await home.clock.advance(100);
    }
    await stopping;
    const tookMs = home.clock.monotonic() - startedAt;
    // The renewal was waited for, and nothing else before or after it.
    expect([tookMs >= 4_500, tookMs < 5_000]).toEqual([true, true]);
  });
});
