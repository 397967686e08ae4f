// Devices that a person deletes in Home Assistant: they stay deleted until they change, and only that counts as a deletion.
import { describe, expect, it, onTestFinished } from 'vitest';
import { BrokerClient } from '../../../../harness/broker-client.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { FRONT } from '../../../../stand-ins/account/runtime.ts';
import { type BrokerHome, DEFAULTS, servedHome, shows } from './fixture.ts';

const DISCOVERY = /^homeassistant\/device\/.*front-1\/config$/;

/** As Home Assistant clears it. */
async function deleteDevice({ ha }: BrokerHome): Promise<void> {
  const { topic = '' } = ha.seen.find((message) => DISCOVERY.test(message.topic)) ?? {};
  await ha.publish(topic, '', { retain: true });
}

/** The names under which the lock is announced from now on, by what the broker keeps and by what it passes on. */
async function announced(home: BrokerHome): Promise<() => readonly string[]> {
  const client = await BrokerClient.connect(home.broker.url, 'homeassistant/device/+/config');
  onTestFinished(() => client.close());
  return () =>
    client.seen
      .filter(({ topic, text }) => DISCOVERY.test(topic) && text !== '')
      .map(({ text }) => (JSON.parse(text) as { device: { name: string } }).device.name);
}

async function deleted(home: BrokerHome): Promise<void> {
  await deleteDevice(home);
  await expect.poll(() => home.lines.join('\n')).toContain('Front door was deleted in Home Assistant');
}

/** Everything that was published before has arrived at Home Assistant. A command may be too early at first, and is repeated. */
async function settled(home: BrokerHome): Promise<void> {
  const before = home.runtime.requests.length;
  const [set = ''] = home.ha.seen
    .map(({ topic }) => topic)
    .filter((topic) => topic.endsWith('front-1/state'))
    .map((topic) => topic.replace(/state$/, 'set'));
  await expect
    .poll(async () => {
      await home.ha.publish(set, 'lock');
      return home.runtime.requests.length;
    })
    .toBeGreaterThan(before);
}

describe.runIf(hasMosquitto)('a device that was deleted in Home Assistant', () => {
  it('stays deleted over a restart of Home Assistant, of the broker and of the plugin, also of a newer version', async () => {
    const home = await servedHome();
    await deleted(home);
    const names = await announced(home);
    await home.ha.start();
    await settled(home);
    await home.broker.kill();
    await home.broker.start();
    await expect.poll(() => home.lines.join('\n')).toContain('The MQTT broker is back.');
    await settled(home);
    await home.locks.close();
    const second = home.open({ version: '9.9.9' });
    await expect.poll(() => second.state.kind).toBe('connected');
    await settled(home);
    expect(names()).toEqual([]);
  });

  it('is announced again when it has changed', async () => {
    const home = await servedHome();
    await deleted(home);
    const names = await announced(home);
    home.configure({ ...DEFAULTS, name: 'Back door' });
    await expect.poll(names).toEqual(['Back door']);
    await shows(home, 'lock', 'locked', 'Back door');
  });

  it('is announced again when it was hidden and is shown', async () => {
    const home = await servedHome();
    await deleted(home);
    const names = await announced(home);
    home.configure({ ...DEFAULTS, hidden: true });
    home.configure(DEFAULTS);
    await expect.poll(names).toEqual(['Front door']);
  });
});

describe.runIf(hasMosquitto)('no deletion is', () => {
  it('a broker that has lost what it kept', async () => {
    const home = await servedHome();
    const names = await announced(home);
    await home.broker.kill();
    await home.broker.start();
    await expect.poll(() => names().length).toBeGreaterThan(1);
    expect(home.memory().deletedAs(`homeassistant/device/latchkey_a1b2c3d4_${FRONT}/config`)).toBeNull();
  });

  it('the clearing by another Latchkey, which has a mark', async () => {
    const home = await servedHome();
    const other = home.openCarrier({
      clientId: 'other',
      will: { topic: 'will', payload: '' },
      subscriptions: [],
    });
    await expect.poll(() => other.state.kind).toBe('connected');
    const { topic = '' } = home.ha.seen.find((message) => DISCOVERY.test(message.topic)) ?? {};
    await other.publish({ topic, payload: '', retain: true, mark: 'other' });
    const names = await announced(home);
    await home.ha.start();
    await expect.poll(names).toEqual(['Front door']);
    await other.close();
  });
});
