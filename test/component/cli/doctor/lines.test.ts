// The lines of the doctor for people: whole sentences, and the remedy that helps.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../../harness/free-port.ts';
import { platformBlock, SimulatedHome } from '../../../homes/simulated-home.ts';
import { latchkey, writeConfig } from '../terminal.ts';

it('the doctor puts a full stop between what is wrong with an option and what to do', async () => {
  const home = await SimulatedHome.open();
  writeConfig(home, { polling: { idleSeconds: 'fast' } });
  expect((await latchkey(home, 'doctor')).out).toMatch(/; correct or remove it\. Do so in config\.json/u);
  writeConfig(home, { colour: 'red' });
  expect((await latchkey(home, 'doctor')).out).toMatch(/colour.*[a-z]\. The plugin runs nevertheless\.\n/u);
});

it('the doctor advises nobody to link again who has only mistyped an address of the service', async () => {
  const home = await SimulatedHome.linked();
  await home.app.dispose();
  const { partner } = platformBlock(home.simulator);
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  writeConfig(home, { partner: { ...partner, baseUrl } });
  expect((await latchkey(home, 'doctor')).out).toMatch(
    /FAULT {2}link {18}config\.json names another lock service .* Compare partner\.authUrl and partner\.baseUrl/u,
  );
});

it('the doctor reports a link that is set aside, also where it reports the credentials', async () => {
  const home = await SimulatedHome.linked();
  await home.app.dispose();
  const { partner } = platformBlock(home.simulator);
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  writeConfig(home, { partner: { ...partner, baseUrl, clientSecret: undefined } });
  const { out } = await latchkey(home, 'doctor');
  expect(out).toContain('Missing: partner.clientSecret.');
  expect(out).toContain('config.json names another lock service');
});

it('the doctor finds two accounts with one port, of which the second would wait for ever', async () => {
  const home = await SimulatedHome.open();
  const [first, second] = [await freePort(), await freePort()];
  const account = (name: string, webhooks: number, panel: number) => ({
    ...platformBlock(home.simulator),
    name,
    _bridge: {},
    webhooks: { enabled: true, port: webhooks },
    panel: { enabled: true, port: panel },
  });
  const complaints = async (...accounts: readonly object[]): Promise<string> => {
    writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ platforms: accounts }));
    const { out } = await latchkey(home, 'doctor', '--quiet', '--account', 'Town');
    return out
      .split('\n')
      .filter((line) => line.includes(' accounts '))
      .join('\n');
  };
  const town = account('Town', first, second);
  expect(await complaints(town, account('Beach', second, await freePort()))).toBe(
    `FAULT  accounts              panel.port is ${second}, and so is webhooks.port of "Beach": only one of them can have it. Give each account ports of its own.`,
  );
  const apart = account('Beach', await freePort(), await freePort());
  expect(await complaints(town, apart)).toBe('');
  expect(
    await complaints(town, { ...account('Beach', first, second), webhooks: { enabled: false }, panel: {} }),
  ).toBe('');
});

it('the doctor prints only faults with --quiet, for programs as for people', async () => {
  const home = await SimulatedHome.linked();
  writeConfig(home, { colour: 'red' });
  const { status, out } = await latchkey(home, 'doctor', '--json', '--quiet');
  const findings = z.array(z.object({ grade: z.string() })).parse(JSON.parse(out));
  expect([status, findings.map(({ grade }) => grade)]).toEqual([10, ['warning']]);
});

it('the doctor finds a port of ours that is also a bridge of Homebridge, whether that runs or not', async () => {
  const home = await SimulatedHome.linked();
  const [main, child] = [await freePort(), await freePort()];
  const block = {
    ...platformBlock(home.simulator),
    webhooks: { enabled: true, port: main },
    panel: { enabled: true, port: child },
  };
  const whole = {
    bridge: { port: main },
    platforms: [block, { platform: 'Other', _bridge: { port: child } }],
  };
  writeFileSync(join(home.folder, 'config.json'), JSON.stringify(whole));
  const { out } = await latchkey(home, 'doctor');
  expect(out).toContain(`webhooks.port is ${main}, which is the port of a bridge. Choose another`);
  expect(out).toContain(`panel.port is ${child}, which is the port of a bridge. Choose another`);
});

it('the doctor makes no folder that config.json names by mistake', async () => {
  const home = await SimulatedHome.open();
  await home.app.dispose();
  const path = join(home.folder, 'mistyped', 'deep');
  writeConfig(home, { storage: { path } });
  const { out } = await latchkey(home, 'doctor');
  expect(out).toMatch(
    /warn {3}storage .*deep does not exist\. The plugin makes it .* correct storage\.path\./u,
  );
  expect(existsSync(path)).toBe(false);
});

it('the doctor says which checks it left out where options have faults', async () => {
  const home = await SimulatedHome.open();
  writeConfig(home, { polling: { idleSeconds: 'fast' } });
  expect((await latchkey(home, 'doctor')).out).toContain('storage, ports and service were not examined');
});

it('the doctor finds a folder outside the storage of Homebridge that no reason allows, and opens nothing there', async () => {
  const home = await SimulatedHome.open();
  await home.app.dispose();
  const path = mkdtempSync(join(tmpdir(), 'latchkey-outside-'));
  writeConfig(home, { storage: { path } });
  const { out } = await latchkey(home, 'doctor');
  expect(out).toMatch(
    /FAULT {2}storage .*is outside the storage folder of Homebridge.*storage\.outsideReason/u,
  );
  expect(readdirSync(path)).toEqual([]);
  rmSync(path, { recursive: true });
});
