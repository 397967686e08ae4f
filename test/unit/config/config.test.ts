// Options of the platform block reach the configuration, and options that are left out have their defaults.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountBlocks, childBridgeOf } from '../../../src/config/account-blocks.ts';
import type { Config } from '../../../src/config/config.ts';
import { readDemoService } from '../../../src/config/demo-service.ts';
import { writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { ENROLMENT } from './enrolment.ts';

const ADDRESSES = {
  authUrl: 'https://auth.partner.example',
  baseUrl: 'https://api.partner.example',
  redirectUri: 'https://home.example/callback',
};
const LOGIN = { credentialsUsername: 'site', credentialsPassword: 'hush' };
const TLS = { certFile: '/srv/cert.pem', keyFile: '/srv/key.pem' };
const WEBHOOKS = { enabled: true, publicUrl: 'https://home.example' };
const BROKER = { url: 'mqtts://broker.example' };

function configOf(block: object): Config {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join('\n'));
  }
  return reading.config;
}

function warningsOf(block: object): readonly string[] {
  const reading = readConfig(block);
  return reading.ok ? reading.warnings.map((line) => line.split(':')[0] ?? '') : [];
}

function problemsOf(block: object): readonly string[] {
  const reading = readConfig(block);
  return reading.ok ? [] : reading.problems;
}

describe('a written option', () => {
  it.each<[object, Partial<Config>]>([
    [
      { panel: { enabled: true, host: '127.0.0.1', port: 9_000 } },
      { panel: { host: '127.0.0.1', port: 9_000 } },
    ],
    [
      { history: { keepEntries: 500, keepDays: 30 } },
      { historyKept: { entries: 500, ageMs: 30 * 86_400_000 } },
    ],
    [{ remotePin: '2468' }, { remotePin: '2468' }],
    [{}, { remotePin: null, storagePath: null, storageOutsideReason: null }],
    [
      { storage: { path: '/srv/latchkey', outsideReason: 'A volume of its own' } },
      { storagePath: '/srv/latchkey', storageOutsideReason: 'A volume of its own' },
    ],
  ])('%o reaches the configuration', (block, config) => {
    expect(configOf(block)).toMatchObject(config);
  });

  it.each([
    [LOGIN, { username: 'site', password: 'hush' }],
    [{}, null],
  ])('of the login of phone credentials is complete: %o', (partner, login) => {
    expect(configOf({ partner: { ...ADDRESSES, ...partner } }).partner?.credentialsLogin).toEqual(login);
  });

  it('of the credentialing interface loses a slash at its end', () => {
    const credentialsUrl = 'https://credentials.partner.example/';
    expect(configOf({ partner: { ...ADDRESSES, credentialsUrl } }).partner?.credentialsUrl).toBe(
      'https://credentials.partner.example',
    );
  });

  it('is not reported as missing where the demo does not need it', () => {
    expect(configOf({ demo: true }).missing).toEqual([]);
  });

  it.each(['authUrl', 'baseUrl', 'redirectUri'])('that leaves out partner.%s makes no account', (missing) => {
    const config = configOf({ partner: { ...ADDRESSES, [missing]: undefined } });
    expect(config).toMatchObject({ partner: null, missing: [`partner.${missing}`] });
  });

  it.each([
    [{ tls: TLS }, { tls: TLS, path: null }],
    [{ path: '/a-path-that-nobody-guesses' }, { tls: null, path: '/a-path-that-nobody-guesses' }],
    [{ publicUrl: 'https://home.example//' }, { publicUrl: 'https://home.example', relay: null }],
    [{ publicUrl: undefined }, { publicUrl: null }],
  ])('of webhooks reaches the configuration: %o', (written, webhooks) => {
    expect(configOf({ webhooks: { ...WEBHOOKS, ...written } }).webhooks).toMatchObject(webhooks);
  });

  it('of a relay is used only where webhooks come through it', () => {
    const enrolment = writeEnrolment(ENROLMENT);
    expect(configOf({ webhooks: { ...WEBHOOKS, enrolment } }).webhooks?.relay).toBeNull();
    const shared = writeEnrolment({ ...ENROLMENT, url: null });
    const through = configOf({ webhooks: { enabled: true, via: 'relay', enrolment: shared } }).webhooks;
    expect(through).toMatchObject({ path: null, publicUrl: null, relay: { home: 'blue' } });
  });

  it.each([
    [{}, { login: null, caFile: null, clientCertificate: null }],
    [{ username: 'a' }, { login: { username: 'a', password: null } }],
    [
      { ca: '/srv/ca.pem', ...TLS },
      { caFile: '/srv/ca.pem', clientCertificate: TLS },
    ],
  ])('of a broker reaches the configuration: %o', (written, mqtt) => {
    expect(configOf({ mqtt: { ...BROKER, ...written } }).mqtt).toMatchObject(mqtt);
  });

  it('of a broker without an address turns MQTT off, as the form of Homebridge leaves it', () => {
    expect(configOf({ mqtt: { url: '' } }).mqtt).toBeNull();
  });
});

describe('a warning', () => {
  it.each<[string, object, readonly string[]]>([
    ['a short path', { webhooks: { ...WEBHOOKS, path: '/'.padEnd(16, 'x') } }, ['webhooks.path']],
    ['a path of 17 characters', { webhooks: { ...WEBHOOKS, path: '/'.padEnd(17, 'x') } }, []],
    ['evidence of two intervals', { polling: { idleSeconds: 60 }, evidenceAgeSeconds: 120 }, []],
    ['evidence of less', { polling: { idleSeconds: 60 }, evidenceAgeSeconds: 119 }, ['evidenceAgeSeconds']],
    ['a bolt that Home shows as a door', { alerts: { boltSensor: 'contact' } }, ['alerts.boltSensor']],
    ['a bolt that it does not', { alerts: { boltSensor: 'occupancy' } }, []],
    ['a broker in the network, without a login', { mqtt: BROKER }, ['mqtt.username']],
    ['one that nobody can unlock through', { mqtt: { ...BROKER, commands: 'lockOnly' } }, []],
  ])('is given only where it is due: %s', (_case, block, paths) => {
    expect(warningsOf(block)).toEqual(paths);
  });

  it('is given for options that a relay does not use, and for a relay that is not used', () => {
    const enrolment = writeEnrolment(ENROLMENT);
    const relay = { enabled: true, via: 'relay', enrolment };
    const path = '/a-path-that-nobody-guesses';
    expect(warningsOf({ webhooks: relay })).toEqual([]);
    expect(warningsOf({ webhooks: { ...relay, path, tls: TLS } })).toEqual(['webhooks.path', 'webhooks.tls']);
    expect(warningsOf({ webhooks: { ...WEBHOOKS, enrolment, path, tls: TLS } })).toEqual([
      'webhooks.enrolment',
    ]);
  });
});

describe('a problem', () => {
  it.each<[string, object, string]>([
    ['half a login', { partner: { credentialsUsername: 'site' } }, 'partner.credentialsPassword: is missing'],
    [
      'the other half',
      { partner: { credentialsPassword: 'hush' } },
      'partner.credentialsUsername: is missing',
    ],
    ['half a certificate', { webhooks: { ...WEBHOOKS, tls: { keyFile: '/k' } } }, 'webhooks.tls: needs both'],
    ['a redirect URI that is none', { partner: { redirectUri: 'soon' } }, 'partner.redirectUri:'],
    ['an address with a user', { mqtt: { url: 'mqtt://user@broker' } }, 'mqtt.url: holds credentials'],
    ['an address with a password', { mqtt: { url: 'mqtt://:hush@broker' } }, 'mqtt.url: holds credentials'],
    ['an address without a host', { mqtt: { url: 'mqtt://' } }, 'mqtt.url: is not the address of a broker'],
  ])('is %s', (_case, block, words) => {
    const problems = problemsOf(block);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
    expect(problems[0]).not.toContain('hush');
  });

  it('is one port for two listeners, and only while both are open', () => {
    const panel = { enabled: true, port: 9_000 };
    const webhooks = { ...WEBHOOKS, port: 9_000 };
    const enrolment = writeEnrolment(ENROLMENT);
    expect(problemsOf({ panel, webhooks })).toEqual([
      'panel.port: is also webhooks.port; choose another port',
    ]);
    expect(problemsOf({ panel, webhooks: { ...webhooks, port: 9_001 } })).toEqual([]);
    expect(problemsOf({ panel: { ...panel, enabled: false }, webhooks })).toEqual([]);
    expect(problemsOf({ panel, webhooks: { ...webhooks, enabled: false } })).toEqual([]);
    const relay = { enabled: true, port: 9_000, via: 'relay', enrolment };
    expect(problemsOf({ panel, webhooks: relay })).toEqual([]);
  });

  it('is neither a low battery that ends where it begins, nor evidence of one interval', () => {
    expect(problemsOf({ lowBattery: { threshold: 20, clear: 20 } })).toEqual([]);
    expect(problemsOf({ polling: { idleSeconds: 60 }, evidenceAgeSeconds: 60 })).toEqual([]);
  });
});

describe('the blocks of a config.json', () => {
  it('are ours by the name of the platform, alone or after the plugin', () => {
    const platforms = [
      { platform: 'Latchkey', name: ' Home ' },
      { platform: 'Other' },
      { platform: 'homebridge-latchkey.Latchkey', name: ' ' },
      { platform: 'OtherLatchkey' },
      { platform: 'Latchkey2' },
      { platform: ['Latchkey'] },
      'rubbish',
      null,
    ];
    expect(accountBlocks({ platforms }).map(({ id, name }) => [id, name])).toEqual([
      ['#1', 'Home'],
      ['#2', 'Latchkey'],
    ]);
  });

  it('are empty where the file has no platforms', () => {
    expect(accountBlocks({ platforms: 'Latchkey', partner: {} })).toEqual([]);
    expect(accountBlocks({ platforms: [], partner: {} })).toEqual([]);
    expect(accountBlocks({ bridge: {} })).toEqual([]);
  });

  it('may be the file itself, unless that is a file of Homebridge', () => {
    expect(accountBlocks({ partner: {} })).toHaveLength(1);
    expect(accountBlocks({ demo: true })).toHaveLength(1);
    expect(accountBlocks({ name: 'Home' })).toHaveLength(0);
    expect(accountBlocks({ bridge: {}, partner: {} })).toHaveLength(0);
  });

  it.each([
    [{ _bridge: { username: '0e:aa:bb:cc:dd:ee' } }, '0E:AA:BB:CC:DD:EE'],
    [{ _bridge: { username: '' } }, null],
    [{ _bridge: { username: 7 } }, null],
    [{ _bridge: null }, null],
    [{ username: '0E:AA:BB:CC:DD:EE' }, null],
  ])('name their child bridge: %o', (block, bridge) => {
    expect(childBridgeOf(block)).toBe(bridge);
  });
});

describe('the service of the demo', () => {
  const introduced = {
    url: 'http://127.0.0.1:9000',
    authUrl: 'http://127.0.0.1:9000/auth',
    baseUrl: 'http://127.0.0.1:9000/api',
    productSegment: 'locks',
    clients: [
      {
        clientId: 'c',
        clientSecret: 's',
        redirectUris: ['http://127.0.0.1/cb', 'x'],
        subscriptionKeys: ['k'],
      },
    ],
    calendars: [{ name: 'Rental portal', url: 'http://127.0.0.1:9000/calendars/secret.ics' }],
  };

  it('is used as it introduces itself, over loopback and without phone credentials', () => {
    expect(readDemoService(JSON.stringify(introduced))).toEqual({
      url: introduced.url,
      calendar: introduced.calendars[0],
      partner: {
        authUrl: introduced.authUrl,
        baseUrl: introduced.baseUrl,
        credentialsUrl: null,
        credentialsLogin: null,
        productSegment: 'locks',
        redirectUri: 'http://127.0.0.1/cb',
        commandStyle: 'commands',
        pkce: true,
        allowInsecureLoopback: true,
        credentials: { clientId: 'c', clientSecret: 's', subscriptionKeys: ['k'] },
      },
    });
  });

  it.each([
    ['', SyntaxError],
    ['Listening', SyntaxError],
    ['{}', z.ZodError],
    [JSON.stringify({ ...introduced, clients: [] }), z.ZodError],
    [JSON.stringify({ ...introduced, calendars: [] }), z.ZodError],
  ])('is not %s', (line, error) => {
    expect(() => readDemoService(line)).toThrow(error);
  });
});
