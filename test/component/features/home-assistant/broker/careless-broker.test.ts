// Locks at brokers that keep fewer rules of MQTT than mosquitto: what they repeat is no other plugin, and no command.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MqttLocks } from '../../../../../src/features/home-assistant/broker/mqtt-locks.ts';
import { BrokerClient } from '../../../../harness/broker-client.ts';
import { openCarelessBroker } from '../../../../harness/careless-broker.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { carrierAt } from '../../../../support/mqtt-carrier.ts';
import { BASE, type BrokerHome, brisk, brokerHome, hasty, shows } from './fixture.ts';

const SET = `${BASE}/front-1/set`;
const STATUS = `${BASE}/status`;

/** The account's connection leads through such a broker; Home Assistant's does not. */
async function carelessHome(): Promise<BrokerHome & { readonly opens: () => MqttLocks }> {
  const home = await brokerHome();
  const careless = await openCarelessBroker(home.broker.port);
  onTestFinished(() => careless.close());
  const openCarrier: BrokerHome['openCarrier'] = ({ clientId, will, subscriptions }) =>
    carrierAt(
      careless.url,
      { session: { clientId, expirySeconds: 0, receiveAtMost: 16 }, will, subscriptions },
      { pauseClock: hasty },
    );
  return { ...home, opens: () => home.open({ openCarrier, clock: brisk }) };
}

/** Keeps a message at the broker, as a person's program did once. */
async function kept(home: BrokerHome, topic: string, payload: string): Promise<void> {
  const client = await BrokerClient.connect(home.broker.url);
  await client.publish(topic, payload, { retain: true });
  client.close();
}

describe.runIf(hasMosquitto)(
  'a broker that sends our own messages back, and marks nothing as retained',
  () => {
    it('is no other plugin with our name, whatever it has kept of an earlier run (faults#124)', async () => {
      const home = await carelessHome();
      await kept(home, STATUS, 'online');
      home.opens();
      await shows(home, 'lock', 'locked');
      // Beats come every two seconds here.
      const renewed = home.ha.seen.filter(({ topic }) => topic === STATUS).length;
      await expect
        .poll(() => home.ha.seen.filter(({ topic }) => topic === STATUS).length)
        .toBeGreaterThan(renewed + 2);
      expect(home.lines.filter((line) => line.includes('Another Latchkey'))).toEqual([]);
    });

    it('moves no lock by the command that it has kept, and by one that comes now (faults#102)', async () => {
      const home = await carelessHome();
      await kept(home, SET, 'lock');
      const locks = home.opens();
      await shows(home, 'lock', 'locked');
      // It may come before the connection is there, and its event with it is lost.
      await expect.poll(() => locks.refused).toEqual({ 'too-early': 1 });
      expect(home.runtime.requests).toEqual([]);
      await home.ha.publish(SET, 'lock');
      await expect.poll(() => home.runtime.requests.length).toBe(1);
    });
  },
);
