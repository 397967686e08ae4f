// The page of MQTT, in a real browser: the connection and its faults, and a login that the plugin stores.
import { describe, expect, test } from 'vitest';
import { verbatim } from '../../src/domain/language/message.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

const PASSWORD = 'correct horse battery';
const WRONG = 'The broker rejected the user name or password. Check both.';
const GONE = 'No broker answers at this address. Check that it runs, and the port.';

describe.skipIf(CHROMIUM === undefined)('the page of MQTT', () => {
  const visit = panelVisits();

  type Mqtt = typeof visit.account.mqtt;
  const becomes = (change: Partial<Mqtt>): void => {
    visit.account.mqtt = { ...visit.account.mqtt, ...change };
    visit.account.publish({ type: 'mqtt' });
  };
  const wanted = (change: Partial<Mqtt> = {}): void => {
    visit.account.mqtt = {
      broker: 'mqtts://broker.example:8883',
      encrypted: true,
      state: 'connected',
      trouble: null,
      homeAssistant: true,
      loginFrom: null,
      username: null,
      topics: 'latchkey/Latchkey-a1b2c3d4',
      refused: {},
      ...change,
    };
  };
  /** The plugin's side of a login. */
  const takesLogin = (then: Partial<Mqtt>): void => {
    visit.account.answers.set('mqtt.login', () => {
      visit.account.mqtt = { ...visit.account.mqtt, ...then };
      return visit.account.mqtt;
    });
  };

  test('the MQTT page takes a login, shows the connection, and never the password', async () => {
    wanted({ state: 'waiting', trouble: verbatim(WRONG) });
    takesLogin({ state: 'connected', trouble: null, loginFrom: 'page', username: 'latchkey' });
    await visit.openLinked('#mqtt');
    expect(await seen(visit.words('No login is saved.'))).toBe(true);
    await visit.push('Save and connect');
    expect(await visit.words('Required.').count()).toBe(2);
    expect(visit.account.count('mqtt.login')).toBe(0);
    await visit.fill('User name', ' latchkey ');
    await visit.fill('Password', PASSWORD);
    await visit.push('Save and connect');
    expect(await seen(visit.words('A login is saved.'))).toBe(true);
    expect(await seen(visit.words('Connected.'))).toBe(true);
    expect(visit.account.calls).toContainEqual(['mqtt.login', { username: 'latchkey', password: PASSWORD }]);
    expect(await visit.page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await visit.page.content()).not.toContain(PASSWORD);
    expect(await visit.words(WRONG).count()).toBe(0);
  });

  test('the MQTT page says that the broker rejected a login, and keeps the user name to be corrected', async () => {
    wanted({ state: 'waiting', trouble: verbatim(WRONG) });
    takesLogin({ loginFrom: 'page', username: 'latchkee' });
    await visit.openLinked('#mqtt');
    await visit.fill('User name', 'latchkee');
    await visit.fill('Password', PASSWORD);
    await visit.push('Save and connect');
    expect(await seen(visit.words('A login is saved.'))).toBe(true);
    expect(await seen(visit.words(WRONG))).toBe(true);
    expect(await visit.page.getByLabel('User name', { exact: true }).inputValue()).toBe('latchkee');
  });

  test('the MQTT page forgets a login only after a question', async () => {
    wanted({ loginFrom: 'page', username: 'latchkey' });
    takesLogin({ loginFrom: null, username: null });
    await visit.openLinked('#mqtt');
    await visit.push('Forget, the login');
    expect(visit.account.count('mqtt.login')).toBe(0);
    await visit.push('Forget');
    expect(await seen(visit.words('No login is saved.'))).toBe(true);
    expect(visit.account.calls).toContainEqual(['mqtt.login', { username: null, password: null }]);
  });

  test('the MQTT page shows by itself that the broker is gone, and that it is back', async () => {
    wanted();
    await visit.openLinked('#mqtt');
    expect(await seen(visit.words('Connected.'))).toBe(true);
    becomes({ state: 'waiting', trouble: verbatim(GONE) });
    expect(await seen(visit.words('Not connected. Trying again.'))).toBe(true);
    expect(await seen(visit.words(GONE))).toBe(true);
    becomes({ state: 'connected', trouble: null });
    expect(await seen(visit.words('Connected.'))).toBe(true);
    await expect.poll(async () => visit.words(GONE).count()).toBe(0);
  });

  test('the MQTT page leaves a login of config.json alone, and marks a broker that is not encrypted', async () => {
    wanted({ broker: 'mqtt://127.0.0.1', encrypted: false, loginFrom: 'config', username: 'latchkey' });
    await visit.openLinked('#mqtt');
    expect(await seen(visit.words('mqtt://127.0.0.1 (not encrypted)'))).toBe(true);
    expect(await seen(visit.words('(user name latchkey). Change it there.'))).toBe(true);
    expect(await visit.page.getByLabel('Password', { exact: true }).count()).toBe(0);
  });

  test('the MQTT page names the service where there is no Homebridge', async () => {
    visit.account.host = 'service';
    await visit.openLinked('#mqtt');
    expect(
      await seen(
        visit.words('MQTT is off. To turn it on, set mqtt.url in config.json, then restart the service.'),
      ),
    ).toBe(true);
    expect(await visit.page.content()).not.toContain('restart Homebridge');
  });

  test('the MQTT page shows a fault despite a connection, and refused commands', async () => {
    wanted({
      trouble: verbatim('The broker does not deliver commands to the plugin.'),
      refused: { 'no-time': 3, retained: 1 },
    });
    await visit.openLinked('#mqtt');
    expect(await seen(visit.words('The broker does not deliver commands to the plugin.'))).toBe(true);
    expect(await seen(visit.words('Begin with latchkey/Latchkey-a1b2c3d4'))).toBe(true);
    expect(await seen(visit.words('4 since the start. The log says why.'))).toBe(true);
  });
});
