// What no single option can say of itself: addresses, keys, zones, and options that only make sense together.
import { isLoopbackHost } from '../support/loopback.ts';
import { type AddressPermissions, faultOfAddress, faultOfRedirectUri } from './address.ts';
import type { Options } from './option-table.ts';
import { isTimeZone } from './time-zone.ts';
import { isAbsolutePath, readKeySource } from './verification-key.ts';

/** `problems` keep the platform from starting, `warnings` are only said. Each is one line, "path: what is wrong, what to do". */
export interface Findings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** A path that anyone can guess invites strangers: 16 characters of base64url are 96 bits (our choice). */
const UNGUESSABLE_LENGTH = 16;

/** Checks options that have their form. Pure; no file is read and no name is resolved. */
export function checkOptions(options: Options): Findings {
  return {
    problems: [
      ...addressProblems(options),
      ...loginProblems(options),
      ...webhookProblems(options),
      ...panelProblems(options),
      ...lockProblems(options),
      ...batteryProblems(options),
      ...pathProblem('storage.path', options.storage.path),
    ],
    warnings: [
      ...webhookWarnings(options),
      ...panelWarnings(options),
      ...homeWarnings(options),
      ...lockWarnings(options),
    ],
  };
}

function addressProblems({ partner, webhooks }: Options): readonly string[] {
  const allowed: AddressPermissions = {
    insecureLoopback: partner.allowInsecureLoopback,
    privateHosts: partner.allowPrivateHosts,
  };
  const called = {
    'partner.authUrl': partner.authUrl,
    'partner.baseUrl': partner.baseUrl,
    'partner.credentialsUrl': partner.credentialsUrl,
    'webhooks.publicUrl': webhooks.publicUrl,
  };
  const redirectFault = partner.redirectUri === undefined ? null : faultOfRedirectUri(partner.redirectUri);
  return [
    ...Object.entries(called).flatMap(([path, address]) =>
      problem(path, address === undefined ? null : faultOfAddress(address, allowed)),
    ),
    ...problem('partner.redirectUri', redirectFault),
  ];
}

function loginProblems({ partner }: Options): readonly string[] {
  const isHalf = (partner.credentialsUsername === undefined) !== (partner.credentialsPassword === undefined);
  const missing = partner.credentialsUsername === undefined ? 'credentialsUsername' : 'credentialsPassword';
  return problem(
    `partner.${missing}`,
    isHalf ? 'is missing; write user name and password, or neither' : null,
  );
}

function webhookProblems({ webhooks: { keys, tls } }: Options): readonly string[] {
  const halfTls = (tls.certFile === undefined) !== (tls.keyFile === undefined);
  return [
    ...keys.flatMap((key, index) => {
      const reading = readKeySource(key);
      return problem(`webhooks.keys[${index}]`, reading.ok ? null : reading.fault);
    }),
    ...problem('webhooks.tls', halfTls ? 'needs certFile and keyFile; write both or neither' : null),
    ...pathProblem('webhooks.tls.certFile', tls.certFile),
    ...pathProblem('webhooks.tls.keyFile', tls.keyFile),
  ];
}

/** Two servers on one port: the second would wait for the first for ever. */
function panelProblems({ panel, webhooks }: Options): readonly string[] {
  const clash = panel.enabled && webhooks.enabled && panel.port === webhooks.port;
  return problem('panel.port', clash ? 'is the port of the webhooks, too; choose another' : null);
}

function pathProblem(option: string, path: string | undefined): readonly string[] {
  const absolute = path === undefined || isAbsolutePath(path);
  return problem(option, absolute ? null : 'must be an absolute path; write it from the root on');
}

function lockProblems({ locks }: Options): readonly string[] {
  return locks.flatMap(({ id, timeZone }, index) => {
    const first = locks.findIndex((row) => row.id === id);
    const twice = id !== undefined && first < index;
    return [
      ...problem(
        `locks[${index}].id`,
        twice ? `is already in locks[${first}]; make one row of the two` : null,
      ),
      ...problem(`locks[${index}].timeZone`, timeZone === undefined ? null : faultOfTimeZone(timeZone)),
    ];
  });
}

function batteryProblems({ lowBattery: { threshold, clear } }: Options): readonly string[] {
  return problem(
    'lowBattery.clear',
    clear < threshold ? 'must not be below lowBattery.threshold; raise it' : null,
  );
}

/** What is wrong with a name of a time zone and what to do, or null. */
export function faultOfTimeZone(name: string): string | null {
  return isTimeZone(name) ? null : 'is no IANA time zone; write one such as Europe/Paris';
}

function panelWarnings({ panel }: Options): readonly string[] {
  const reachable = panel.enabled && !isLoopbackHost(panel.host);
  return problem(
    'panel.host',
    reachable
      ? 'opens the pages to the network: they ask for a login, but are not encrypted; 127.0.0.1 keeps them on this machine'
      : null,
  );
}

function webhookWarnings({ webhooks }: Options): readonly string[] {
  if (!webhooks.enabled) {
    return [];
  }
  const { publicUrl, path, signature, keys } = webhooks;
  const guessable = path !== undefined && path.length <= UNGUESSABLE_LENGTH;
  const idleKeys = signature === 'none' && keys.length > 0;
  return [
    ...problem(
      'webhooks.publicUrl',
      publicUrl === undefined ? 'is not set, so the webhook is not registered by itself; write it' : null,
    ),
    ...problem('webhooks.path', guessable ? 'is easy to guess; leave it out to have one made' : null),
    ...problem(
      'webhooks.keys',
      idleKeys ? 'are not used with signature "none"; choose how the service signs' : null,
    ),
  ];
}

function homeWarnings(options: Options): readonly string[] {
  const { polling, webhooks, evidenceAgeSeconds, alerts, connectivitySensor } = options;
  const interval = webhooks.enabled
    ? Math.max(polling.idleSeconds, polling.healthySeconds)
    : polling.idleSeconds;
  const tooYoung = evidenceAgeSeconds < 2 * interval;
  const door = 'is "contact": Home shows it as a door, which a bolt is not; "occupancy" avoids that';
  const open =
    'is "bothWays": any automation may unlock the door without Home asking; "lockOnly" avoids that';
  return [
    ...problem(
      'evidenceAgeSeconds',
      tooYoung
        ? `is less than two polling intervals; locks will often be unknown, set at least ${2 * interval}`
        : null,
    ),
    ...problem('connectivitySensor', connectivitySensor === 'contact' ? door : null),
    ...problem('alerts.boltSensor', alerts.boltSensor === 'contact' ? door : null),
    ...problem('alerts.automationSwitch', alerts.automationSwitch === 'bothWays' ? open : null),
  ];
}

/** The Homebridge UI saves an empty row for an empty list; only a row that says something deserves a word. */
function lockWarnings({ locks }: Options): readonly string[] {
  return locks.flatMap(({ id, ...settings }, index) => {
    const lost = id === undefined && Object.keys(settings).length > 0;
    return problem(
      `locks[${index}]`,
      lost ? 'has no id and is ignored; write the id of the lock it is for' : null,
    );
  });
}

function problem(path: string, fault: string | null): readonly string[] {
  return fault === null ? [] : [`${path}: ${fault}`];
}
