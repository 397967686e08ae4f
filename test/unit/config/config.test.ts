// Options of the platform block reach the configuration, and options that are left out have their defaults.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountBlocks, childBridgeOf } from '../../../src/config/account-blocks.ts';
import type { Config } from '../../../src/config/config.ts';
import { readDemoService } from '../../../src/config/demo-service.ts';
import { writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { ADDRESSES, configOf } from '../../support/checked-config.ts';
import { ENROLMENT } from './enrolment.ts';

const TLS = { certFile: '/srv/cert.pem', keyFile: '/srv/key.pem' };
const WEBHOOKS = { enabled: true, publicUrl: 'https://home.example' };

describe('a written option', () => {
  it.each<[object, Partial<Config>]>([
    [
      { panel: { enabled: true, host: '127.0.0.1', port: 9_000 } },
      { panel: { host: '127.0.0.1', port: 9_000, origin: null, tls: null } },
    ],
    [
      { panel: { enabled: true, origin: 'https://Locks.example/', tls: TLS } },
      { panel: { host: '127.0.0.1', port: 18_582, origin: 'https://locks.example', tls: TLS } },
    ],
    [{ history: { keepDays: 30 } }, { historyKept: { entries: 50_000, ageMs: 30 * 86_400_000 } }],
    [
      { polling: { idleSeconds: 90 } },
      { pollIdleMs: 90_000, pollHealthyMs: 90_000, evidenceMaxAgeMs: 900_000 },
    ],
    [
      { polling: { idleSeconds: 600 } },
      { pollIdleMs: 600_000, pollHealthyMs: 600_000, evidenceMaxAgeMs: 1_200_000 },
    ],
    [{ remotePin: '2468' }, { remotePin: '2468' }],
    [{}, { remotePin: null, storagePath: null }],
    [{ storage: { path: '/srv/latchkey' } }, { storagePath: '/srv/latchkey' }],
  ])('%o reaches the configuration', (block, config) => {
    expect(configOf(block)).toMatchObject(config);
  });

  it.each(['authUrl', 'baseUrl', 'redirectUri'])('that leaves out partner.%s makes no account', (missing) => {
    const config = configOf({ partner: { ...ADDRESSES, [missing]: undefined } });
    expect(config).toMatchObject({ partner: null, missing: [`partner.${missing}`] });
  });

  it.each([
    [{ tls: TLS }, { tls: TLS, path: null }],
    [{ path: '/a-path-that-nobody-guesses' }, { tls: null, path: '/a-path-that-nobody-guesses' }],
    [{ publicUrl: 'https://home.example//' }, { publicUrl: 'https://home.example', relay: null }],
    [{ publicUrl: 'https://Home.Example:443/at' }, { publicUrl: 'https://home.example/at' }],
    [{ path: '/a/./b/../a-path-that-nobody-guesses' }, { path: '/a/a-path-that-nobody-guesses' }],
    [{ publicUrl: undefined }, { publicUrl: null }],
  ])('of webhooks reaches the configuration: %o', (written, webhooks) => {
    expect(configOf({ webhooks: { ...WEBHOOKS, ...written } }).webhooks).toMatchObject(webhooks);
  });

  it('of a relay with a private authority and signed rights, as a cluster has them, is taken whole', () => {
    const ca = `-----BEGIN CERTIFICATE-----\n${'c'.repeat(1_400)}\n-----END CERTIFICATE-----\n`;
    const relay = { ...ENROLMENT, broker: 'tls://a.example,b.example,c.example', ca, jwt: 'j'.repeat(700) };
    const enrolment = writeEnrolment(relay);
    expect(configOf({ webhooks: { enabled: true, via: 'relay', enrolment } }).webhooks).toMatchObject({
      relay,
    });
  });

  it('of a relay is used only where webhooks come through it', () => {
    const enrolment = writeEnrolment(ENROLMENT);
    expect(configOf({ webhooks: { ...WEBHOOKS, enrolment } }).webhooks?.relay).toBeNull();
    const shared = writeEnrolment({ ...ENROLMENT, url: null });
    const through = (line: string) =>
      configOf({ webhooks: { enabled: true, via: 'relay', enrolment: line } });
    expect(through(shared).webhooks).toMatchObject({ path: null, publicUrl: null, relay: { home: 'blue' } });
    expect(through(enrolment).webhooks).toMatchObject({
      path: '/h/blue/token',
      publicUrl: 'https://relay.example',
      relay: ENROLMENT,
    });
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

  it('is used as it introduces itself, over loopback and without features', () => {
    expect(readDemoService(JSON.stringify(introduced))).toEqual({
      url: introduced.url,
      calendar: introduced.calendars[0],
      partner: {
        authUrl: introduced.authUrl,
        baseUrl: introduced.baseUrl,
        productSegment: 'locks',
        redirectUri: 'http://127.0.0.1/cb',
        commandStyle: 'commands',
        pkce: true,
        allowInsecureLoopback: true,
        credentials: { clientId: 'c', clientSecret: 's', subscriptionKeys: ['k'] },
        features: {},
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
