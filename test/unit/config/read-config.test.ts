// Reading the platform block: accepted and refused values, the words for them, and that nothing ever throws.
import { describe, expect, it } from 'vitest';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { type ConfigReading, readConfig } from '../../../src/config/read-config.ts';

const ADDRESSES = {
  authUrl: 'https://auth.partner.example',
  baseUrl: 'https://api.partner.example',
  redirectUri: 'https://home.example/callback',
};

function configOf(block: unknown): Extract<ConfigReading, { ok: true }> {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join('\n'));
  }
  return reading;
}

function problemsOf(block: unknown): readonly string[] {
  const reading = readConfig(block);
  return reading.ok ? [] : reading.problems;
}

describe('the demo', () => {
  it('needs no other option, and polls often enough to follow a hand at the door', () => {
    const { config, warnings } = configOf({ platform: 'Latchkey', demo: true });
    expect(config).toMatchObject({ demo: true, partner: null, missing: [], pollIdleMs: 5_000 });
    expect(warnings).toEqual([]);
  });

  it.each([
    [{ ...ADDRESSES }, 'partner.authUrl, partner.baseUrl, partner.redirectUri'],
    [{ clientSecret: 'hush' }, 'partner.clientSecret'],
    [{ subscriptionKeys: ['hush'] }, 'partner.subscriptionKeys'],
    [{ credentialsUrl: 'https://credentials.partner.example' }, 'partner.credentialsUrl'],
  ])('does not start beside an account, and names the options in its way: %o', (partner, names) => {
    expect(problemsOf({ demo: true, partner })).toEqual([
      `demo: cannot be used beside ${names}; set it to false, or give the demo a block on a child bridge of its own`,
    ]);
  });

  it('starts beside options that name no account, and receives no webhooks', () => {
    const partner = { allowInsecureLoopback: true, pkce: false };
    const { config, warnings } = configOf({
      demo: true,
      partner,
      webhooks: { enabled: true, publicUrl: 'https://home.example' },
      storage: { path: '/srv/latchkey' },
      matter: 'both',
      locks: [{ id: 'one', matter: 'only' }],
    });
    expect(config).toMatchObject({ webhooks: null, storagePath: null, matter: 'off' });
    expect(config.locks.size).toBe(0);
    expect(warnings).toEqual([
      'webhooks.enabled: is not used in the demo',
      'matter: is not used in the demo',
      'locks: is not used in the demo',
      'storage.path: is not used in the demo',
    ]);
  });
});

describe('an empty block', () => {
  it('is not configured, and the missing addresses are named', () => {
    const { config, warnings } = configOf({ platform: 'Latchkey' });
    expect(config.partner).toBeNull();
    expect(config.missing).toEqual(['partner.authUrl', 'partner.baseUrl', 'partner.redirectUri']);
    expect(warnings).toEqual([]);
  });

  it('opens no listener and no pages', () => {
    expect(configOf({}).config).toMatchObject({ webhooks: null, panel: null });
  });

  it('has the safe side of every choice', () => {
    expect(configOf({}).config).toMatchObject({
      offline: 'unknown',
      forceCommands: false,
      fastEvents: false,
      connectivitySensor: 'occupancy',
      alerts: { automationSwitch: 'off', boltSensor: 'none', wrongCode: { enabled: false }, movedBy: [] },
      lowBattery: { thresholdPercent: 20, clearPercent: 25 },
    });
  });

  it.each([[null], [undefined], ['text'], [7], [true], [[]]])('%j is refused in one line', (block) => {
    expect(problemsOf(block)).toEqual(['platform: must be a block in braces { }; correct or remove it']);
  });
});

describe('a block with the needed options', () => {
  it('has a partner, and lacks no option', () => {
    const { config } = configOf({ partner: ADDRESSES });
    expect(config.missing).toEqual([]);
    expect(config.partner).toMatchObject({
      ...ADDRESSES,
      productSegment: 'locks',
      commandStyle: 'commands',
      pkce: true,
    });
  });

  it('has its units converted, and named in the members', () => {
    const { config } = configOf({
      polling: { idleSeconds: 20, healthySeconds: 120 },
      evidenceAgeSeconds: 600,
    });
    expect(config).toMatchObject({ pollIdleMs: 20_000, pollHealthyMs: 120_000, evidenceMaxAgeMs: 600_000 });
  });

  it('loses slashes at the end of addresses that are called, and keeps the redirect URI as it is registered', () => {
    const { config } = configOf({
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
    const { config } = configOf({ partner: { ...ADDRESSES, clientId: ' client-1\n' } });
    expect(config.partner?.credentials.clientId).toBe('client-1');
  });

  it('may have null and empty texts for missing options, as forms save them', () => {
    const { config, warnings } = configOf({
      partner: {
        ...ADDRESSES,
        clientId: '',
        clientSecret: null,
        subscriptionKeys: ['', ' '],
        credentialsUrl: '  ',
      },
      webhooks: { publicUrl: '', tls: { certFile: '', keyFile: '' } },
    });
    expect(config.partner?.credentials).toEqual({ clientId: null, clientSecret: null, subscriptionKeys: [] });
    expect(warnings).toEqual([]);
  });

  it('has keys of the service as text or as a file', () => {
    const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';
    const jwks = '{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}';
    const { config } = configOf({
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
    const { config } = configOf({
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
    const { config, warnings } = configOf({ locks: [{}, { id: '', remoteUnlock: false }] });
    expect(config.locks.size).toBe(0);
    expect(warnings).toEqual(['locks[1]: has no id and is ignored; enter the id of its lock']);
  });

  it('may not be two for one lock, because only one of them could be obeyed', () => {
    expect(problemsOf({ locks: [{ id: 'a', remoteUnlock: false }, { id: 'a' }] })).toEqual([
      'locks[1].id: is already in locks[0]; merge the two rows',
    ]);
  });

  it.each([['Mars/Olympus'], ['+02:00'], ['Europe/Paris; x']])(
    'with the time zone %s are refused',
    (timeZone) => {
      expect(problemsOf({ locks: [{ id: 'a', timeZone }] })).toEqual([
        'locks[0].timeZone: is not an IANA time zone; enter one such as Europe/Paris',
      ]);
    },
  );
});

describe('a fault in a block', () => {
  it.each([
    [
      { partner: { pkce: 'yes' } },
      'partner.pkce: must be true or false without quotes; correct or remove it',
    ],
    [
      { partner: { commandStyle: 'x' } },
      'partner.commandStyle: must be one of commands, rest; correct or remove it',
    ],
    [{ partner: { clientId: 5 } }, 'partner.clientId: must be a text in quotes; correct or remove it'],
    [
      { partner: { subscriptionKeys: 'k' } },
      'partner.subscriptionKeys: must be a list in brackets [ ]; correct or remove it',
    ],
    [
      { partner: { subscriptionKeys: ['a', 'b', 'c'] } },
      'partner.subscriptionKeys: must have at most 2 entries; remove some',
    ],
    [{ panel: { port: 0 } }, 'panel.port: must be at least 1; raise it'],
    [{ panel: { port: 65_536 } }, 'panel.port: must be at most 65535; lower it'],
    [{ evidenceAgeSeconds: 9 }, 'evidenceAgeSeconds: must be at least 10; raise it'],
    [
      { polling: { idleSeconds: 1.5 } },
      'polling.idleSeconds: must be a whole number without quotes; correct or remove it',
    ],
    [{ name: 'n'.repeat(65) }, 'name: must be at most 64 characters long; shorten it'],
    [
      { webhooks: { path: 'hooks' } },
      'webhooks.path: must start with / and contain only letters, digits, - . _ ~ and /',
    ],
    [
      { webhooks: { tls: { certFile: '/c.pem' } } },
      'webhooks.tls: needs both certFile and keyFile; set both or neither',
    ],
    [
      { webhooks: { keys: ['{"kty":"RSA"'] } },
      'webhooks.keys[0]: is neither a JWK nor a JWKS; copy the whole JSON',
    ],
    [
      { webhooks: { keys: ['key.pem'] } },
      'webhooks.keys[0]: is neither PEM, JWK or JWKS text nor an absolute file path; correct it',
    ],
    [
      { lowBattery: { threshold: 40, clear: 30 } },
      'lowBattery.clear: is below lowBattery.threshold; raise it',
    ],
    [
      { panel: { enabled: true, port: 9000 }, webhooks: { enabled: true, port: 9000 } },
      'panel.port: is also webhooks.port; choose another port',
    ],
    [{ evidenceAgeSeconds: 29 }, 'evidenceAgeSeconds: is shorter than the polling interval; set at least 60'],
    [
      { evidenceAgeSeconds: 59, webhooks: { enabled: true } },
      'evidenceAgeSeconds: is shorter than the polling interval; set at least 120',
    ],
    [
      { storage: { path: 'relative' } },
      'storage.path: must be an absolute path; enter it from the root directory',
    ],
  ])('is reported: %j', (block, line) => {
    expect(problemsOf(block)).toEqual([line]);
  });

  it('is reported together with all others, one line each', () => {
    expect(problemsOf({ offline: 'x', debug: 1, polling: { idleSeconds: 1 } })).toHaveLength(3);
  });

  it.each([
    ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
    ['{"kty":"RSA","n":"AQAB","e":"AQAB","d":"c2VjcmV0"}'],
    ['{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}'],
  ])('is reported where a private or shared key stands in place of a public one', (key) => {
    expect(problemsOf({ webhooks: { keys: [key] } })).toEqual([
      "webhooks.keys[0]: is a private key; remove it from config.json and enter the service's public key",
    ]);
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

describe('a doubtful option', () => {
  it.each([
    [{ colour: 'red' }, 'colour: is not an option and is ignored; correct or remove it'],
    [{ panel: { ports: 1 } }, 'panel.ports: is not an option and is ignored; correct or remove it'],
    [
      { locks: [{ id: 'a', remoteunlock: false }] },
      'locks[0].remoteunlock: is not an option, and may be meant to forbid: the lock is not unlocked from afar until then; correct or remove it',
    ],
    [
      { connectivitySensor: 'contact' },
      'connectivitySensor: is "contact", which Home shows as a door; use "occupancy" to avoid that',
    ],
    [
      { alerts: { automationSwitch: 'bothWays' } },
      'alerts.automationSwitch: is "bothWays": any automation can unlock without confirmation; use "lockOnly" to prevent that',
    ],
    [
      { evidenceAgeSeconds: 59 },
      'evidenceAgeSeconds: is less than two polling intervals, so locks will often be unknown; set at least 60',
    ],
    [
      { webhooks: { enabled: true } },
      'webhooks.publicUrl: is missing, so webhooks are not registered automatically; enter the public address',
    ],
    [
      { webhooks: { enabled: true, publicUrl: 'https://home.example', path: '/hooks' } },
      'webhooks.path: is easy to guess; leave it empty to generate one',
    ],
  ])('is a warning: %j', (block, line) => {
    expect(configOf(block).warnings).toContain(line);
  });

  it.each([['0.0.0.0'], ['::'], ['192.168.1.20'], ['hallway.local'], ['127.0.0.1.example']])(
    'is a warning for pages that the network reaches, on %s',
    (host) => {
      expect(configOf({ panel: { enabled: true, host } }).warnings).toEqual([
        'panel.host: opens the dashboard to your network without encryption; use 127.0.0.1 to keep it on this computer',
      ]);
      expect(configOf({ panel: { host } }).warnings).toEqual([]);
    },
  );

  it.each([['127.0.0.1'], ['localhost'], ['::1'], ['127.0.0.2']])(
    'is no warning for pages on %s, which is this machine alone',
    (host) => {
      expect(configOf({ panel: { enabled: true, host } }).warnings).toEqual([]);
    },
  );

  it("is no warning for Homebridge's own keys", () => {
    expect(configOf({ platform: 'Latchkey', _bridge: { username: '0E:00:00:00:00:01' } }).warnings).toEqual(
      [],
    );
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
