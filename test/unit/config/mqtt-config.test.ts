// Options of MQTT that fit together, and those that do not.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/read-config.ts';

const read = (mqtt: object) => readConfig({ mqtt });

describe('the options of MQTT', () => {
  it('are off without a broker', () => {
    expect(read({ homeAssistant: true })).toMatchObject({
      ok: true,
      config: { mqtt: null },
      warnings: ['mqtt.homeAssistant: has no effect without mqtt.url; enter the address of the broker'],
    });
  });

  it.each([
    'mqtt://127.0.0.1',
    'mqtts://broker.example:8883',
    'ws://localhost:9001/mqtt',
    'wss://broker.example',
  ])('accept the broker %s', (url) => {
    expect(read({ url, username: 'a', password: 'b' })).toMatchObject({
      ok: true,
      config: { mqtt: { url, login: { username: 'a', password: 'b' } } },
    });
  });

  it.each([
    [{ url: 'broker.example' }, 'mqtt.url: is not the address of a broker'],
    [{ url: 'http://broker.example' }, 'mqtt.url: is not the address of a broker'],
    [{ url: 'mqtt://user:hush@broker.example' }, 'mqtt.url: holds credentials'],
    [{ url: 'mqtts://a', password: 'hush' }, 'mqtt.username: is missing'],
    [{ url: 'mqtts://a', certFile: '/c.pem' }, 'mqtt: needs both certFile and keyFile'],
    [{ url: 'mqtt://a', ca: '/ca.pem' }, 'mqtt.url: is not encrypted, so its certificate files are not used'],
  ])('refuse %o, and repeat no secret', (mqtt, problem) => {
    const reading = read(mqtt);
    const problems = reading.ok ? [] : reading.problems;
    expect(problems.join()).toContain(problem);
    expect(problems.join()).not.toContain('hush');
  });

  it('warn of a broker in the network without encryption or login, and not of one on this machine', () => {
    const far = read({ url: 'mqtt://192.168.1.20' });
    expect(far.ok && far.warnings.map((line) => line.split(':')[0])).toEqual(['mqtt.url', 'mqtt.username']);
    expect(read({ url: 'mqtt://127.0.0.1' })).toMatchObject({ ok: true, warnings: [] });
    expect(read({ url: 'mqtts://192.168.1.20', username: 'a' })).toMatchObject({ ok: true, warnings: [] });
  });
});
