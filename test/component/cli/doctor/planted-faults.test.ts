// The doctor finds each fault that is planted in a linked account, with its grade and a remedy, and nothing else.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountPlace } from '../../../../src/installation/place.ts';
import { freePort } from '../../../harness/free-port.ts';
import { platformBlock, type SimulatedHome } from '../../../homes/simulated-home.ts';
import { makeCertificate } from '../../../support/certificates.ts';
import {
  begin,
  FINDINGS,
  latchkey,
  linkedHome,
  takenPort,
  writeConfig,
  writePlatforms,
} from '../terminal.ts';

const PUBLIC_URL = 'https://home.example';

/** An account that was linked by a plugin which has ended. */
async function endedHome(): Promise<SimulatedHome> {
  const home = await linkedHome();
  await home.app.dispose();
  return home;
}

/** The status, and what is not well, as "grade check: what advice"; with --quiet that is all. */
async function examine(home: SimulatedHome) {
  const words = ['doctor', '--json', '--quiet', '--account', 'Latchkey'];
  const { status, out } = await home.answered(begin(home, words, home.clock).ended);
  const complaints = FINDINGS.parse(JSON.parse(out)).map(
    ({ check, grade, what, advice }) => `${grade} ${check}: ${what} ${advice ?? 'NO ADVICE'}`,
  );
  expect(complaints.filter((complaint) => complaint.endsWith('NO ADVICE'))).toEqual([]);
  return { status, complaints };
}

const DAY_MS = 86_400_000;

/** The server of this option has a certificate of its own. */
async function withCertificate(
  home: SimulatedHome,
  server: 'webhooks' | 'panel',
  dates: Parameters<typeof makeCertificate>[0],
): Promise<void> {
  const files = { certFile: join(home.folder, 'cert.pem'), keyFile: join(home.folder, 'key.pem') };
  const { cert, key } = makeCertificate(dates);
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  const port = await freePort();
  const more = server === 'webhooks' ? { publicUrl: PUBLIC_URL } : {};
  writeConfig(home, { [server]: { enabled: true, port, tls: files, ...more } });
}

interface Fault {
  readonly fault: string;
  readonly plant: (home: SimulatedHome) => unknown;
  readonly complaint: RegExp;
}

const partner = (home: SimulatedHome, changed: Readonly<Record<string, unknown>>): void => {
  writeConfig(home, { partner: { ...platformBlock(home.simulator).partner, ...changed } });
};

const FAULTS: readonly Fault[] = [
  {
    fault: 'an option of the wrong kind',
    plant: (home) => writeConfig(home, { polling: { idleSeconds: 'fast' } }),
    complaint:
      /^fault configuration: polling\.idleSeconds: must be .*; correct or remove it\. Do so in config\.json/u,
  },
  {
    fault: 'an option that nobody knows',
    plant: (home) => writeConfig(home, { colour: 'red' }),
    complaint: /^warning configuration: .*colour.*[a-z]\. The plugin runs nevertheless\.$/u,
  },
  {
    fault: 'a rule for a lock that is not there',
    plant: (home) => writeConfig(home, { locks: [{ id: 'mistyped', remoteUnlock: false }] }),
    complaint: /^warning locks: No lock of the account has the id mistyped, .*none\. Correct the id/u,
  },
  {
    fault: 'a database that others may read',
    plant: ({ folder }) =>
      chmodSync(accountPlace(folder, { name: 'Latchkey', storagePath: null }).databaseFile, 0o644),
    complaint: /^warning storage: .*latchkey\.db has mode 644 instead of 600\. /u,
  },
  {
    fault: 'a link that the person has revoked',
    plant: async (home) => home.control('house/revoke', { userId: 'resident' }),
    complaint: /^fault link: The account is disconnected by the service\. /u,
  },
  {
    fault: 'a client secret that the service does not know',
    plant: (home) => partner(home, { clientSecret: 'of-another' }),
    complaint: /^fault authorization server: The service does not know this client/u,
  },
  {
    fault: 'one subscription key that is no longer good, while the other is',
    plant: (home) =>
      partner(home, {
        subscriptionKeys: [home.simulator.clients[0]?.subscriptionKeys[0], 'worn-out'],
      }),
    complaint: /^warning subscription key 2: The service does not take it; the other one works\. /u,
  },
  {
    fault: 'credentials that nobody has entered',
    plant: (home) => partner(home, { clientSecret: undefined, subscriptionKeys: [] }),
    complaint: /^fault credentials: Missing: partner\.clientSecret, partner\.subscriptionKeys\. /u,
  },
  {
    fault: 'a clock that is ten minutes off',
    plant: async (home) =>
      home.control('house/inject-fault', { kind: 'clock-skew', offsetMs: -600_000, often: 'always' }),
    complaint: /^warning clock: This machine's clock is (599|600|601) s ahead of the service's\. /u,
  },
  {
    fault: 'a webhook port that another program has',
    plant: async (home) =>
      writeConfig(home, { webhooks: { enabled: true, port: await takenPort(), publicUrl: PUBLIC_URL } }),
    complaint: /^fault webhooks\.port: Port \d+ is taken by/u,
  },
  {
    fault: 'a port of the pages that another program has',
    plant: async (home) => writeConfig(home, { panel: { enabled: true, port: await takenPort() } }),
    complaint: /^fault panel\.port: Port \d+ is taken by/u,
  },
  {
    fault: 'a certificate of the listener that ends in nine days (faults#182)',
    plant: async (home) => withCertificate(home, 'webhooks', { until: home.clock.now() + 9.5 * DAY_MS }),
    complaint:
      /^warning webhooks\.tls: The certificate of webhooks\.tls ends in 9 days, on 2\d April 2026\. Renew it\./u,
  },
  {
    fault: 'a certificate of the dashboard that has ended (faults#182)',
    plant: async (home) => withCertificate(home, 'panel', { until: home.clock.now() - DAY_MS }),
    complaint: /^fault panel\.tls: The certificate of panel\.tls ended on 1\d April 2026\. Renew it\./u,
  },
  {
    fault: 'a certificate that is not valid yet (faults#182)',
    plant: async (home) => withCertificate(home, 'panel', { from: home.clock.now() + DAY_MS }),
    complaint: /^fault panel\.tls: The certificate of panel\.tls is good only from .* Check the clock/u,
  },
  {
    fault: 'no account in config.json',
    plant: (home) => writePlatforms(home),
    complaint: /^fault configuration: .*has no platform "Latchkey"/u,
  },
  {
    fault: 'a config.json that is no JSON',
    plant: ({ folder }) => writeFileSync(join(folder, 'config.json'), ''),
    complaint: /^fault configuration: .*is not valid JSON/u,
  },
];

describe('latchkey doctor', () => {
  it('finds nothing where nothing is wrong', async () => {
    const home = await endedHome();
    writeConfig(home, { webhooks: { enabled: true, port: await freePort(), publicUrl: PUBLIC_URL } });
    expect(await examine(home)).toEqual({ status: 0, complaints: [] });
  });

  it.each(FAULTS)('finds $fault', async ({ plant, complaint }) => {
    const home = await endedHome();
    await plant(home);
    const status = complaint.source.startsWith('^warning') ? 10 : 11;
    expect(await examine(home)).toEqual({ status, complaints: [expect.stringMatching(complaint)] });
  });

  it('asks for no bridge where the account is run without Homebridge', async () => {
    const home = await endedHome();
    expect((await latchkey(home, 'doctor')).out).toContain('insecure mode');
    writeFileSync(join(home.folder, 'config.json'), JSON.stringify(platformBlock(home.simulator)));
    const { out } = await latchkey(home, 'doctor');
    expect(out).toContain('Account connected.');
    expect(out).not.toContain('insecure mode');
  });

  it('says which checks it left out where options have faults', async () => {
    const home = await endedHome();
    writeConfig(home, { polling: { idleSeconds: 'fast' } });
    expect((await latchkey(home, 'doctor')).out).toContain('storage, ports and service were not examined');
  });

  it('finds an address of the service that is mistyped, also beside missing credentials, and advises nobody to link again', async () => {
    const home = await endedHome();
    const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
    const setAside = expect.stringMatching(
      /^fault link: config\.json names another lock service .* Compare partner\.authUrl and partner\.baseUrl/u,
    ) as string;
    partner(home, { baseUrl });
    expect((await examine(home)).complaints).toEqual([
      setAside,
      expect.stringMatching(/^fault device interface: The service could not be reached\. /u),
      expect.stringMatching(/^warning clock: /u),
    ]);
    partner(home, { baseUrl, clientSecret: undefined });
    expect((await examine(home)).complaints).toEqual([
      expect.stringContaining('Missing: partner.clientSecret.'),
      setAside,
    ]);
  });

  it('finds two accounts on one bridge, or with one port, and a port of ours that is also a bridge of Homebridge', async () => {
    const home = await endedHome();
    const [first, second, other] = [await freePort(), await freePort(), await freePort()];
    const account = (webhooks: object, panel: object, more: object = {}) => ({
      ...platformBlock(home.simulator),
      _bridge: {},
      webhooks,
      panel,
      ...more,
    });
    const at = (port: number) => ({ enabled: true, port });
    const complaints = async (...platforms: readonly object[]): Promise<readonly string[]> => {
      writePlatforms(home, ...platforms);
      return (await examine(home)).complaints.filter((complaint) => complaint.startsWith('fault accounts: '));
    };
    const town = account(at(first), at(second));
    const beach = { name: 'Beach' };
    expect(await complaints(town, account(at(second), at(other), beach))).toEqual([
      `fault accounts: panel.port is ${second}, and so is webhooks.port of "Beach": only one of them can have it. Give each account ports of its own.`,
    ]);
    const apart = account(at(await freePort()), at(other), beach);
    expect(await complaints(town, apart)).toEqual([]);
    expect(await complaints(town, account({ enabled: false }, {}, beach))).toEqual([]);
    const onMain = { _bridge: undefined };
    expect(await complaints({ ...town, ...onMain }, { ...apart, ...onMain })).toEqual([
      expect.stringContaining('2 accounts share the main bridge'),
    ]);
    const platforms = [town, { platform: 'Other', _bridge: { port: second } }];
    writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ bridge: { port: first }, platforms }));
    const { out } = await latchkey(home, 'doctor', '--quiet');
    expect(out).toContain(`webhooks.port is ${first}, which is the port of a bridge. Choose another`);
    expect(out).toContain(`panel.port is ${second}, which is the port of a bridge. Choose another`);
    expect(out).not.toMatch(/^(?:ok|note) /mu);
  });

  it('makes no folder that config.json names by mistake', async () => {
    const home = await endedHome();
    const path = join(home.folder, 'mistyped', 'deep');
    writeConfig(home, { storage: { path } });
    expect((await examine(home)).complaints).toContainEqual(
      expect.stringMatching(
        /^warning storage: .*deep does not exist\. The plugin makes it .* correct storage\.path\./u,
      ),
    );
    expect(existsSync(path)).toBe(false);
  });

  it('warns of a folder outside the storage of Homebridge, which its backups do not have', async () => {
    const home = await endedHome();
    const path = mkdtempSync(join(tmpdir(), 'latchkey-outside-'));
    writeConfig(home, { storage: { path } });
    expect((await examine(home)).complaints).toContainEqual(
      expect.stringMatching(
        /^warning storage: .*is outside the storage folder of Homebridge.*Back it up yourself/u,
      ),
    );
    rmSync(path, { recursive: true });
  });
});
