// Every line that people read about a block of config.json: the fault, and the next step.
import { describe, expect, it } from 'vitest';
import { type RelayEnrolment, writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { ADDRESSES, linesOf, problemsOf } from '../../support/checked-config.ts';
import { ENROLMENT } from './enrolment.ts';

const LINE = writeEnrolment(ENROLMENT);
const RELAY = { enabled: true, via: 'relay', enrolment: LINE };
const OPEN = { enabled: true, publicUrl: 'https://home.example', path: '/a-path-that-nobody-guesses' };
const OWN_BRIDGE = 'set it to false, or give the demo a block on a child bridge of its own';
const NO_ADDRESS = 'is not an address; enter the full address, for example https://host.example/path';
const EXTRA = 'must not contain a user name or password; remove the part before the @';
const REDIRECT_EXTRA =
  'must not contain a user name, a password or a # part; register an address without them';
const WILDCARD = 'contains a wildcard; register and enter one exact address without *';
const UNSAFE = 'names an address without encryption; ask for one with https: and mqtts:, wss: or tls:';
const NO_KEY = 'is neither PEM, JWK or JWKS text nor an absolute file path; correct it';
const PRIVATE_KEY = "is a private key; remove it from config.json and enter the service's public key";

/** Webhooks through a relay whose enrolment differs in a member. */
function throughRelay(change: Partial<RelayEnrolment>): object {
  return { ...RELAY, enrolment: writeEnrolment({ ...ENROLMENT, ...change }) };
}

describe('a block that is refused', () => {
  it.each<[string, object]>([
    [
      `demo: cannot be used beside partner.authUrl, partner.baseUrl, partner.redirectUri; ${OWN_BRIDGE}`,
      { demo: true, partner: { ...ADDRESSES, clientId: '' } },
    ],
    [
      `demo: cannot be used beside partner.clientSecret; ${OWN_BRIDGE}`,
      { demo: true, partner: { clientSecret: 'hush' } },
    ],
    [
      `demo: cannot be used beside partner.subscriptionKeys; ${OWN_BRIDGE}`,
      { demo: true, partner: { subscriptionKeys: ['hush'] } },
    ],
    [`partner.authUrl: ${NO_ADDRESS}`, { partner: { authUrl: 'soon' } }],
    ['partner.baseUrl: must start with https://', { partner: { baseUrl: 'http://a.example' } }],
    [
      'partner.baseUrl: must start with https://; for the simulator, turn on "Allow http on this computer" (partner.allowInsecureLoopback)',
      { partner: { baseUrl: 'http://localhost:9000' } },
    ],
    [`partner.authUrl: ${EXTRA}`, { partner: { authUrl: 'https://u@a.example' } }],
    [
      'webhooks.publicUrl: must not contain a ? or # part; end it at the path',
      { webhooks: { ...OPEN, publicUrl: 'https://a.example/?' } },
    ],
    [
      'partner.authUrl: is in a private network; use the public address, or turn on "Allow private networks" (partner.allowPrivateHosts)',
      { partner: { authUrl: 'https://10.0.0.1' } },
    ],
    [
      'partner.redirectUri: is not an address; copy the full address from the client registration',
      { partner: { redirectUri: 'soon' } },
    ],
    [
      'partner.redirectUri: must start with https://, or with http:// for this computer (127.0.0.1, [::1] or localhost)',
      { partner: { redirectUri: 'http://home.example/cb' } },
    ],
    [`partner.redirectUri: ${REDIRECT_EXTRA}`, { partner: { redirectUri: 'https://u@home.example/cb' } }],
    [`partner.redirectUri: ${REDIRECT_EXTRA}`, { partner: { redirectUri: 'https://:p@home.example/cb' } }],
    [`partner.redirectUri: ${REDIRECT_EXTRA}`, { partner: { redirectUri: 'https://home.example/cb#' } }],
    [`partner.redirectUri: ${WILDCARD}`, { partner: { redirectUri: 'https://*.home.example/cb' } }],
    [`partner.redirectUri: ${WILDCARD}`, { partner: { redirectUri: 'https://home.example/**/cb' } }],
    [
      'webhooks.tls: needs both certFile and keyFile; set both or neither',
      { webhooks: { tls: { keyFile: '/k' } } },
    ],
    [
      'webhooks.tls: needs both certFile and keyFile; set both or neither',
      { webhooks: { tls: { certFile: '/c' } } },
    ],
    [
      'webhooks.enrolment: is missing; paste the line that the operator of the relay gave you',
      { webhooks: { enabled: true, via: 'relay' } },
    ],
    [
      'webhooks.enrolment: is not an enrolment line; paste it whole, from "latchkey-relay" on',
      { webhooks: { ...RELAY, enrolment: LINE.slice(1) } },
    ],
    ...[
      { broker: 'mqtt://broker.example' },
      { broker: 'mqtt://127.0.0.1' },
      { broker: 'ws://127.0.0.1:9001' },
      { broker: 'nats://a.example,b.example' },
      { url: 'http://127.0.0.1/h' },
    ].map((change): [string, object] => [
      `webhooks.enrolment: ${UNSAFE}`,
      { webhooks: throughRelay(change) },
    ]),
    ...['ws://broker.example', 'nats://127.0.0.1,broker.example'].map((broker): [string, object] => [
      `webhooks.enrolment: ${UNSAFE}`,
      { partner: { allowInsecureLoopback: true }, webhooks: throughRelay({ broker }) },
    ]),
    [`webhooks.enrolment: ${UNSAFE}`, { webhooks: throughRelay({ broker: 'nats://127.0.0.1' }) }],
    [
      'panel.port: is also webhooks.port; choose another port',
      { panel: { enabled: true, port: 18_581 }, webhooks: OPEN },
    ],
    [
      'locks[2].id: is already in locks[0]; merge the two rows',
      { locks: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
    ],
    ['platform: must be a block in braces { }; correct or remove it', []],
    ['name: must be a text in quotes; correct or remove it', { name: 7 }],
    ['panel.port: must be a number without quotes; correct or remove it', { panel: { port: '80' } }],
    ['panel.port: must be a whole number without quotes; correct or remove it', { panel: { port: 80.5 } }],
    ['debug: must be true or false without quotes; correct or remove it', { debug: 'yes' }],
    ['locks: must be a list in brackets [ ]; correct or remove it', { locks: {} }],
    ['panel: must be a block in braces { }; correct or remove it', { panel: 7 }],
    ['offline: must be one of unknown, noResponse, lastKnown; correct or remove it', { offline: 'x' }],
    ['panel.port: must be at least 1; raise it', { panel: { port: 0 } }],
    ['panel.port: must be at most 65535; lower it', { panel: { port: 65_536 } }],
    ['name: must be at most 64 characters long; shorten it', { name: 'x'.repeat(65) }],
    [
      'webhooks.keys: must have at most 8 entries; remove some',
      { webhooks: { keys: Array.from({ length: 9 }, () => '/k.pem') } },
    ],
    [`webhooks.keys[0]: ${NO_KEY}`, { webhooks: { keys: ['k.pem'] } }],
    [`webhooks.keys[1]: ${PRIVATE_KEY}`, { webhooks: { keys: ['/k', '-----BEGIN PRIVATE KEY-----'] } }],
    [`webhooks.keys[0]: ${PRIVATE_KEY}`, { webhooks: { keys: ['{"kty":"RSA","d":"x"}'] } }],
    [
      `webhooks.keys[0]: ${PRIVATE_KEY}`,
      { webhooks: { keys: ['{"keys":[{"kty":"RSA"},{"kty":"oct","k":"x"}]}'] } },
    ],
    [
      'webhooks.keys[0]: is neither a JWK nor a JWKS; copy the whole JSON',
      { webhooks: { keys: ['{"kty":"RSA"'] } },
    ],
    [
      'webhooks.keys[0]: is neither a JWK nor a JWKS; copy the whole JSON',
      { webhooks: { keys: ['{"keys":[]}'] } },
    ],
    [
      'webhooks.path: must start with / and contain only letters, digits, - . _ ~ and /',
      { webhooks: { path: 'hook' } },
    ],
    [
      'webhooks.signatureHeader: is not a header name; use only letters, digits and -',
      { webhooks: { signatureHeader: 'a b' } },
    ],
    [
      'panel.host: is not a host name or IP address; enter it without scheme and port, such as 127.0.0.1',
      { panel: { host: 'http://a' } },
    ],
    [
      'storage.path: must be an absolute path; enter it from the root directory',
      { storage: { path: 'latchkey' } },
    ],
    ...['Mars/Olympus', '+02:00', 'Europe/Paris; x'].map((timeZone): [string, object] => [
      'locks[0].timeZone: is not an IANA time zone; enter one such as Europe/Paris',
      { locks: [{ id: 'a', timeZone }] },
    ]),
  ])('is reported: %s', (line, block: { readonly demo?: boolean; readonly partner?: object }) => {
    const { demo, partner } = block;
    const whole =
      partner instanceof Object && demo !== true
        ? { ...block, partner: { ...ADDRESSES, ...partner } }
        : block;
    expect(problemsOf(whole)).toEqual([line]);
  });
});

describe('a key for verifying', () => {
  const problems = (key: string): readonly string[] => problemsOf({ webhooks: { keys: [key] } });

  it.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])('with the private member %s is refused', (member) => {
    const jwk = { kty: 'RSA', n: 'AQAB', e: 'AQAB', [member]: 'canary' };
    for (const key of [jwk, { keys: [jwk] }]) {
      expect(problems(JSON.stringify(key))).toEqual([`webhooks.keys[0]: ${PRIVATE_KEY}`]);
    }
  });

  it.each(['/srv/key.pem', 'C:\\key.pem', 'd:/key.pem', '\\\\server\\key.pem'])(
    'may be in the file %s',
    (path) => {
      expect(problems(path)).toEqual([]);
    },
  );

  it.each(['key.pem', './key.pem', 'xC:\\key.pem', 'C:key.pem', 'key\\\\'])(
    'is not in the file %s',
    (path) => {
      expect(problems(path)).toEqual([`webhooks.keys[0]: ${NO_KEY}`]);
    },
  );
});

describe('a block that starts', () => {
  const door = 'is "contact", which Home shows as a door; use "occupancy" to avoid that';
  const direct = 'is not used with webhooks.via "direct"; remove it';
  const relayed = 'is not used with webhooks.via "relay"; remove it';
  const tls = { certFile: '/c', keyFile: '/k' };

  it.each<[readonly string[], object]>([
    [[], { demo: true, locks: [{}] }],
    [
      [
        'webhooks.publicUrl: is missing, so webhooks are not registered automatically; enter the public address',
      ],
      { webhooks: { ...OPEN, publicUrl: undefined } },
    ],
    [[], { webhooks: { ...OPEN, publicUrl: 'https://home.example/' } }],
    [
      [
        'webhooks.publicUrl: has a path: your proxy must remove "/at/home" from each request; without such a rule, end it at the host',
      ],
      { webhooks: { ...OPEN, publicUrl: 'https://home.example/at/home' } },
    ],
    [[`webhooks.enrolment: ${direct}`], { webhooks: { ...OPEN, enrolment: LINE } }],
    [[`webhooks.publicUrl: ${relayed}`], { webhooks: { ...RELAY, publicUrl: 'https://home.example' } }],
    [[`webhooks.path: ${relayed}`, `webhooks.tls: ${relayed}`], { webhooks: { ...RELAY, path: '/x', tls } }],
    [[], { webhooks: { ...OPEN, tls } }],
    [
      ['webhooks.path: is easy to guess; leave it empty to generate one'],
      { webhooks: { ...OPEN, path: '/'.padEnd(16, 'x') } },
    ],
    [[], { webhooks: { ...OPEN, path: '/'.padEnd(17, 'x') } }],
    [
      ['webhooks.keys: are not used with signature "none"; choose how the service signs webhooks'],
      { webhooks: { ...OPEN, signature: 'none', keys: ['/k.pem'] } },
    ],
    [[], { webhooks: { ...OPEN, signature: 'none' } }],
    [[], { webhooks: { ...OPEN, keys: ['/k.pem'] } }],
    [[], { webhooks: { enabled: false, path: '/hook', enrolment: LINE, signature: 'none', keys: ['/k'] } }],
    ...['0.0.0.0', '::', '192.168.1.20', 'hallway.local', '127.0.0.1.example'].map(
      (host): [readonly string[], object] => [
        [
          'panel.host: opens the dashboard to your network without encryption; use 127.0.0.1 to keep it on this computer',
        ],
        { panel: { enabled: true, host } },
      ],
    ),
    ...['127.0.0.1', 'localhost', '::1', '127.0.0.2'].map((host): [readonly string[], object] => [
      [],
      { panel: { enabled: true, host } },
    ]),
    [[], { panel: { enabled: false, host: '0.0.0.0' } }],
    [[], { panel: { enabled: false, port: 9_000 }, webhooks: { ...OPEN, port: 9_000 } }],
    [[], { panel: { enabled: true, port: 9_000 }, webhooks: { ...OPEN, port: 9_001 } }],
    [[], { panel: { enabled: true, port: 9_000 }, webhooks: { ...OPEN, port: 9_000, enabled: false } }],
    [[], { panel: { enabled: true, port: 9_000 }, webhooks: { ...RELAY, port: 9_000 } }],
    [[`connectivitySensor: ${door}`], { connectivitySensor: 'contact' }],
    [[`alerts.boltSensor: ${door}`], { alerts: { boltSensor: 'contact' } }],
    [
      [
        'alerts.automationSwitch: is "bothWays": any automation can unlock without confirmation; use "lockOnly" to prevent that',
      ],
      { alerts: { automationSwitch: 'bothWays' } },
    ],
    [[], { alerts: { automationSwitch: 'lockOnly', boltSensor: 'occupancy' } }],
    [
      ['locks[1]: has no id and is ignored; enter the id of its lock'],
      { locks: [{ id: 'a' }, { hide: true }, {}] },
    ],
    [
      ['colour: is not an option and is ignored; correct or remove it'],
      { colour: 'red', platform: 'Latchkey', _bridge: { username: '0E:00:00:00:00:01' } },
    ],
    [['panel.ports: is not an option and is ignored; correct or remove it'], { panel: { ports: 1 } }],
    [
      [
        'polling.healthySeconds: is no longer an option (a minute, or polling.idleSeconds if that is longer); remove it',
        'lowBattery.clear: is no longer an option (five percent above lowBattery.threshold); remove it',
        'alerts.wrongCode.count: is no longer an option (three wrong codes); remove it',
        'alerts.wrongCode.minutes: is no longer an option (five minutes); remove it',
        'history.keepEntries: is no longer an option (50,000 entries of each lock); remove it',
        'storage.outsideReason: is no longer an option (storage.path may be anywhere); remove it',
        'evidenceAgeSeconds: is no longer an option (900 seconds, or two polling intervals if that is longer); remove it',
        'forceCommands: is no longer an option (an unlock is sent unless the lock is known to be unlocked); remove it',
      ],
      {
        polling: { healthySeconds: 90 },
        lowBattery: { clear: 30 },
        history: { keepEntries: 500 },
        alerts: { wrongCode: { count: 2, minutes: 1 } },
        storage: { outsideReason: 'a card' },
        evidenceAgeSeconds: 600,
        forceCommands: true,
      },
    ],
    [
      [
        'locks[0].remoteunlock: is not an option, and may be meant to forbid: the lock cannot be unlocked remotely until then; correct or remove it',
      ],
      { locks: [{ id: 'a', remoteunlock: false }] },
    ],
    [
      [],
      {
        partner: { allowInsecureLoopback: true },
        webhooks: throughRelay({ broker: 'ws://127.0.0.1', url: 'http://localhost/h' }),
      },
    ],
    [[], { webhooks: throughRelay({ broker: 'tls://a.example,b.example' }) }],
    [
      [],
      {
        partner: { allowInsecureLoopback: true },
        webhooks: throughRelay({ broker: 'nats://127.0.0.1,localhost' }),
      },
    ],
  ])('has the warnings %j (%#)', (warnings, block) => {
    expect(problemsOf(block)).toEqual([]);
    expect(linesOf(block)).toEqual(warnings);
  });
});
