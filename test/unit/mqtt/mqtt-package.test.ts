// The package that MQTT needs: found, or named with the command that installs it.
import { describe, expect, it } from 'vitest';
import { installCommand, loadMqtt } from '../../../src/mqtt/mqtt-package.ts';

const missing = Object.assign(new Error("Cannot find package 'mqtt'"), { code: 'ERR_MODULE_NOT_FOUND' });

describe('the package "mqtt"', () => {
  it('is loaded where it is installed', async () => {
    expect(typeof (await loadMqtt('/')).default.connect).toBe('function');
  });

  it('is named in one line with the command to install it where it is missing', async () => {
    const root = '/var/lib/homebridge/node_modules/homebridge-latchkey';
    await expect(loadMqtt(root, async () => Promise.reject(missing))).rejects.toMatchObject({
      disposition: 'final',
      message:
        'MQTT needs the package "mqtt", which is not installed. Run: npm install --prefix "/var/lib/homebridge" mqtt@5.16.0 Then restart.',
    });
  });

  it('that is broken is said to be that, and not to be missing', async () => {
    await expect(loadMqtt('/', async () => Promise.reject(new Error('odd')))).rejects.toThrow(
      'which could not be loaded',
    );
  });
});

describe('the command to install it', () => {
  it.each([
    ['/usr/lib/node_modules/homebridge-latchkey', 'npm install --global mqtt@5.16.0'],
    ['/srv/homes/node_modules/homebridge-latchkey', 'npm install --prefix "/srv/homes" mqtt@5.16.0'],
    ['/src/homebridge-latchkey', 'npm install --prefix "/src/homebridge-latchkey" mqtt@5.16.0'],
  ])('puts it beside a plugin in %s', (root, command) => {
    expect(installCommand(root)).toBe(command);
  });
});
