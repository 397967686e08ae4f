// Reading the platform block: accepted and refused values, the words for them, and that nothing ever throws.
import { describe, expect, it } from 'vitest';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { ADDRESSES, acceptedFrom, problemsOf } from '../../support/checked-config.ts';

describe('the demo', () => {
  it('needs no other option, and polls often enough to follow a hand at the door', () => {
    const { config, warnings } = acceptedFrom({ platform: 'Latchkey', demo: true });
    expect(config).toMatchObject({ demo: true, partner: null, missing: [], pollIdleMs: 5_000 });
    expect(warnings).toEqual([]);
  });

  it('starts beside options that name no account, and receives no webhooks', () => {
    const partner = { allowInsecureLoopback: true, pkce: false };
    const { config, warnings } = acceptedFrom({
      demo: true,
      partner,
      webhooks: { enabled: true, publicUrl: 'https://home.example' },
      storage: { path: '/srv/latchkey' },
      locks: [{ id: 'one', hide: true }],
    });
    expect(config).toMatchObject({ webhooks: null, storagePath: null });
    expect(config.locks.size).toBe(0);
    expect(warnings).toEqual([
      'webhooks.enabled: is not used in the demo',
      'locks: is not used in the demo',
      'storage.path: is not used in the demo',
    ]);
  });
});

describe('an empty block', () => {
  it('is not configured, names the missing addresses, and has the safe side of every choice', () => {
    const { config, warnings } = acceptedFrom({ platform: 'Latchkey' });
    expect(config).toMatchObject({
      partner: null,
      missing: ['partner.authUrl', 'partner.baseUrl', 'partner.redirectUri'],
      webhooks: null,
      panel: null,
      offline: 'unknown',
      fastEvents: false,
      connectivitySensor: 'occupancy',
      alerts: { automationSwitch: 'off', boltSensor: 'none', wrongCode: { enabled: false }, movedBy: [] },
      lowBatteryPercent: 20,
    });
    expect(warnings).toEqual([]);
  });

  it.each([[null], [undefined], ['text'], [7], [true], [[]]])('%j is refused in one line', (block) => {
    expect(problemsOf(block)).toEqual(['platform: must be a block in braces { }; correct or remove it']);
  });
});

describe('a block with faults of several kinds', () => {
  it('has all of them named in one round: wrong types, and addresses that cannot be right', () => {
    const problems = problemsOf({
      partner: { ...ADDRESSES, baseUrl: 'http://api.partner.example', pkce: 'yes' },
      polling: { idleSeconds: 'soon' },
      panel: { port: 0 },
    });
    expect(problems.map((line) => line.split(':', 1)[0])).toEqual([
      'partner.pkce',
      'panel.port',
      'polling.idleSeconds',
      'partner.baseUrl',
    ]);
  });

  it.each([
    ['a wrong type', { pkce: 'yes' }, 'partner.pkce'],
    ['an address that cannot be right', { authUrl: 'http://auth.partner.example' }, 'partner.authUrl'],
  ])('has the address that is missing named beside %s', (_fault, written, path) => {
    const { authUrl, redirectUri } = ADDRESSES;
    const problems = problemsOf({ partner: { authUrl, redirectUri, ...written } });
    expect(problems.map((line) => line.split(':', 1)[0])).toEqual([path, 'partner.baseUrl']);
    expect(problems.at(-1)).toBe('partner.baseUrl: is missing; enter it');
  });

  it('does not blame an option for the fault of another one in a list', () => {
    const problems = problemsOf({ partner: { ...ADDRESSES, subscriptionKeys: [7] }, panel: { port: 0 } });
    expect(problems.map((line) => line.split(':', 1)[0])).toEqual([
      'partner.subscriptionKeys[0]',
      'panel.port',
    ]);
  });
});

describe('a block with the needed options', () => {
  it('has a partner, and lacks no option', () => {
    const { config } = acceptedFrom({ partner: ADDRESSES });
    expect(config.missing).toEqual([]);
    expect(config.partner).toMatchObject({
      ...ADDRESSES,
      productSegment: 'locks',
      commandStyle: 'commands',
      pkce: true,
    });
  });

  it('loses slashes at the end of addresses that are called, and keeps the redirect URI as it is registered', () => {
    const { config } = acceptedFrom({
      partner: {
        ...ADDRESSES,
        baseUrl: 'https://api.partner.example/v2//',
        redirectUri: 'https://home.example/',
      },
    });
    expect(config.partner).toMatchObject({
      baseUrl: 'https://api.partner.example/v2',
      redirectUri: 'https://home.example/',
    });
  });

  it('may have blanks around a value, as pasting leaves them', () => {
    const { config } = acceptedFrom({ partner: { ...ADDRESSES, clientId: ' client-1\n' } });
    expect(config.partner?.credentials.clientId).toBe('client-1');
  });

  it('may have null and empty texts for missing options, as forms save them', () => {
    const { config, warnings } = acceptedFrom({
      partner: {
        ...ADDRESSES,
        clientId: '',
        clientSecret: null,
        subscriptionKeys: ['', ' '],
      },
      webhooks: { publicUrl: '', tls: { certFile: '', keyFile: '' } },
    });
    expect(config.partner?.credentials).toEqual({ clientId: null, clientSecret: null, subscriptionKeys: [] });
    expect(warnings).toEqual([]);
  });

  it('may have empty rows, as the Homebridge UI saves them for empty lists', () => {
    const { config, warnings } = acceptedFrom({ partner: ADDRESSES, locks: [{}, { id: '' }] });
    expect([config.locks, warnings]).toEqual([acceptedFrom({ partner: ADDRESSES }).config.locks, []]);
  });

  it('names a row by its number in config.json, also behind an empty one', () => {
    const reading = readConfig({ platform: 'Latchkey', locks: [{}, { id: 'a' }, { id: 'a' }, {}] });
    expect(reading).toMatchObject({ ok: false });
    expect(JSON.stringify(reading)).toContain('locks[2].id');
  });

  it('has keys of the service as text or as a file', () => {
    const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';
    const jwks = '{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}';
    const { config } = acceptedFrom({
      webhooks: { enabled: true, keys: [pem, jwks, '/etc/keys/service.pem', 'C:\\keys\\service.pem'] },
    });
    expect(config.webhooks?.keys).toEqual([
      { kind: 'inline', text: pem },
      { kind: 'inline', text: jwks },
      { kind: 'file', path: '/etc/keys/service.pem' },
      { kind: 'file', path: 'C:\\keys\\service.pem' },
    ]);
  });
});

describe('rows of locks', () => {
  it('are stored by id, and hold only the options that were written', () => {
    const { config } = acceptedFrom({
      locks: [
        { id: 'a', remoteUnlock: false },
        { id: 'b', timeZone: 'Europe/Paris' },
      ],
    });
    expect([...config.locks]).toEqual([
      ['a', { remoteUnlock: false }],
      ['b', { timeZone: 'Europe/Paris' }],
    ]);
  });

  it('without an id are ignored: in silence when empty, with a line when they have options', () => {
    const { config, warnings } = acceptedFrom({ locks: [{}, { id: '', remoteUnlock: false }] });
    expect(config.locks.size).toBe(0);
    expect(warnings).toEqual(['locks[1]: has no id and is ignored; enter the id of its lock']);
  });
});

describe('a block with several faults', () => {
  it('is refused with one line for each', () => {
    expect(problemsOf({ offline: 'x', debug: 1, polling: { idleSeconds: 1 } })).toHaveLength(3);
  });
});

describe('a misspelt option of a lock', () => {
  it.each([
    ['remoteunlok', false],
    ['RemoteUnlock', false],
    ['remote_unlock', 'no'],
    ['unlockRemote', false],
    ['noUnlock', true],
    ['remoteUnlok', true],
    ['adminonly', true],
    ['adminsOnly', 'yes'],
  ])('forbids unlocking that lock from afar: %s', (name, value) => {
    const reading = readConfig({ locks: [{ id: 'a', [name]: value }, { id: 'b' }] });
    const locks = reading.ok ? ['a', 'b'].map((id) => effectiveLockOptions(reading.config, {}, id)) : [];
    expect(locks.map(({ remoteUnlock }) => remoteUnlock)).toEqual([
      { value: false, from: 'config' },
      { value: true, from: 'default' },
    ]);
  });

  it('wins over a page, and over the option itself', () => {
    const reading = readConfig({ locks: [{ id: 'a', remoteUnlock: true, remoteUnlok: false }] });
    const kept = { remoteUnlock: true };
    expect(reading.ok && effectiveLockOptions(reading.config, kept, 'a').remoteUnlock.value).toBe(false);
  });

  it.each([
    ['lowBatery', 20],
    ['color', 'red'],
    ['', 1],
    ['nam', 'Door'],
    ['timezone', 'Europe/Paris'],
    ['Hide', false],
  ])('forbids nothing where its name is like no prohibition: %s', (name, value) => {
    const reading = readConfig({ locks: [{ id: 'a', [name]: value }] });
    expect(reading.ok && effectiveLockOptions(reading.config, {}, 'a').remoteUnlock.value).toBe(true);
    expect(reading.ok && reading.warnings).toHaveLength(1);
  });
});

describe('a misspelt list of locks', () => {
  it.each(['lock', 'Locks', 'lockss'])('forbids what its rows forbid, and nothing else: %s', (name) => {
    const rows = [
      { id: 'a', remoteUnlock: false },
      { id: 'b', adminOnly: true, name: 'Back' },
      { id: 'c', name: 'Side' },
    ];
    const reading = readConfig({ locks: [{ id: 'b', hide: true }], [name]: rows });
    const locks = ['a', 'b', 'c'].map(
      (id) => reading.ok && effectiveLockOptions(reading.config, { remoteUnlock: true }, id),
    );
    expect(locks.map((lock) => lock && lock.remoteUnlock.value)).toEqual([false, false, true]);
    expect(locks.map((lock) => lock && lock.hide.value)).toEqual([false, true, false]);
    expect(reading.ok && reading.warnings).toHaveLength(1);
  });
});

describe('a misspelt PIN for remote unlocking', () => {
  it.each(['remotepin', 'remotePIN', 'remote_pin', 'unlockPin', 'matterpin', 'pin'])(
    'counts as a faulty one, because nobody would be asked for it: %s',
    (name) => {
      const { config, warnings } = acceptedFrom({ [name]: '1234' });
      expect(config).toMatchObject({ remotePin: null, remotePinIsFaulty: true });
      expect(warnings).toEqual([
        `${name}: is not an option and is ignored; correct or remove it; until then nothing is unlocked over Matter or MQTT`,
      ]);
    },
  );

  it.each([
    ['beside the right one', { remotePin: '1234', remotepin: '5678' }],
    ['of another kind', { opinions: true, polls: 3 }],
  ])('is only ignored %s', (_what, written) => {
    expect(acceptedFrom(written).config.remotePinIsFaulty).toBe(false);
  });
});

describe('any value', () => {
  const CANARY = 'canary-7f3a';

  it('that JSON cannot hold is refused in a line', () => {
    const loop: Record<string, unknown> = {};
    loop['partner'] = loop;
    const trap = {
      get partner(): never {
        throw new Error(CANARY);
      },
    };
    expect(problemsOf(loop)).toEqual(['platform: cannot be read; write the block as plain JSON']);
    expect(problemsOf(trap)).toEqual(['platform: cannot be read; write the block as plain JSON']);
  });

  it('is not changed by reading it', () => {
    const written = { platform: 'Latchkey', colour: 'red', partner: { ...ADDRESSES, clientId: '' } };
    const before = structuredClone(written);
    readConfig(written);
    expect(written).toEqual(before);
  });
});
