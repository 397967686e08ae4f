// Locks at a real broker: what Home Assistant and other programs see, and which commands reach the account.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../../../src/domain/locks/lock.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { describedAs, FRONT } from '../../../../stand-ins/account/runtime.ts';
import { DISCOVERY_TOPIC } from '../../../../support/home-assistant-rules.ts';
import { BASE, type BrokerHome, brokerHome, DEFAULTS, reportPosition, servedHome, shows } from './fixture.ts';

const STATE = `${BASE}/front-1/state`;
const SET = `${BASE}/front-1/set`;
const AVAILABLE = `${BASE}/front-1/available`;
const STATUS = `${BASE}/status`;

async function happened(home: BrokerHome, event: Readonly<Record<string, unknown>>): Promise<void> {
  await expect.poll(() => home.ha.events('Front door')).toContainEqual(expect.objectContaining(event));
}

/** Sends a command that is certainly accepted, and resolves with its answer, so that all earlier messages were processed. */
async function proveReceived(home: BrokerHome): Promise<void> {
  const before = home.runtime.requests.length;
  await home.ha.publish(SET, 'lock');
  await expect.poll(() => home.runtime.requests.length).toBeGreaterThan(before);
}

describe.runIf(hasMosquitto)('a lock in Home Assistant', () => {
  it('is one device with all that is known of it, by the published rules', async () => {
    const home = await servedHome();
    expect([...home.ha.lockDevices()]).toHaveLength(1);
    const entities = ['online', 'jammed', 'battery_low', 'battery', 'wifi', 'position'];
    expect(entities.map((key) => home.ha.shows('Front door', key))).toEqual([
      'on',
      'off',
      'off',
      '87',
      '-58',
      undefined,
    ]);
    const topics = home.ha.seen
      .map(({ topic }) => topic)
      .filter((topic) => topic.startsWith('homeassistant/device'));
    expect(topics.every((topic) => DISCOVERY_TOPIC.test(topic))).toBe(true);
  });

  it('follows the bolt: a command is on its way until evidence says where the bolt is', async () => {
    const home = await servedHome();
    home.runtime.answer = async (id, target) => {
      home.runtime.happen(id, { type: 'requested', target });
      return { kind: 'accepted' };
    };
    await home.ha.tap('Front door', 'unlock');
    await shows(home, 'lock', 'unlocking');
    expect(home.runtime.requests).toEqual([{ id: FRONT, target: 'unsecured' }]);
    home.runtime.happen(FRONT, { type: 'request-dropped' });
    await shows(home, 'lock', 'locked');
    reportPosition(home.runtime, 'unsecured');
    await shows(home, 'lock', 'unlocked');
    home.runtime.report(FRONT, { bolt: 'jammed' });
    await shows(home, 'lock', 'jammed');
    await shows(home, 'jammed', 'on');
    home.runtime.report(FRONT, { source: 'poll', bolt: 'unknown' });
    await shows(home, 'lock', 'jammed');
    reportPosition(home.runtime, 'secured');
    await shows(home, 'lock', 'locked');
  });

  it('is unavailable without evidence: offline, unlinked, and when this process is gone', async () => {
    const home = await servedHome();
    home.runtime.report(FRONT, { connected: false });
    await shows(home, 'lock', 'unavailable');
    await shows(home, 'online', 'off');
    // Its position has grown old, and the service is known to say nothing of it for as long; then it says so again.
    const at = home.runtime.aheadMs;
    home.runtime.aheadMs += 2 * 900_000;
    home.runtime.happen(FRONT, { type: 'aged', staleBefore: Date.now() + 900_000 });
    await shows(home, 'online', 'unknown');
    home.runtime.aheadMs = at;
    home.runtime.report(FRONT, { connected: false });
    await shows(home, 'online', 'off');
    reportPosition(home.runtime, 'secured');
    await shows(home, 'lock', 'locked');
    home.runtime.setLink('revoked');
    await shows(home, 'online', 'unavailable');
    home.runtime.setLink('linked');
    await shows(home, 'lock', 'locked');
    await home.locks.close();
    await shows(home, 'lock', 'unavailable');
    await shows(home, 'battery', 'unavailable');
    expect(home.runtime.listeners).toBe(0);
  });

  it('says who moved it and how, and never an entered code', async () => {
    const home = await servedHome();
    const accessor = { method: 'access-code', id: '3', name: 'Ann' } as const;
    home.runtime.report(FRONT, { bolt: 'unsecured', accessor });
    await happened(home, { event_type: 'unlocked', how: 'access-code', who: 'Ann' });
    home.runtime.report(FRONT, { bolt: 'secured', accessor: { ...accessor, name: 'Ben 4711' } });
    await happened(home, { event_type: 'locked', how: 'access-code', who: null });
    home.runtime.alert(FRONT, 'wrong-code');
    home.runtime.alert(FRONT, 'keypad-locked-out');
    home.runtime.alert(FRONT, 'alarm');
    await happened(home, { event_type: 'alarm' });
    expect(home.ha.events('Front door').map(({ event_type: type }) => type)).toEqual([
      'unlocked',
      'locked',
      'wrong-code',
      'keypad-locked-out',
      'alarm',
    ]);
    expect(JSON.stringify(home.ha.seen)).not.toContain('4711');
  });

  it('names nobody whose history is erased, in the retained state, and nothing has happened', async () => {
    const home = await servedHome();
    const accessor = { method: 'access-code', id: '3', name: 'Ann' } as const;
    home.runtime.report(FRONT, { bolt: 'unsecured', accessor });
    await happened(home, { event_type: 'unlocked', who: 'Ann' });
    const events = home.ha.events('Front door').length;
    home.runtime.happen(FRONT, { type: 'history-erased', isErased: ({ by }) => by.name === 'Ann' });
    const last = (): string => home.ha.seen.findLast(({ topic }) => topic === STATE)?.text ?? '';
    await expect.poll(last).toContain('"moved_by":null,"moved_how":"access-code"');
    expect(last()).not.toContain('Ann');
    await proveReceived(home);
    expect(home.ha.events('Front door')).toHaveLength(events);
  });

  it('has a readable name of 64 characters at most, and never none', async () => {
    const home = await servedHome();
    const shown = 'F'.repeat(64);
    home.configure({ ...DEFAULTS, name: `\u202e\u0007${'F'.repeat(80)}` });
    await shows(home, 'lock', 'locked', shown);
    home.configure({ ...DEFAULTS, name: '\u200b\u0000' });
    await shows(home, 'lock', 'locked', 'Lock');
    expect([...home.ha.lockDevices()]).toHaveLength(1);
  });

  it('publishes booked stays by name, without digits of a code, and an arrival only when it is recent', async () => {
    const home = await servedHome();
    const soonAt = home.runtime.tick();
    home.runtime.stay('stay-code-ready', FRONT);
    home.runtime.stay('stay-arrived', lockId('elsewhere'));
    home.runtime.stay('stay-arrived', FRONT, soonAt - 130_000);
    home.runtime.stay('stay-arrived', FRONT, soonAt);
    home.runtime.stay('stay-ended', FRONT);
    await happened(home, { event_type: 'stay-ended' });
    const [first, ...others] = home.ha.events('Front door');
    expect(first).toEqual({
      event_type: 'stay-code-ready',
      at: new Date(soonAt + 1_000).toISOString(),
      stay: 'Stay 12-15 Dec',
      calendar: 'Flat',
      check_in: new Date(soonAt - 59_000).toISOString(),
      check_out: new Date(soonAt + 3_601_000).toISOString(),
    });
    expect(others).toMatchObject([
      { event_type: 'stay-arrived', at: new Date(soonAt).toISOString() },
      { event_type: 'stay-ended' },
    ]);
  });

  it('publishes a stay whose code is not ready, for the lock that lacks it (faults#157)', async () => {
    const home = await servedHome();
    home.runtime.stay('stay-not-ready', lockId('elsewhere'));
    home.runtime.stay('stay-not-ready', FRONT);
    home.runtime.stay('stay-ended', FRONT);
    await happened(home, { event_type: 'stay-ended' });
    expect(home.ha.events('Front door')).toMatchObject([
      { event_type: 'stay-not-ready', stay: 'Stay 12-15 Dec', calendar: 'Flat' },
      { event_type: 'stay-ended' },
    ]);
  });

  it('publishes a move of ours once, whichever of the two reports comes first (faults#170)', async () => {
    const home = await servedHome();
    const own = { method: 'own-command', id: null, name: null } as const;
    home.runtime.sendCommand(FRONT, 'unsecured');
    home.runtime.report(FRONT, { bolt: 'unsecured', accessor: own });
    home.runtime.endCommand(FRONT, 'unsecured', { kind: 'moved' });
    home.runtime.moveByCommand(FRONT, 'secured');
    home.runtime.report(FRONT, { bolt: 'secured', accessor: own });
    home.runtime.alert(FRONT, 'alarm');
    await happened(home, { event_type: 'alarm' });
    expect(home.ha.events('Front door').map(({ event_type: type }) => type)).toEqual([
      'unlocked',
      'locked',
      'alarm',
    ]);
  });

  it('keeps its device when it is renamed, and its topics', async () => {
    const home = await servedHome();
    const [before] = home.ha.lockDevices().keys();
    home.runtime.report(FRONT, { source: 'poll', description: describedAs('Porch / #1 +') });
    await shows(home, 'lock', 'locked', 'Porch / #1 +');
    expect([...home.ha.lockDevices().keys()]).toEqual([before]);
    home.configure({ ...DEFAULTS, name: 'Back' });
    await shows(home, 'lock', 'locked', 'Back');
  });

  it('appears for a lock that the account gains, disappears when it is hidden or removed, and comes back', async () => {
    const home = await servedHome();
    home.runtime.add(unknownLock(lockId('back-2'), describedAs('Back door')));
    await shows(home, 'lock', 'unavailable', 'Back door');
    home.runtime.remove(lockId('back-2'));
    home.configure({ ...DEFAULTS, hidden: true });
    await shows(home, 'lock', undefined);
    home.configure(DEFAULTS);
    await shows(home, 'lock', 'locked');
    home.runtime.remove(FRONT);
    await shows(home, 'lock', undefined);
    expect(home.ha.lockDevices().size).toBe(0);
  });

  it('leaves soon after the lock left the account, also over a restart, and is back with it', async () => {
    const home = await servedHome();
    home.runtime.happen(FRONT, { type: 'missed', at: home.runtime.tick() });
    home.runtime.withdrawn.add(FRONT);
    await shows(home, 'lock', undefined);
    await home.locks.close();
    const announced = (): number =>
      home.ha.seen.filter(({ topic, text }) => topic.includes('front-1/config') && text !== '').length;
    const before = announced();
    const again = home.open();
    await expect.poll(() => again.state.kind).toBe('connected');
    expect(announced()).toBe(before);
    home.runtime.withdrawn.delete(FRONT);
    reportPosition(home.runtime, 'secured');
    await shows(home, 'lock', 'locked');
  });

  it('is announced again when Home Assistant starts, and when the broker lost everything', async () => {
    const home = await servedHome();
    const announcements = (): number =>
      home.ha.seen.filter(({ topic }) => DISCOVERY_TOPIC.test(topic)).length;
    const before = announcements();
    // The first start may come before the account listens for it.
    const start = async (): Promise<number> => {
      await home.ha.start();
      return announcements();
    };
    await expect.poll(start, { interval: 200 }).toBeGreaterThan(before);
    const afterStart = announcements();
    await home.broker.kill();
    await home.broker.start();
    const back = (): readonly string[] => home.lines.filter((line) => line.includes('is back'));
    await expect.poll(back).toHaveLength(1);
    await expect.poll(announcements).toBeGreaterThan(afterStart);
    await shows(home, 'lock', 'locked');
  });

  it('is a sensor where the account or an option forbids every move', async () => {
    const home = await brokerHome();
    home.options = { ...DEFAULTS, commands: 'none' };
    home.open();
    await shows(home, 'position', 'off');
    expect(home.ha.shows('Front door', 'lock')).toBeUndefined();
    reportPosition(home.runtime, 'unsecured');
    await shows(home, 'position', 'on');
    home.configure(DEFAULTS);
    await shows(home, 'lock', 'unlocked');
    home.runtime.report(FRONT, {
      source: 'poll',
      description: { ...describedAs('Front door'), role: 'reader' },
    });
    await shows(home, 'position', 'on');
  });
});

describe.runIf(hasMosquitto)('a command over MQTT', () => {
  it('that is refused, or fails later, publishes the reason, and the state stays with the evidence', async () => {
    const home = await servedHome();
    home.runtime.answer = async () => ({ kind: 'refused', reason: 'remote-unlock-forbidden' });
    await home.ha.tap('Front door', 'unlock');
    await happened(home, { event_type: 'refused', target: 'unlocked', reason: 'remote-unlock-forbidden' });
    home.runtime.endCommand(FRONT, 'unsecured', { kind: 'refused', reason: 'lock-silent' });
    await happened(home, { event_type: 'failed', target: 'unlocked', reason: 'lock-silent' });
    expect(home.ha.shows('Front door', 'lock')).toBe('locked');
  });

  it('that is retained moves nothing, at a hundred connections (faults#102)', async () => {
    const home = await brokerHome();
    await home.ha.publish(SET, '{"action":"unlock"}', { retain: true });
    await home.ha.publish(SET, JSON.stringify({ action: 'unlock', at: Date.now() + 1_000 }), {
      retain: true,
    });
    for (let connection = 0; connection < 100; connection += 1) {
      const locks = home.open();
      await expect.poll(() => locks.state.kind).toBe('connected');
      if (connection % 20 === 0) {
        // Live, too: a broker forwards the retain flag.
        await home.ha.publish(SET, JSON.stringify({ action: 'unlock', at: Date.now() }), { retain: true });
        await expect
          .poll(() => home.ha.events('Front door').filter(({ reason }) => reason === 'retained').length)
          .toBe(connection / 20 + 1);
      }
      await locks.close();
    }
    expect(home.runtime.requests).toEqual([]);
  });

  it('that was sent while the plugin was not connected is not delivered later (faults#102)', async () => {
    const home = await servedHome({}, ['persistence true', 'queue_qos0_messages true']);
    await home.locks.close();
    for (let count = 0; count < 100; count += 1) {
      await home.ha.tap('Front door', 'unlock');
    }
    home.open();
    await shows(home, 'lock', 'locked');
    await proveReceived(home);
    expect(home.runtime.requests).toEqual([{ id: FRONT, target: 'secured' }]);
  });

  it('that is repeated or late opens nothing, even behind a newer one (faults#102)', async () => {
    const home = await servedHome();
    const at = Date.now();
    await home.ha.tap('Front door', 'unlock', at);
    await home.ha.tap('Front door', 'lock', at + 1);
    for (let count = 0; count < 200; count += 1) {
      await home.ha.tap('Front door', 'unlock', count % 2 === 0 ? at : at - 60_000);
    }
    await expect
      .poll(() => home.ha.events('Front door').filter(({ event_type: type }) => type === 'refused').length)
      .toBe(200);
    expect(home.runtime.requests).toEqual([
      { id: FRONT, target: 'unsecured' },
      { id: FRONT, target: 'secured' },
    ]);
  });
});

describe.runIf(hasMosquitto)('plain topics', () => {
  it('hold the state in one retained message that the broker drops when it is not renewed', async () => {
    const home = await brokerHome();
    home.open({ homeAssistant: false, evidenceMaxAgeMs: 1_000 });
    await expect.poll(() => home.ha.seen.some(({ topic }) => topic === STATE)).toBe(true);
    expect(
      home.ha.seen.map(({ topic }) => topic).filter((topic) => topic.startsWith('homeassistant')),
    ).toEqual([]);
    const state = home.ha.seen.find(({ topic }) => topic === STATE);
    expect(JSON.parse(state?.text ?? '')).toMatchObject({ state: 'locked', battery: 87, online: true });
    const last = (topic: string): string | undefined =>
      home.ha.seen.findLast((message) => message.topic === topic)?.text;
    await expect.poll(() => [last(AVAILABLE), last(STATUS)]).toEqual(['online', 'online']);
  });
});
