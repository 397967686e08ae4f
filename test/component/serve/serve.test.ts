// An account as a service of its own: health, readiness and figures, one owner, and a clean end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../src/serve/serve.ts';
import { silentLog } from '../../../src/support/log.ts';
import { freePort } from '../../harness/free-port.ts';
import { openPushedHome, turn } from '../../homes/pushed-home.ts';
import { platformBlock, SimulatedHome } from '../../homes/simulated-home.ts';
import { sessionAt } from '../../homes/tool-session.ts';
import { latchkey, writeConfig } from '../cli/terminal.ts';

interface Served {
  readonly lines: string[];
  /** The logins to the dashboard that were handed out. */
  readonly logins: string[];
  readonly ended: Promise<void>;
  readonly stop: () => void;
  get(path: string, method?: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** The machine may be busy. */
const PATIENT = { timeout: 30_000 };

/** The service over the folder of a home, on its clock. */
async function served(home: SimulatedHome, statusPort = 0): Promise<Served> {
  const lines: string[] = [];
  const logins: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const stopping = new AbortController();
  const ended = serve({
    config: home.config,
    folder: home.folder,
    login: 'latchkey panel --login',
    onLogin: (url) => logins.push(url),
    statusAt: { host: '127.0.0.1', port: statusPort },
    clock: home.clock,
    log: { debug: say, info: say, warn: say, error: say },
    random: () => 0.5,
    stopped: stopping.signal,
  });
  const stop = (): void => {
    stopping.abort();
  };
  onTestFinished(async () => {
    stop();
    await ended.catch(() => {});
  });
  const address = /at (http:\S+)\.$/u;
  await expect
    .poll(() => lines.some((line) => address.test(line) || line.includes('--status-port')), PATIENT)
    .toBe(true);
  const base = (): string => lines.map((line) => address.exec(line)?.[1]).find(Boolean) ?? '';
  return {
    lines,
    logins,
    ended,
    stop,
    get: async (path, method = 'GET') => {
      const answer = await fetch(`${base()}${path}`, { method });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

async function until(home: SimulatedHome, service: Served, path: string, status: number): Promise<void> {
  for (let waited = 0; waited < 40 && (await service.get(path)).status !== status; waited += 1) {
    await home.clock.advance(1_000);
  }
}

describe('a sentence about an account without Homebridge', () => {
  /** The account's block alone, as `serve` has it. */
  const alone = (home: SimulatedHome, options: object = {}): void => {
    const block = { ...platformBlock(home.simulator), platform: undefined, ...options };
    writeFileSync(join(home.folder, 'config.json'), JSON.stringify(block));
  };

  it('names the service: from its owner, the command line and the doctor', async () => {
    const home = await SimulatedHome.linked();
    await home.app.dispose();
    alone(home, { panel: { enabled: true, port: await freePort() } });
    const nobody = await latchkey(home, 'panel', '--login');
    expect(nobody.err).toContain("served by the service, which isn't running. Start the service, then try");
    alone(home);
    const off = await latchkey(home, 'panel', '--login');
    expect(off.err).toContain('then restart the service');
    await served(home);
    await home.clock.advance(1_000);
    const tool = await sessionAt(home).tool();
    expect(tool.through).toBe('owner');
    await expect(tool.call('panel.login')).rejects.toThrow('then restart the service');
    alone(home, { colour: 'red' });
    expect((await latchkey(home, 'doctor')).out).toContain('The service runs nevertheless.');
    writeConfig(home, { colour: 'red' });
    expect((await latchkey(home, 'doctor')).out).toContain('The plugin runs nevertheless.');
  });

  it('names the service where it cannot be started', async () => {
    const home = await SimulatedHome.open();
    alone(home, { polling: { idleSeconds: 'fast' } });
    const { status, err } = await latchkey(home, 'serve', '--status-port', '0');
    expect([status, err.includes('Homebridge'), err.includes('start again')]).toEqual([2, false, true]);
  });
});

describe('latchkey serve', () => {
  it('is alive at once, ready once the locks are listed, not ready while the service fails, and refuses all else', async () => {
    const home = await openPushedHome();
    await home.app.dispose();
    const service = await served(home);
    expect(await service.get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
    await until(home, service, '/readyz', 200);
    expect(await service.get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    expect(await service.get('/config.json')).toEqual({ status: 404, text: 'unknown-address\n' });
    expect(await service.get('/metrics', 'POST')).toEqual({ status: 405, text: 'wrong-method\n' });
    await home.simulator.close();
    await until(home, service, '/readyz', 503);
    expect(await service.get('/readyz')).toEqual({ status: 503, text: 'service-failing\n' });
    expect(await service.get('/healthz')).toMatchObject({ status: 200 });
  });

  it('counts deliveries of webhooks, without a name of a lock or an account', async () => {
    const home = await openPushedHome();
    await home.app.dispose();
    const service = await served(home);
    await until(home, service, '/readyz', 200);
    await home.clock.advance(2_000);
    await turn(home);
    await expect
      .poll(async () => (await service.get('/metrics')).text)
      .toContain('latchkey_webhook_requests_total{answer="accepted"} 1\n');
    const { text } = await service.get('/metrics');
    expect(text).toContain('latchkey_locks{presence="reachable"} 3\n');
    expect(text).toContain('latchkey_ready 1\n');
    expect(text).toContain('latchkey_webhook_waiting 0\n');
    expect(text).toMatch(/^latchkey_webhook_seconds_bucket\{le="\+Inf"\} [1-9]/mu);
    expect(text).toMatch(/^latchkey_last_event_age_seconds \d/mu);
    expect(text).not.toMatch(/front door|back door|garage|Latchkey"/iu);
  });

  it('waits for an owner of the same account, says so, and takes over when that one ends', async () => {
    const home = await SimulatedHome.linked();
    const service = await served(home);
    await home.clock.advance(5_000);
    expect(await service.get('/readyz')).toEqual({ status: 503, text: 'other-process\n' });
    expect(service.lines.join('\n')).toContain('Another process (number ');
    await home.app.dispose();
    await until(home, service, '/readyz', 200);
    expect(await service.get('/readyz')).toMatchObject({ status: 200 });
  });

  it('goes on while another service has its port for health, names the option, and serves health once it is free', async () => {
    const home = await SimulatedHome.linked();
    await home.app.dispose();
    const first = await served(home);
    await until(home, first, '/readyz', 200);
    const port = Number(/at http:\S+:(\d+)\.$/mu.exec(first.lines.join('\n'))?.[1]);
    // On the same folder: it waits for the account, too. An account of its own does not.
    const second = await served(home, port);
    const other = await SimulatedHome.linked();
    await other.app.dispose();
    const third = await served(other, port);
    for (const { lines } of [second, third]) {
      expect(lines.join('\n')).toContain(
        `Port ${port} of 127.0.0.1 could not be opened: another program uses it.`,
      );
      expect(lines.join('\n')).toContain('choose one with --status-port.');
    }
    await home.clock.advance(5_000);
    expect(second.lines.join('\n')).toContain('Another process (number ');
    third.stop();
    await third.ended;
    first.stop();
    await first.ended;
    await home.clock.advance(60_000);
    await expect.poll(() => second.lines.join('\n'), PATIENT).toContain(`are at http://127.0.0.1:${port}.`);
    await until(home, second, '/readyz', 200);
    expect(await second.get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    expect(second.lines.filter((line) => line.includes('--status-port'))).toHaveLength(1);
  });

  it('ends with an error when its address for health is not on this machine', async () => {
    const home = await SimulatedHome.linked();
    const { config, folder, clock } = home;
    const statusAt = { host: '192.0.2.1', port: 0 };
    const stopped = new AbortController().signal;
    await expect(
      serve({ config, folder, login: '', statusAt, clock, log: silentLog, random: () => 0, stopped }),
    ).rejects.toThrow('Port 0 of 192.0.2.1 could not be opened');
  });

  it('ends with an error when the account can never be opened', async () => {
    const home = await SimulatedHome.open();
    const config = { ...home.config, partner: null, missing: ['partner.authUrl'] };
    const stopped = new AbortController().signal;
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const { clock, folder } = home;
    const statusAt = { host: '127.0.0.1', port: 0 };
    await expect(
      serve({ config, folder, login: '', statusAt, clock, log, random: () => 0, stopped }),
    ).rejects.toThrow('waiting for service details: partner.authUrl.');
  });

  it('hands out one login at the start, which no line of the log has, and none without a dashboard', async () => {
    const port = await freePort();
    const home = await SimulatedHome.open({
      options: { panel: { enabled: true, port, origin: 'http://homeassistant.local:18582' } },
    });
    await home.app.dispose();
    const service = await served(home);
    for (let waited = 0; waited < 40 && service.logins.length === 0; waited += 1) {
      await home.clock.advance(1_000);
    }
    const [login = ''] = service.logins;
    expect(login).toMatch(/^http:\/\/homeassistant\.local:18582\/#login=[\w-]{43}$/u);
    expect(service.lines.join()).not.toContain(login.split('#login=')[1]);
    const bare = await SimulatedHome.open();
    await bare.app.dispose();
    const silent = await served(bare);
    await until(bare, silent, '/healthz', 200);
    expect(silent.logins).toEqual([]);
  });
});
