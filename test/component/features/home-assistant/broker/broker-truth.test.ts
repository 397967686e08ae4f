// The state that a broker shows when processes die, clocks move, rights are wrong, or another account has the same name.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Carrier } from '../../../../../src/carrier/carrier.ts';
import { lockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import { USUAL_TOPICS } from '../../../../../src/features/home-assistant/broker/topics.ts';
import { systemClock } from '../../../../../src/support/clock.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { describedAs, FRONT } from '../../../../stand-ins/account/runtime.ts';
import { MemoryValues } from '../../../../stand-ins/database/values.ts';
import { inWords } from '../../../../support/in-words.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import {
  BASE,
  type BrokerHome,
  brisk,
  brokerHome,
  DEFAULTS,
  hasty,
  LiveRuntime,
  reportPosition,
  servedHome,
  shows,
} from './fixture.ts';

const SET = `${BASE}/front-1/set`;
const STATUS = `${BASE}/status`;

function accepted(home: BrokerHome): readonly string[] {
  return home.runtime.requests.map(({ target }) => target);
}

async function refusals(home: BrokerHome, wanted: readonly string[]): Promise<void> {
  const look = (): unknown => home.ha.events('Front door').flatMap(({ reason }) => reason ?? []);
  await expect.poll(look).toEqual(wanted);
}

/** An account whose locks the service has not listed in this process. */
function unread(link: 'linked' | 'unlinked' = 'linked', ...names: readonly string[]): LiveRuntime {
  const runtime = new LiveRuntime();
  for (const name of names) {
    runtime.add(unknownLock(lockId(`of-${name}`), describedAs(name)));
  }
  runtime.setLink(link);
  return runtime;
}

describe.runIf(hasMosquitto)('the devices of an account', () => {
  it('stay when a plugin of the same name begins without a lock or a link (faults#124)', async () => {
    const home = await servedHome();
    for (const link of ['unlinked', 'linked'] as const) {
      const memory = home.memory(new MemoryValues(), `new-${link}`);
      const other = home.open({ memory, runtime: unread(link) });
      await expect.poll(() => other.state.kind).toBe('connected');
      await home.ha.start();
      await expect.poll(() => home.ha.seen.at(-1)?.topic).not.toBe('homeassistant/status');
    }
    expect(home.ha.seen.filter(({ text }) => text === '')).toEqual([]);
    await shows(home, 'lock', 'locked');
    await home.locks.close();
  });

  it('are apart in two homes of one name, and so are states and commands (faults#124)', async () => {
    const home = await brokerHome();
    home.open();
    const runtime = new LiveRuntime();
    runtime.add(unknownLock(FRONT, describedAs('Other front door')));
    reportPosition(runtime, 'unsecured');
    const other = home.open({ memory: home.memory(new MemoryValues(), 'e5f6a7b8'), runtime });
    await shows(home, 'lock', 'locked');
    await shows(home, 'lock', 'unlocked', 'Other front door');
    await home.ha.tap('Other front door', 'unlock');
    await expect.poll(() => runtime.requests.length).toBe(1);
    await other.close();
    await shows(home, 'lock', 'unavailable', 'Other front door');
    await shows(home, 'lock', 'locked');
    expect([home.ha.lockDevices().size, home.runtime.requests]).toEqual([2, []]);
  });

  it('of locks that left the account are removed after a listing of a linked account, and not before (faults#124)', async () => {
    const home = await servedHome();
    await home.locks.close();
    const runtime = unread('unlinked');
    const second = home.open({ memory: home.memory(), runtime });
    await expect.poll(() => second.state.kind).toBe('connected');
    runtime.setLink('linked');
    expect(home.ha.lockDevices().size).toBe(1);
    runtime.add(unknownLock(lockId('back-1'), describedAs('Back door')));
    runtime.report(lockId('back-1'), { source: 'poll', bolt: 'secured', connected: true });
    await expect
      .poll(() => [...home.ha.lockDevices().values()].map(({ device }) => device.name))
      .toEqual(['Back door']);
    const remembers = (): boolean => [...home.memory().topics].some((topic) => topic.includes('front-1'));
    await expect.poll(remembers).toBe(false);
  });

  it('keep their ids in Home Assistant when their topics move to those with an id (faults#124)', async () => {
    const home = await brokerHome();
    // An account that was there before has locks, and was announced by its name alone.
    const kept = home.memory(new MemoryValues(), 'a1b2c3d4', [FRONT]);
    expect(kept.identity).toEqual({
      level: 'Latchkey-a1b2c3d4',
      idPrefix: `latchkey_${createHash('sha256').update('Latchkey').digest('hex').slice(0, 8)}_`,
    });
    await home.ha.publish('latchkey/Latchkey/front-1/state', '{"state":"locked"}', { retain: true });
    await home.ha.publish('latchkey/Latchkey/front-1/available', 'online', { retain: true });
    await home.ha.publish('latchkey/Latchkey/other-9/state', '{}', { retain: true });
    home.open({ memory: kept });
    await shows(home, 'lock', 'locked');
    expect([...home.ha.lockDevices().keys()]).toEqual([`${kept.identity.idPrefix}front-1`]);
    // One that the broker is slow to acknowledge is removed once more.
    const gone = (): unknown =>
      new Set(home.ha.seen.filter(({ text }) => text === '').map(({ topic }) => topic));
    await expect
      .poll(gone)
      .toEqual(new Set(['latchkey/Latchkey/front-1/state', 'latchkey/Latchkey/front-1/available']));
  });

  it('stay while another process publishes with a copy of the storage, which is logged (faults#124)', async () => {
    const home = await servedHome({ clock: brisk });
    const copy = home.open({ clock: brisk });
    await expect.poll(() => inWords(home.locks.trouble)).toMatch(/Another Latchkey uses this name/);
    await expect.poll(() => inWords(copy.trouble)).toMatch(/Another Latchkey uses this name/);
    home.configure({ ...DEFAULTS, hidden: true });
    await shows(home, 'lock', 'unavailable');
    await copy.close();
    await home.ha.start();
    expect(home.ha.lockDevices().size).toBe(1);
    expect(home.lines.some((line) => line.includes('Another Latchkey'))).toBe(true);
  });

  it('are not declared gone in turn for ever by two copies that both lost their link (faults#124)', async () => {
    const home = await brokerHome();
    home.runtime.setLink('revoked');
    const copies = [home.open({ clock: systemClock }), home.open({ clock: systemClock })];
    await expect.poll(() => copies.map(({ state }) => state.kind)).toEqual(['connected', 'connected']);
    await home.ha.start();
    await expect.poll(() => home.ha.lockDevices().size).toBe(1);
    const said = (): number => home.ha.seen.filter(({ topic }) => topic === STATUS).length;
    const before = said();
    for (let round = 0; round < 20; round += 1) {
      await home.ha.publish(`${BASE}/round`, String(round));
    }
    expect([before < 20, said() - before < 5]).toEqual([true, true]);
  });

  it('of a copy that lost its link do not hide that there are two: both log it (faults#124)', async () => {
    const home = await servedHome();
    const copy = home.open({ runtime: unread('unlinked') });
    await expect.poll(() => inWords(copy.trouble)).toMatch(/Another Latchkey uses this name/);
    await expect.poll(() => inWords(home.locks.trouble)).toMatch(/Another Latchkey uses this name/);
  });

  it('stay while two processes take turns under one configured client id, which is logged (faults#124)', async () => {
    const home = await brokerHome();
    // No turn is long enough for a steady connection, however slow the machine.
    let laterMs = 0;
    const clock = { ...hasty, monotonic: () => systemClock.monotonic() + laterMs };
    const parts = { topics: { ...USUAL_TOPICS, clientId: 'fixed' }, clock };
    const first = home.open(parts);
    await shows(home, 'lock', 'locked');
    const copy = home.open(parts);
    for (const one of [first, copy]) {
      await expect.poll(() => inWords(one.trouble)).toMatch(/may use the same client ID \(mqtt\.clientId\)/);
    }
    home.configure({ ...DEFAULTS, hidden: true });
    const turns = (): number => home.lines.filter((line) => line.includes('The MQTT broker is back')).length;
    const before = turns();
    await expect.poll(() => turns() - before).toBeGreaterThan(4);
    expect(home.ha.lockDevices().size).toBe(1);
    expect(home.lines.filter((line) => line.includes('same client ID'))).toHaveLength(2);
    await copy.close();
    await expect.poll(() => first.state.kind).toBe('connected');
    laterMs = 200_000;
    await expect.poll(() => first.trouble).toBeNull();
  });

  it('are removed when the option is turned off, also where a connection was given up before (faults#124)', async () => {
    const home = await servedHome();
    await home.locks.close();
    await home.open().close();
    home.open({ homeAssistant: false });
    await expect.poll(() => home.ha.devices().size).toBe(0);
  });
});

/** What a Home Assistant that has heard nothing before `from` showed of the front door, with each message from `since` on. */
function shownSince(home: BrokerHome, from: number, since = from): readonly (string | undefined)[] {
  const ends = home.ha.seen.map((_, index) => index + 1).slice(since);
  return ends.map((to) => home.ha.shows('Front door', 'lock', { from, to }));
}

/** Keeps what is published back for a while, as a path of 100 ms does, and notes the order and the expiry in seconds. */
function slow(carrier: Carrier, order: string[]): Carrier {
  return {
    get state() {
      return carrier.state;
    },
    subscribeState: (listener) => carrier.subscribeState(listener),
    publish: async (message) => {
      const { topic, payload, expirySeconds = '' } = message;
      const text = topic.endsWith('state') ? '' : `${String(payload)} ${String(expirySeconds)}`;
      const what = `${topic.replace(BASE, '')} ${text}`.trim();
      order.push(`sent ${what}`);
      const receipt = await carrier.publish(message);
      await setTimeout(20);
      order.push(`acknowledged ${what}`);
      return receipt;
    },
    close: async () => carrier.close(),
  };
}

/** How often the topic was published as available. */
function renewals(home: BrokerHome, wanted: string): number {
  return home.ha.seen.filter(({ topic, text }) => topic === wanted && text === 'online').length;
}

describe.runIf(hasMosquitto)('a door that was opened while the plugin was away', () => {
  it('is not shown as locked after the plugin was killed (faults#125)', async () => {
    const home = await brokerHome();
    const topics = { ...USUAL_TOPICS, clientId: 'fixed' };
    home.open({ topics });
    await shows(home, 'lock', 'locked');
    // The same client id from elsewhere cuts the connection, and the broker publishes the will.
    const from = home.ha.seen.length;
    reportPosition(home.runtime, 'unsecured');
    home.open({ memory: home.memory(), topics });
    // What the first one said before it heard of the move may still be on its way.
    const ended = (): number =>
      home.ha.seen.findIndex(
        ({ topic, text }, index) => index >= from && topic === STATUS && text === 'offline',
      );
    await expect.poll(ended).toBeGreaterThan(0);
    const will = ended();
    await shows(home, 'lock', 'unlocked');
    expect(shownSince(home, 0, will)).not.toContain('locked');
  });

  it('is not shown as locked from the moment on in which the plugin is back at a killed broker (faults#125)', async () => {
    const home = await brokerHome(['persistence true', 'autosave_on_changes true', 'autosave_interval 1']);
    home.open();
    await shows(home, 'lock', 'locked');
    await home.broker.kill();
    reportPosition(home.runtime, 'unsecured');
    const from = home.ha.seen.length;
    await home.broker.start();
    await shows(home, 'lock', 'unlocked');
    const back = home.ha.seen.findIndex(
      ({ topic, text }, index) => index >= from && topic === STATUS && text === 'offline',
    );
    // Home Assistant may be back later than the plugin, and then never sees what the broker had saved.
    expect(shownSince(home, from, back < 0 ? from : back)).not.toContain('locked');
  });

  it('counts as available only after its state is acknowledged, no longer once the plugin ends, and for a minute at most once it is gone (faults#125)', async () => {
    const order: string[] = [];
    const home = await brokerHome();
    const { openCarrier } = home;
    const locks = home.open({ clock: systemClock, openCarrier: (needs) => slow(openCarrier(needs), order) });
    await shows(home, 'lock', 'locked');
    await locks.close();
    const counted = order.filter((line) => /state|online/.test(line) && !/homeassistant|account/.test(line));
    expect(counted).toEqual([
      'sent /front-1/state',
      'acknowledged /front-1/state',
      'sent /front-1/available online 900',
      'acknowledged /front-1/available online 900',
      'sent /status online 60',
      'acknowledged /status online 60',
    ]);
    expect(order.indexOf('sent /status offline')).toBeLessThan(order.indexOf('sent /front-1/state'));
    const sent = order.filter((line) => line.startsWith('sent'));
    expect(sent.slice(-2).sort()).toEqual(['sent /front-1/available offline', 'sent /status offline']);
  });

  it('is renewed as available again and again while the plugin runs', async () => {
    const home = await servedHome();
    await expect.poll(() => renewals(home, STATUS)).toBeGreaterThan(3);
    // Five minutes pass in three seconds here.
    await expect.poll(() => renewals(home, `${BASE}/front-1/available`)).toBeGreaterThan(1);
  });

  it('is renewed as available as often when its state changes all the time (faults#125)', async () => {
    const home = await servedHome({ evidenceMaxAgeMs: 60_000 });
    let wifiDbm = -40;
    const changes = setInterval(() => {
      wifiDbm -= 1;
      home.runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true, wifiDbm });
    }, 50);
    try {
      await expect.poll(() => renewals(home, `${BASE}/front-1/available`)).toBeGreaterThan(3);
    } finally {
      clearInterval(changes);
    }
  });
});

describe.runIf(hasMosquitto)('an unlock over MQTT', () => {
  it('that was asked before this process began opens nothing (faults#126)', async () => {
    const home = await brokerHome();
    const at = Date.now() - 1_000;
    home.open({ clock: systemClock });
    await shows(home, 'lock', 'locked');
    await home.ha.tap('Front door', 'unlock', at);
    await refusals(home, ['before-start']);
    expect(accepted(home)).toEqual([]);
  });

  it('whose time cannot be stored opens nothing; a lock command is carried out all the same (faults#126)', async () => {
    const home = await brokerHome();
    const memory = home.memory();
    memory.asked = () => {
      throw new Error('The disk is full');
    };
    home.open({ memory });
    await shows(home, 'lock', 'locked');
    await home.ha.tap('Front door', 'unlock');
    await home.ha.tap('Front door', 'lock');
    await expect.poll(() => accepted(home)).toEqual(['secured']);
  });

  it("is judged by the service's time: an old one opens nothing on a machine whose clock is behind (faults#127)", async () => {
    const home = await brokerHome();
    home.runtime.aheadMs = 3_600_000;
    home.open();
    await shows(home, 'lock', 'locked');
    // An hour old by the service's time, and new by the wall clock of this machine.
    await home.ha.tap('Front door', 'unlock', Date.now());
    await refusals(home, ['too-old']);
    await home.ha.tap('Front door', 'unlock', Date.now() + 3_600_000);
    await expect.poll(() => accepted(home)).toEqual(['unsecured']);
  });

  it("waits for the service's time, and a lock command never does (faults#127)", async () => {
    const home = await brokerHome();
    const runtime = unread('linked', 'Cold door');
    home.open({ memory: home.memory(new MemoryValues()), runtime });
    await expect.poll(() => home.ha.lockDevices().size).toBe(1);
    const at = Date.now();
    for (const [action, time] of [
      ['unlock', at],
      ['lock', at - 3_600_000],
      ['lock', at + 3_600_000],
      ['lock', at - 1],
    ] as const) {
      await home.ha.tap('Cold door', action, time);
    }
    await expect
      .poll(() => runtime.requests.map(({ target }) => target))
      .toEqual(['secured', 'secured', 'secured']);
  });

  it('that is refused is one line in the log an hour, however often it comes, and counted', async () => {
    const home = await servedHome();
    for (let count = 0; count < 50; count += 1) {
      await home.ha.publish(SET, 'unlock');
    }
    await expect.poll(() => home.locks.refused['no-time']).toBe(50);
    expect(home.lines.filter((line) => line.includes('was refused'))).toHaveLength(1);
    // As by the account, whose options forbid it.
    home.runtime.answer = async () => Promise.resolve({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    const at = Date.now();
    for (let count = 0; count < 20; count += 1) {
      await home.ha.tap('Front door', 'unlock', at + count);
    }
    await expect.poll(() => home.locks.refused['remote-unlock-forbidden']).toBe(20);
    expect(home.lines.filter((line) => line.includes('was refused'))).toEqual([
      expect.any(String),
      'Front door: a command over MQTT was refused. Remote unlock is turned off for this lock. Allow it on the Locks page or in config.json.',
    ]);
  });
});

describe.runIf(hasMosquitto)('rights at the broker', () => {
  it('that are wrong are logged, and work within a minute of being corrected, without a restart', async () => {
    const file = join(temporaryFolder(), 'acl');
    const write = (...rights: readonly string[]): void => {
      writeFileSync(file, ['topic readwrite homeassistant/#', ...rights, ''].join('\n'));
    };
    write('topic read latchkey/#');
    const home = await brokerHome([`acl_file ${file}`]);
    const allow = (right: string): void => {
      write(right);
      // mosquitto reads it again.
      process.kill(home.broker.pid() ?? 0, 'SIGHUP');
    };
    const locks = home.open({
      clock: { ...systemClock, after: (ms, call) => systemClock.after(ms / 20, call) },
    });
    await expect.poll(() => inWords(locks.trouble)).toMatch(/does not take latchkey/);
    expect(home.lines.filter((line) => line.includes('does not take'))).toHaveLength(1);
    // Publishing is allowed, and what is published on `set` reaches nobody: mosquitto grants the subscription all the same.
    allow('topic write latchkey/#');
    await expect.poll(() => inWords(locks.trouble)).toMatch(/does not deliver commands/);
    allow('topic readwrite latchkey/#');
    await expect.poll(() => locks.trouble).toBeNull();
    await home.ha.publish(SET, 'lock');
    await expect.poll(() => accepted(home)).toEqual(['secured']);
    // Home Assistant had no right to read either, and asks for everything when it starts.
    await home.ha.start();
    await shows(home, 'lock', 'locked');
  });
});

describe.runIf(hasMosquitto)('a PIN for unlocking', () => {
  it('is asked for by Home Assistant, must come with an unlock, and is never shown (faults#169)', async () => {
    const home = await servedHome({ remotePin: '2468', clock: systemClock });
    const [device] = home.ha.lockDevices().values();
    expect(device?.components['lock']).toMatchObject({ code_format: '^(\\d{4,8})?$' });
    await home.ha.tap('Front door', 'unlock');
    await home.ha.publish(SET, JSON.stringify({ action: 'unlock', at: Date.now() }));
    await refusals(home, ['no-pin', 'no-pin']);
    await home.ha.tap('Front door', 'unlock', Date.now(), '2468');
    await home.ha.tap('Front door', 'lock');
    await expect.poll(() => accepted(home)).toEqual(['unsecured', 'secured']);
    for (let count = 0; count < 5; count += 1) {
      await home.ha.tap('Front door', 'unlock', Date.now() + count, '1111');
    }
    await home.ha.tap('Front door', 'unlock', Date.now() + 10, '2468');
    await refusals(home, ['no-pin', 'no-pin', ...Array.from({ length: 5 }, () => 'wrong-pin'), 'pin-closed']);
    const ours = home.ha.seen.filter(({ topic }) => topic !== SET);
    expect(JSON.stringify([ours, home.lines])).not.toMatch(/2468|1111/);
  });
});

describe.runIf(hasMosquitto)('the device of the account', () => {
  it('has its connection, counts, version and pages, and its locks belong to it', async () => {
    const home = await servedHome({ pagesUrl: 'http://192.168.1.9:18582' });
    const counts = (): unknown =>
      ['connection', 'locks', 'unlocked', 'offline'].map((key) => home.ha.shows('Latchkey', key));
    await expect.poll(counts).toEqual(['on', '1', '0', '0']);
    reportPosition(home.runtime, 'unsecured');
    await expect.poll(counts).toEqual(['on', '1', '1', '0']);
    const account = [...home.ha.devices()].find(([id]) => id.endsWith('_account'));
    expect(account?.[1].device).toMatchObject({
      name: 'Latchkey',
      sw_version: '0.1.0',
      configuration_url: 'http://192.168.1.9:18582',
    });
    const [lock] = home.ha.lockDevices().values();
    expect(lock?.device.via_device).toBe(account?.[0]);
    await home.locks.close();
    await expect.poll(counts).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable']);
  });

  it('says that the service is away, and that it is back (faults#172)', async () => {
    const home = await servedHome();
    const shown = (): unknown => ['connection', 'service'].map((key) => home.ha.shows('Latchkey', key));
    await expect.poll(shown).toEqual(['on', 'off']);
    home.runtime.setServiceAway(true);
    await expect.poll(shown).toEqual(['off', 'on']);
    home.runtime.setServiceAway(false);
    await expect.poll(shown).toEqual(['on', 'off']);
  });

  it('shows that a restart is needed, and for which version, and never that no version is published', async () => {
    const home = await brokerHome();
    home.open();
    const shown = (): unknown => ['restart_needed', 'update'].map((key) => home.ha.shows('Latchkey', key));
    await expect.poll(shown).toEqual(['off', 'unknown']);
    home.restart = { running: '0.1.0', installed: null, isNeeded: true };
    await expect.poll(shown).toEqual(['on', 'unknown']);
    home.restart = { running: '0.1.0', installed: '0.2.0', isNeeded: true };
    await expect.poll(shown).toEqual(['on', 'on']);
  });
});
