// Every option does something: a changed value reaches the configuration, and Home or another module acts on it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { featurePartnerRows } from '../../../src/config/options/feature-options.ts';
import { optionTable } from '../../../src/config/options/option-table.ts';
import { writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { FRONT } from '../../stand-ins/account/runtime.ts';
import { ADDRESSES } from '../../support/checked-config.ts';
import { optionRows } from '../../unit/config/option-rows.ts';
import { fixtureWithFrontDoor, optionsOf } from './fixture.ts';

type Block = Readonly<Record<string, unknown>>;

/** The changed value of an option, and the options without which it has no effect. */
interface Change {
  readonly to: readonly unknown[];
  readonly beside?: Block;
}

const WEBHOOKS = { enabled: true, publicUrl: 'https://home.example' };
const SWITCH = { alerts: { automationSwitch: 'bothWays' } };
const MQTT = { mqtt: { url: 'mqtts://broker.example' } };
const CALENDAR = { name: 'Portal', address: 'https://portal.example/calendar.ics', locks: [FRONT] };
const KEY = '{"kty":"RSA","n":"AQAB","e":"AQAB"}';

const [ENROLMENT, OTHER_ENROLMENT] = ['blue', 'green'].map((home) =>
  writeEnrolment({
    home,
    url: `https://relay.example/h/${home}/token`,
    broker: 'mqtts://broker.example',
    username: home,
    password: 'a-password-that-is-long',
    topic: `latchkey/homes/${home}/events`,
    key: { x: 'x'.repeat(43), d: 'd'.repeat(43) },
  }),
);

/** Options that act in Home: each value must make the same sequence look different there. */
const IN_HOME: Readonly<Record<string, Change>> = {
  offline: { to: ['noResponse', 'lastKnown'] },
  'lowBattery.threshold': { to: [10] },
  connectivitySensor: { to: ['contact', 'none'] },
  'alerts.wrongCode.enabled': { to: [true] },
  'alerts.keypadLockedOut': { to: [true] },
  'alerts.activityAlarm': { to: [true] },
  'alerts.guestArrived': { to: [true] },
  'alerts.stayNotReady': { to: [true] },
  'alerts.jam': { to: [true] },
  'alerts.lowBattery': { to: [true] },
  'alerts.leftUnlocked': { to: [30] },
  'alerts.unlockedByCode': { to: [['Ann'], ['Ben']] },
  'alerts.movedBy': { to: [['keypad'], ['inside'], ['outside'], ['remote'], ['autoRelock'], ['nfc']] },
  'alerts.boltSensor': { to: ['occupancy', 'contact'] },
  'alerts.automationSwitch': { to: ['lockOnly', 'bothWays'] },
  fastEvents: { to: [true] },
  appleHomeCodes: { to: [true] },
  'locks[].name': { to: ['Porch'] },
  'locks[].hide': { to: [true] },
  'locks[].remoteUnlock': { to: [false], beside: SWITCH },
  'locks[].adminOnly': { to: [true] },
  'locks[].lowBattery': { to: [10] },
};

/** Options that act elsewhere: each must change the configuration, in a member that a module reads. */
const ELSEWHERE: Readonly<Record<string, Change>> = {
  name: { to: ['Cabin'] },
  demo: { to: [true] },
  'partner.authUrl': { to: ['https://other.partner.example'] },
  'partner.baseUrl': { to: ['https://other.partner.example'] },
  'partner.productSegment': { to: ['levers'] },
  'partner.clientId': { to: ['mine'] },
  'partner.clientSecret': { to: ['hush'] },
  'partner.subscriptionKeys': { to: [['one'], ['one', 'two']] },
  'partner.redirectUri': { to: ['https://other.example/callback'] },
  'partner.commandStyle': { to: ['rest'] },
  'partner.pkce': { to: [false] },
  'partner.allowInsecureLoopback': { to: [true] },
  'partner.allowPrivateHosts': { to: [true], beside: { partner: { baseUrl: 'https://10.0.0.1' } } },
  'webhooks.enabled': { to: [true] },
  'webhooks.via': { to: ['relay'], beside: { webhooks: { enabled: true, enrolment: ENROLMENT } } },
  'webhooks.enrolment': {
    to: [OTHER_ENROLMENT],
    beside: { webhooks: { enabled: true, via: 'relay', enrolment: ENROLMENT } },
  },
  'webhooks.host': { to: ['0.0.0.0'], beside: { webhooks: WEBHOOKS } },
  'webhooks.port': { to: [9_000], beside: { webhooks: WEBHOOKS } },
  'webhooks.path': { to: ['/a-path-that-is-long-enough'], beside: { webhooks: WEBHOOKS } },
  'webhooks.publicUrl': { to: ['https://other.example'], beside: { webhooks: WEBHOOKS } },
  'webhooks.tls.certFile': { to: ['/c.pem'], beside: { webhooks: { ...WEBHOOKS, tls: { keyFile: '/k' } } } },
  'webhooks.tls.keyFile': { to: ['/k.pem'], beside: { webhooks: { ...WEBHOOKS, tls: { certFile: '/c' } } } },
  'webhooks.signature': { to: ['pkcs1-sha256', 'jws-detached', 'none'], beside: { webhooks: WEBHOOKS } },
  'webhooks.jwsAlgorithm': { to: ['RS256'], beside: { webhooks: WEBHOOKS } },
  'webhooks.signatureHeader': { to: ['X-Signature'], beside: { webhooks: WEBHOOKS } },
  'webhooks.keys': { to: [[KEY]], beside: { webhooks: WEBHOOKS } },
  'panel.enabled': { to: [true] },
  'panel.host': { to: ['0.0.0.0'], beside: { panel: { enabled: true } } },
  'panel.port': { to: [9_001], beside: { panel: { enabled: true } } },
  'panel.origin': { to: ['https://locks.example'], beside: { panel: { enabled: true } } },
  'panel.tls.certFile': {
    to: ['/srv/cert.pem'],
    beside: { panel: { enabled: true, tls: { keyFile: '/srv/key.pem' } } },
  },
  'panel.tls.keyFile': {
    to: ['/srv/key.pem'],
    beside: { panel: { enabled: true, tls: { certFile: '/srv/cert.pem' } } },
  },
  'polling.idleSeconds': { to: [60] },
  'alerts.autoLockMinutes': { to: [5] },
  'history.keepDays': { to: [30] },
  'locks[].id': { to: ['another'] },
  matter: { to: ['both', 'only'] },
  remotePin: { to: ['2468'] },
  'locks[].matter': { to: ['both', 'only'] },
  'locks[].timeZone': { to: ['Europe/Paris'] },
  'mqtt.url': { to: ['mqtts://broker.example'] },
  'mqtt.username': { to: ['latchkey'], beside: MQTT },
  'mqtt.password': { to: ['hush'], beside: { mqtt: { ...MQTT.mqtt, username: 'latchkey' } } },
  'mqtt.ca': { to: ['/ca.pem'], beside: MQTT },
  'mqtt.certFile': { to: ['/c.pem'], beside: { mqtt: { ...MQTT.mqtt, keyFile: '/k.pem' } } },
  'mqtt.keyFile': { to: ['/k.pem'], beside: { mqtt: { ...MQTT.mqtt, certFile: '/c.pem' } } },
  'mqtt.homeAssistant': { to: [true], beside: MQTT },
  'mqtt.commands': { to: ['none', 'lockOnly'], beside: MQTT },
  'mqtt.accessCodes': { to: [true], beside: MQTT },
  'mqtt.baseTopic': { to: ['home/doors'], beside: MQTT },
  'mqtt.discoveryPrefix': { to: ['ha'], beside: MQTT },
  'mqtt.clientId': { to: ['porch'], beside: MQTT },
  stays: { to: [[CALENDAR]] },
  'stays[].name': { to: ['Other portal'] },
  'stays[].address': { to: ['https://portal.example/other.ics'] },
  'stays[].locks': { to: [['back-1']] },
  'stays[].checkIn': { to: ['16:30'] },
  'stays[].checkOut': { to: ['10:00'] },
  'stays[].minutesBefore': { to: [30] },
  'stays[].minutesAfter': { to: [30] },
  'stays[].lockHours': { to: [[{ lock: 'front-1', minutesBefore: 60, minutesAfter: 30 }]] },
  'stays[].lockHours[].lock': { to: ['back-1'] },
  'stays[].lockHours[].minutesBefore': { to: [60] },
  'stays[].lockHours[].minutesAfter': { to: [30] },
  'stays[].bookingHours': { to: [true] },
  'stays[].code': { to: ['random'] },
  'stays[].names': { to: ['booking'] },
  'stays[].notStays': { to: [['Closed']] },
  'stays[].daysAhead': { to: [3] },
  'stays[].endEarly': { to: [true] },
  'stays[].endWhenLeft': { to: [true] },
  'stays[].message': { to: ['Your code: {code}'] },
  'stays[].language': { to: ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl'] },
  'stays[].reserve': { to: [true] },
  'storage.path': { to: ['/srv/latchkey'] },
  debug: { to: [true] },
};

function merged(one: Block, other: Block): Block {
  const entries = Object.entries(other).map(([key, value]) => {
    const former = one[key];
    const inner = isBlock(former) && isBlock(value) ? merged(former, value) : value;
    return [key, inner] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A block in which one option is set; undefined leaves it at its default. */
function blockWith(path: string, { beside = {} }: Change, value: unknown): Block {
  const base = merged({ partner: ADDRESSES }, beside);
  if (path.startsWith('locks[].')) {
    const row = { id: FRONT, hide: false, [path.slice('locks[].'.length)]: value };
    return { ...base, locks: [row.id === undefined ? { ...row, id: FRONT } : row] };
  }
  if (path.startsWith('stays[].lockHours[].')) {
    const member = path.slice('stays[].lockHours[].'.length);
    const row = { lock: FRONT, ...(value === undefined ? {} : { [member]: value }) };
    return { ...base, stays: [{ ...CALENDAR, lockHours: [row] }] };
  }
  if (path.startsWith('stays[].')) {
    const option = value === undefined ? {} : { [path.slice('stays[].'.length)]: value };
    return { ...base, stays: [{ ...CALENDAR, ...option }] };
  }
  const one = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return value === undefined || !isBlock(one) ? base : merged(base, one);
}

/** What Home shows of one lock throughout a day on which everything happens. */
async function storyIn(block: Block): Promise<readonly string[]> {
  const options = optionsOf(block);
  const fixture = fixtureWithFrontDoor({ options });
  const { runtime, clock } = fixture;
  const seen: string[] = [];
  const look = (): void => {
    for (const { displayName: name, services } of fixture.accessories) {
      const parts = services.flatMap(({ UUID, subtype = '', characteristics }) =>
        characteristics.map(({ displayName, value, props }) =>
          [UUID, subtype, displayName, JSON.stringify([value, props.adminOnlyAccess])].join(' '),
        ),
      );
      seen.push([name, ...parts].join('\n'));
    }
  };
  const moves = [
    ['access-code', 'Ann'],
    ['access-code', 'Ben'],
    ['thumbturn', null],
    ['one-touch', null],
    ['virtual-key', null],
    ['auto-relock', null],
    ['platform-key', null],
  ] as const;
  const steps = [
    () => runtime.report(FRONT, { source: 'poll', bolt: 'secured', connected: true }),
    ...[0, 70_000, 80_000, 90_000].map((at) => () => runtime.alert(FRONT, 'wrong-code', at)),
    () => runtime.alert(FRONT, 'keypad-locked-out'),
    () => runtime.alert(FRONT, 'alarm'),
    () => runtime.stay('stay-arrived', FRONT),
    () => runtime.stay('stay-not-ready', FRONT),
    ...moves.map(
      ([method, name]) =>
        () =>
          runtime.report(FRONT, { bolt: 'unsecured', accessor: { method, id: null, name } }),
    ),
    () => runtime.happen(FRONT, { type: 'left-unlocked', since: clock.now() }),
    ...[30, 15, 22, 30, 45].map(
      (percent) => () => runtime.report(FRONT, { battery: { grade: 'normal', percent } }),
    ),
    () => runtime.report(FRONT, { bolt: 'jammed' }),
    () => runtime.report(FRONT, { bolt: 'secured', connected: false }),
  ];
  for (const step of steps) {
    step();
    look();
    await clock.advance(5_000);
  }
  if (options.hidden) {
    return seen;
  }
  const name = options.name ?? 'Front door';
  const current = await fixture.read(fixture.current(name));
  const hasSwitch = fixture.service('Switch', name) !== undefined;
  const off = hasSwitch && (await fixture.write(fixture.characteristic('Switch', 'On', name), false));
  return [...seen, String(current), String(off)];
}

/** The configuration, with the options of the lock and of the first calendar. */
function configIn(block: Block): Record<string, unknown> {
  const reading = readConfig(block);
  if (!reading.ok) {
    return { problems: reading.problems };
  }
  const { config } = reading;
  return {
    ...config,
    locks: [...config.locks],
    lock: effectiveLockOptions(config, {}, FRONT),
    stays: config.stays.length,
    stay: config.stays[0],
  };
}

/** The names of the innermost members in which two values differ. */
function differences(one: unknown, other: unknown, name: string): readonly string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) {
    return [];
  }
  // The options of a lock come with their source.
  if (!isBlock(one) || !isBlock(other) || 'from' in one) {
    return [name];
  }
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key], other[key], key),
  );
}

/** Files that only read, compare or show options, and the simulator, which has options of its own. */
const ONLY_SHOWN =
  /^(?:config|simulator)[\\/]|diagnostics\.ts$|partner-view\.ts$|partner-credentials\.ts$|same-service\.ts$/;

/** The code that can act on options, without comments. */
function codeOutsideConfig(): string {
  const src = join(import.meta.dirname, '../../../src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !ONLY_SHOWN.test(file))
    .map((file) => readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n');
}

/** Features show what their options do in tests of their own. */
const BROUGHT = new Set(Object.keys(featurePartnerRows()).map((name) => `partner.${name}`));

const ALL: Readonly<Record<string, Change>> = { ...IN_HOME, ...ELSEWHERE };

describe('every option', () => {
  const rows = optionRows(z.toJSONSchema(optionTable(), { io: 'input' })).filter(
    ({ path }) => path !== 'locks' && !path.endsWith('[]') && !BROUGHT.has(path),
  );

  it('is listed in this file once, with the value that it gets', () => {
    expect(Object.keys(ALL).sort()).toEqual(rows.map(({ path }) => path).sort());
  });

  it('that is a choice is tried with every choice but the default', () => {
    const choices = rows.flatMap(({ path, node: { enum: every, default: usual = 'off' } }) =>
      every === undefined ? [] : [[path, new Set(every.filter((choice) => choice !== usual))] as const],
    );
    expect(choices.length).toBeGreaterThan(5);
    expect(choices.map(([path]) => [path, new Set(ALL[path]?.to)])).toEqual(choices);
  });

  it.each(Object.entries(IN_HOME))(
    '%s makes the same sequence look different in Home',
    async (path, change) => {
      const sequences = await Promise.all(
        [undefined, ...change.to].map(async (value) =>
          (await storyIn(blockWith(path, change, value))).join(),
        ),
      );
      expect(new Set(sequences).size).toBe(sequences.length);
    },
  );

  const code = codeOutsideConfig();

  it.each(Object.entries(ELSEWHERE))(
    '%s changes the configuration, and a module reads it',
    (path, change) => {
      const [standard, ...changed] = [undefined, ...change.to].map((value) =>
        configIn(blockWith(path, change, value)),
      );
      for (const config of changed) {
        const members = differences(standard, config, path);
        expect(members).not.toEqual([]);
        const isRead = members.some((member) => new RegExp(`\\b${member}\\b`).test(code));
        const isJudged = 'problems' in (standard ?? {}) || 'problems' in config;
        expect(isRead || isJudged).toBe(true);
      }
    },
  );
});
