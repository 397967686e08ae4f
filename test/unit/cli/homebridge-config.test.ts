// Where the configuration is found, and which account of it is meant.
import { describe, expect, it } from 'vitest';
import type { Installation } from '../../../src/app/installation.ts';
import { cliErrorOf } from '../../../src/cli/cli-error.ts';
import { EXIT_STATUS } from '../../../src/cli/exit-status.ts';
import { chosenAccount, storageFolder } from '../../../src/cli/homebridge-config.ts';
import { PLATFORM_NAME } from '../../../src/homekit/platform-accessories.ts';

const HOME = { home: '/home/me', environment: {} };

describe("Homebridge's storage folder", () => {
  it('is the one that was named', () => {
    const inUi = { ...HOME, environment: { UIX_STORAGE_PATH: '/from/ui' } };
    expect(storageFolder({ storage: '/told' }, inUi, () => true)).toBe('/told');
  });

  it('is the one of the Homebridge UI, in its own terminal', () => {
    const inUi = { ...HOME, environment: { UIX_STORAGE_PATH: '/from/ui' } };
    expect(storageFolder({}, inUi, () => true)).toBe('/from/ui');
  });

  it.each(['/home/me/.homebridge', '/var/lib/homebridge', '/homebridge'])(
    'is %s when only that has one',
    (folder) => {
      expect(storageFolder({}, HOME, (path) => path === `${folder}/config.json`)).toBe(folder);
    },
  );

  it("is the person's own when there is none, so that the message names a place that makes sense", () => {
    expect(storageFolder({}, HOME, () => false)).toBe('/home/me/.homebridge');
  });
});

function statusOf(work: () => unknown): number {
  try {
    work();
    return EXIT_STATUS.ok;
  } catch (error) {
    return cliErrorOf(error).status;
  }
}

describe('the account that is meant', () => {
  function installed(...names: readonly string[]): Installation {
    const accounts = names.map((name, index) => ({
      id: `#${index}`,
      name,
      block: { platform: PLATFORM_NAME },
    }));
    return { folder: '/h', configFile: '/h/config.json', whole: {}, accounts };
  }

  it('is the only one', () => {
    expect(chosenAccount(installed('Home'), undefined).name).toBe('Home');
  });

  it('is not guessed among several: nothing is begun, and the status is that of what was not understood', () => {
    const choose = (): unknown => chosenAccount(installed('Home', 'Beach'), undefined);
    expect(choose).toThrow('There are several accounts ("Home", "Beach"). Name one with --account.');
    expect(statusOf(choose)).toBe(EXIT_STATUS.misused);
  });

  it('is named by the beginning of its name, which only one may have', () => {
    expect(chosenAccount(installed('Home', 'Beach'), 'be').name).toBe('Beach');
    expect(() => chosenAccount(installed('Beach', 'Bench'), 'be')).toThrow('"be" could be');
    expect(() => chosenAccount(installed('Home'), 'office')).toThrow('No account is called "office".');
  });

  it('is not there before somebody wrote it', () => {
    expect(() => chosenAccount(installed(), undefined)).toThrow('has no platform "Latchkey"');
  });
});
