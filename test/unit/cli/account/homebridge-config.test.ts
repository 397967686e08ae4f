// Where the configuration is found, in which language, and which account of it is meant.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  chosenAccount,
  findInstallation,
  readAccount,
  storageFolder,
} from '../../../../src/cli/account/homebridge-config.ts';
import { cliErrorOf } from '../../../../src/cli/terminal/cli-error.ts';
import { EXIT_STATUS } from '../../../../src/cli/terminal/exit-status.ts';
import { NameError } from '../../../../src/cli/terminal/lock-names.ts';
import { PLATFORM_NAME } from '../../../../src/homekit/platform-accessories.ts';
import type { Installation } from '../../../../src/installation/installation.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HOME = { home: '/home/me', environment: {} };

it("Homebridge's storage folder is that of the option, else that of the Homebridge UI in its own terminal", () => {
  const inUi = { ...HOME, environment: { UIX_STORAGE_PATH: '/from/ui' } };
  expect(storageFolder({ storage: '/given' }, inUi, () => true)).toBe('/given');
  expect(storageFolder({}, inUi, () => true)).toBe('/from/ui');
});

it('a storage folder is known by its whole path: a command in another folder has to find the owner of the account', () => {
  expect(storageFolder({ storage: 'here' }, HOME)).toBe(resolve('here'));
});

it.each([
  ['/home/me/.homebridge/config.json', '/home/me/.homebridge'],
  ['/var/lib/homebridge/config.json', '/var/lib/homebridge'],
  ['/homebridge/config.json', '/homebridge'],
  ['/homebridge/latchkey.yaml', '/homebridge'],
  ['of no place', '/home/me/.homebridge'],
])('with a configuration %s, the storage folder is %s', (file, folder) => {
  expect(storageFolder({}, HOME, (path) => path === file)).toBe(folder);
});

describe('the configuration', () => {
  const YAML = `# The account.
name: Cabin
partner:
  authUrl: https://auth.example.net
  clientSecret: "0417"
polling:
  idleSeconds: 45
panel: { enabled: true, port: 18000 }
`;

  it('may be latchkey.yaml, with the same options as in JSON', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'latchkey.yaml'), YAML);
    const { config } = await readAccount({ storage: folder }, HOME);
    expect(config).toMatchObject({ name: 'Cabin', panel: { port: 18_000 } });
  });

  it('may be a whole config.json of Homebridge as YAML, under another name', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'homes.yml');
    writeFileSync(file, 'bridge: {}\nplatforms:\n  - platform: Latchkey\n    name: Cabin\n');
    const { accounts } = await findInstallation({ storage: folder, config: file }, HOME);
    expect(accounts.map(({ name }) => name)).toEqual(['Cabin']);
  });

  it('is not guessed where there are two files', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'latchkey.yaml'), YAML);
    writeFileSync(join(folder, 'config.json'), '{"name":"Beach","demo":true}');
    await expect(findInstallation({ storage: folder }, HOME)).rejects.toThrow(
      'has both config.json and latchkey.yaml. Remove one, or name one with --config.',
    );
    const config = join(folder, 'config.json');
    expect((await findInstallation({ storage: folder, config }, HOME)).accounts[0]?.name).toBe('Beach');
  });

  it.each([
    [
      'partner:\n  clientSecret: 0417\n',
      'Line 2, column 17 (partner.clientSecret): this is read as a number',
    ],
    ['partner:\n  clientSecret: "0417\n', 'Line 3, column 1: a quote, a bracket or a comma is missing'],
    ['- "0417"\n', 'is no YAML with options by name.'],
  ])('that is wrong, such as %j, is refused with its place and without its secrets', async (text, words) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'latchkey.yaml'), text);
    const refusal = cliErrorOf(await readAccount({ storage: folder }, HOME).catch((error: unknown) => error));
    const message = expect.stringContaining(words) as string;
    expect(refusal).toMatchObject({ status: EXIT_STATUS.misused, message });
    expect(refusal.message).not.toContain('417');
  });
});

describe('the account of a command', () => {
  function installed(...names: readonly string[]): Installation {
    const accounts = names.map((name, index) => ({
      id: `#${index}`,
      name,
      block: { platform: PLATFORM_NAME },
    }));
    return { folder: '/h', configFile: '/h/config.json', whole: {}, accounts, isService: true };
  }

  it('is the only one in the file, once its block is written', () => {
    expect(chosenAccount(installed('Home'), undefined).name).toBe('Home');
    expect(() => chosenAccount(installed(), undefined)).toThrow('has no platform "Latchkey"');
  });

  it('is not guessed among several: nothing is begun, and the status is that of a misuse', () => {
    const choose = (): unknown => chosenAccount(installed('Home', 'Beach'), undefined);
    expect(choose).toThrow('There are several accounts ("Home", "Beach"). Name one with --account.');
    expect(choose).toThrow(NameError);
  });

  it('is found by the beginning of its name, which only one account may have', () => {
    expect(chosenAccount(installed('Home', 'Beach'), 'be').name).toBe('Beach');
    expect(() => chosenAccount(installed('Beach', 'Bench'), 'be')).toThrow('"be" could be');
    expect(() => chosenAccount(installed('Home'), 'office')).toThrow('No account is called "office".');
  });
});
