// `latchkey serve` as it is packed: an account and a demo in real processes, ended as systemd and containers do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { FAKE_TIME, hasMosquitto, startMosquitto } from '../../harness/mosquitto.ts';
import { HomeAssistant } from '../../support/home-assistant.ts';
import { Household } from './household.ts';

describe('latchkey serve', () => {
  let household: Household;

  beforeEach(async () => {
    household = await Household.open();
  });

  afterEach(async () => {
    await household.leave();
  });

  it('keeps an account for the other commands, and ends cleanly on SIGTERM', async () => {
    const service = household.latchkey('serve', '--status-port', '0');
    const address = /http:\S+(?=\.$)/u.exec(await service.line(/Health, readiness and figures/u))?.[0] ?? '';
    const readiness = async (): Promise<string> => (await fetch(`${address}/readyz`)).text();
    // Who links before it owns the account would have to hand it over in the midst.
    await expect.poll(readiness).toBe('unlinked\n');
    await household.link();
    const unlock = household.latchkey('unlock', 'front');
    expect(await unlock.status()).toBe(0);
    expect(await readiness()).toBe('ready\n');
    expect(await household.commands()).toEqual(['Unlocked']);
    const second = household.latchkey('serve', '--status-port', '0');
    await second.line(/Another process .* owns this account/u);
    service.child.kill('SIGTERM');
    expect(await service.status()).toBe(0);
    second.child.kill('SIGTERM');
    expect(await second.status()).toBe(0);
  });

  it('says which option is wrong, and ends with status 2', async () => {
    household.configure({ options: { polling: { idleSeconds: 1 } } });
    const service = household.latchkey('serve', '--status-port', '0');
    expect(await service.status()).toBe(2);
    expect(service.err).toContain('polling.idleSeconds');
  });

  it('runs the demo with pages and webhooks, and leaves nothing behind', async () => {
    household.write({
      name: 'Demo',
      demo: true,
      panel: { enabled: true, port: await freePort() },
      webhooks: { port: await freePort() },
    });
    const config = `${household.folder}/config.json`;
    const demo = household.latchkey('serve', '--demo', '--config', config, '--status-port', '0');
    const greeting = await demo.line(/To log in, run/u);
    const words = /npx homebridge-latchkey ([^"]+)/u.exec(greeting)?.[1]?.split(' ') ?? [];
    const login = household.typed(...words);
    expect(await login.status()).toBe(0);
    expect(login.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=\S+\n$/u);
    const address = /http:\S+(?=\.$)/u.exec(await demo.line(/Health, readiness and figures/u))?.[0] ?? '';
    await demo.line(/The dashboard is at/u);
    await demo.line(/Webhooks are received at/u);
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200);
    await expect
      .poll(async () => (await fetch(`${address}/metrics`)).text())
      .toContain('latchkey_webhooks_healthy 1\n');
    demo.child.kill('SIGTERM');
    expect(await demo.status()).toBe(0);
  });

  it.runIf(hasMosquitto)(
    'shows the demo to Home Assistant at a broker, and says how where there is none',
    async () => {
      const broker = await startMosquitto({ folder: `${household.folder}/broker` });
      const serveDemo = async (...args: readonly string[]) => {
        household.write({ panel: { port: await freePort() }, webhooks: { port: await freePort() } });
        const config = `${household.folder}/config.json`;
        return household.latchkey('serve', '--demo', '--config', config, '--status-port', '0', ...args);
      };
      const ha = await HomeAssistant.connect(broker.url);
      try {
        const demo = await serveDemo('--mqtt', broker.url.href);
        await demo.line(/Connected to the MQTT broker/u);
        await expect.poll(() => ha.shows('Demo front door', 'lock')).toBe('locked');
        await ha.tap('Demo front door', 'unlock');
        await expect.poll(() => ha.shows('Demo front door', 'lock')).toBe('unlocked');
        demo.child.kill('SIGTERM');
        expect(await demo.status()).toBe(0);
        await expect.poll(() => ha.devices().size).toBe(0);
        const alone = await serveDemo('--log-format', 'json');
        await alone.line(
          /"level":"info","message":"MQTT is off. To see the demo in Home Assistant, add --mqtt/u,
        );
        await alone.line(/The account is connected|Account connected/u);
        alone.child.kill('SIGHUP');
        await alone.line(/SIGHUP changes nothing/u);
        alone.child.kill('SIGTERM');
        expect(await alone.status()).toBe(0);
      } finally {
        ha.close();
        await broker.stop();
      }
      const account = household.latchkey('serve', '--mqtt', 'mqtt://127.0.0.1');
      expect(await account.status()).toBe(2);
      expect(account.err).toContain('Set mqtt.url in the configuration file instead.');
    },
  );

  it.runIf(hasMosquitto)(
    'never shows an open door as locked, moves no lock twice and loses no device, though it is killed (faults#124, faults#125, faults#126)',
    async () => {
      const broker = await startMosquitto({ folder: `${household.folder}/broker` });
      const ha = await HomeAssistant.connect(broker.url);
      const shows = async (state: string): Promise<void> =>
        expect.poll(() => ha.shows('Front door', 'lock')).toBe(state);
      const serve = () => household.latchkey('serve', '--status-port', '0');
      try {
        household.configure({ options: { mqtt: { url: broker.url.href, homeAssistant: true } } });
        const first = serve();
        await first.line(/Connected to the MQTT broker/u);
        await household.link();
        await shows('locked');
        const devices = [...ha.devices().keys()].sort();
        first.child.kill('SIGKILL');
        await first.status();
        await household.at('Front door', 'turn-thumbturn', { to: 'Unlocked' });
        const from = ha.seen.length;
        const at = Date.now();
        await ha.tap('Front door', 'unlock', at);
        const second = serve();
        await second.line(/Connected to the MQTT broker/u);
        await ha.tap('Front door', 'unlock', at);
        await shows('unlocked');
        const shown = ha.seen.map((_, index) => ha.shows('Front door', 'lock', { to: index + 1 }));
        expect(shown.slice(from)).not.toContain('locked');
        expect(await household.commands()).toEqual([]);
        // A plugin of the same name with a storage of its own, which nobody has linked.
        const stranger = await Household.open({
          options: { mqtt: { url: broker.url.href, homeAssistant: true } },
        });
        const other = stranger.latchkey('serve', '--status-port', '0');
        await other.line(/Connected to the MQTT broker/u);
        other.child.kill('SIGTERM');
        await other.status();
        await stranger.leave();
        expect([...ha.devices().keys()].filter((id) => devices.includes(id)).sort()).toEqual(devices);
        second.child.kill('SIGTERM');
        expect(await second.status()).toBe(0);
      } finally {
        ha.close();
        await broker.stop();
      }
    },
  );

  it.runIf(hasMosquitto && FAKE_TIME !== null)(
    'shows nothing for longer than a minute at a broker that was killed with it (faults#125)',
    async () => {
      const lines = ['persistence true', 'autosave_on_changes true', 'autosave_interval 1'];
      const broker = await startMosquitto({ folder: `${household.folder}/broker`, lines });
      household.configure({ options: { mqtt: { url: broker.url.href, homeAssistant: true } } });
      const service = household.latchkey('serve', '--status-port', '0');
      await service.line(/Connected to the MQTT broker/u);
      await household.link();
      const shown = async (): Promise<string | undefined> => {
        const ha = await HomeAssistant.connect(broker.url);
        try {
          // What is retained comes before what is sent now.
          await ha.start();
          await expect.poll(() => ha.seen.some(({ retained }) => !retained)).toBe(true);
          return ha.shows('Front door', 'lock');
        } finally {
          ha.close();
        }
      };
      // Each look is a start of Home Assistant, after which everything is told again: not twenty times a second.
      await expect.poll(shown, { interval: 1_000 }).toBe('locked');
      await broker.kill();
      service.child.kill('SIGKILL');
      await service.status();
      const after: Record<number, string | undefined> = {};
      for (const seconds of [1, 61]) {
        await broker.start(seconds);
        after[seconds] = await shown();
        await broker.kill();
      }
      expect(after).toEqual({ 1: 'locked', 61: 'unavailable' });
    },
  );
});
