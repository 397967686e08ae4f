// The doctor's findings on webhooks: files that the listener needs, and their health in the running plugin.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../harness/free-port.ts';
import { pushOptions, turn } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { SELF_SIGNED } from '../../cloud/self-signed.ts';
import { FINDINGS, latchkey, pushedHome, takenPort, writeConfig } from '../terminal.ts';

/** The findings on webhooks and their options, as "grade what advice". */
async function said(home: SimulatedHome): Promise<readonly string[]> {
  const { out } = await latchkey(home, 'doctor', '--json');
  return FINDINGS.parse(JSON.parse(out))
    .filter(({ check }) => check === 'webhooks' || check === 'webhooks.tls')
    .map(({ grade, what, advice }) => [grade, what, advice].filter((part) => part !== null).join(' '));
}

describe('files of webhooks', () => {
  it('are faults when they are missing or hold nothing of use, even while the plugin does not run', async () => {
    const home = await SimulatedHome.linked();
    await home.app.dispose();
    const missing = join(home.folder, 'nowhere.pem');
    const rubbish = join(home.folder, 'rubbish.pem');
    writeFileSync(rubbish, 'nothing of use');
    const withWebhooks = async (more: object): Promise<readonly string[]> => {
      writeConfig(home, { webhooks: { enabled: true, port: await freePort(), ...more } });
      return said(home);
    };
    const next = 'Correct it, then restart Homebridge.';
    expect(await withWebhooks({ tls: { certFile: missing, keyFile: missing } })).toEqual([
      `fault webhooks.tls.certFile names a file that cannot be read: ${missing}. ${next}`,
    ]);
    expect(await withWebhooks({ tls: { certFile: rubbish, keyFile: rubbish } })).toEqual([
      expect.stringMatching(
        /^fault The certificate or key of webhooks\.tls cannot be used: .*\. Correct it/u,
      ),
    ]);
    expect(await withWebhooks({ keys: [missing] })).toEqual([
      `fault webhooks.keys names a file that cannot be read: ${missing}. ${next}`,
    ]);
    expect(await withWebhooks({ keys: [rubbish] })).toEqual([
      expect.stringMatching(/^fault webhooks\.keys\[0\] holds no RSA public key/u),
    ]);
    const [certFile, keyFile] = [join(home.folder, 'cert.pem'), join(home.folder, 'key.pem')];
    writeFileSync(certFile, SELF_SIGNED.cert);
    writeFileSync(keyFile, SELF_SIGNED.key);
    expect(await withWebhooks({ tls: { certFile, keyFile } })).toEqual([
      expect.stringMatching(
        /^ok The certificate of webhooks\.tls is good for \d+ days, until [12] January 2049\.$/u,
      ),
    ]);
    expect(await withWebhooks({})).toEqual([]);
  });
});

describe('webhooks of a plugin that runs', () => {
  it('are fine when they are healthy', async () => {
    const home = await pushedHome();
    expect(await said(home)).toEqual(['ok Test passed. No events since.']);
    await turn(home);
    expect(await said(home)).toEqual(['ok Events arrive.']);
  });

  it('are a fault with its reason while the listener cannot open', async () => {
    const home = await pushedHome({}, await takenPort());
    expect(await said(home)).toEqual([
      expect.stringMatching(
        /^fault Nothing is received: .*another program uses it\. Fix this to receive events\. .* retries every minute\.$/u,
      ),
    ]);
  });

  it('that could not be registered are a warning that says why', async () => {
    const home = await pushedHome({ publicUrl: `http://127.0.0.1:${await freePort()}` });
    expect(await said(home)).toEqual([
      expect.stringMatching(/^warning Not registered\. .* Run: npx homebridge-latchkey webhooks test$/u),
    ]);
  });

  it('are only a note when they were registered by hand and none has arrived yet', async () => {
    const home = await pushedHome({ publicUrl: null });
    expect(await said(home)).toEqual(['note Nothing has arrived yet. Turn a key, then ask again.']);
  });

  it('are received at another address, or not at all, when config.json was changed and Homebridge was not restarted', async () => {
    const [former, port] = [await freePort(), await freePort()];
    const home = await pushedHome({}, former);
    writeConfig(home, pushOptions(port));
    expect(await said(home)).toEqual([
      `warning The plugin still receives them at http://127.0.0.1:${former}. Restart Homebridge.`,
    ]);
    const without = await SimulatedHome.linked();
    writeConfig(without, pushOptions(port));
    expect(await said(without)).toEqual(['warning The plugin was started without them. Restart Homebridge.']);
  });
});
