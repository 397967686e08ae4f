// Checks beyond single options: addresses, keys, time zones, and options that depend on each other.

import { readClusterAddress } from '../../support/server/cluster-address.ts';
import { isLoopbackHost } from '../../support/server/loopback.ts';
import { t } from '../../words/translate.ts';
import { type AddressPermissions, faultOfAddress, faultOfRedirectUri } from './address.ts';
import { mqttProblems, mqttWarnings } from './mqtt-config.ts';
import type { Options } from './option-table.ts';
import { readEnrolment } from './relay-enrolment.ts';
import { permissionsOf, stayProblems, stayWarnings } from './stay-config.ts';

/** `problems` prevent the platform's start, `warnings` do not. Each is one line, "path: fault; remedy". */
export interface Findings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Shorter paths count as guessable, in characters: 16 of base64url are 96 bits (our choice). */
const UNGUESSABLE_LENGTH = 16;

/** Pure: reads no file and resolves no name. */
export function checkOptions(options: Options): Findings {
  return {
    problems: [
      ...demoProblems(options),
      ...addressProblems(options),
      ...loginProblems(options),
      ...webhookProblems(options),
      ...panelProblems(options),
      ...lockProblems(options),
      ...batteryProblems(options),
      ...evidenceProblems(options),
      ...[...mqttProblems(options.mqtt), ...stayProblems(options.stays, permissionsOf(options))].flatMap(
        ([path, fault]) => problem(path, fault),
      ),
    ],
    warnings: [
      ...demoWarnings(options),
      ...webhookWarnings(options),
      ...panelWarnings(options),
      ...homeWarnings(options),
      ...lockWarnings(options),
      ...[...mqttWarnings(options.mqtt), ...stayWarnings(options.stays)].flatMap(([path, fault]) =>
        problem(path, fault),
      ),
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

const OF_AN_ACCOUNT = [
  'authUrl',
  'baseUrl',
  'credentialsUrl',
  'credentialsUsername',
  'credentialsPassword',
  'redirectUri',
  'clientId',
  'clientSecret',
  'subscriptionKeys',
] as const satisfies readonly (keyof Options['partner'])[];

/** The demo would take the place of the account, and its locks would leave Home with their rooms and automations. */
function demoProblems({ demo, partner }: Options): readonly string[] {
  const written = OF_AN_ACCOUNT.filter((name) => (partner[name]?.length ?? 0) > 0).map(
    (name) => `partner.${name}`,
  );
  const fault = t(
    'cannot be used beside {options}; set it to false, or give the demo a block on a child bridge of its own',
    { options: written.join(', ') },
  );
  return problem('demo', demo && written.length > 0 ? fault : null);
}

function demoWarnings({ demo, webhooks, storage, matter, locks }: Options): readonly string[] {
  const unused = t('is not used in the demo');
  return [
    ...problem('webhooks.enabled', demo && webhooks.enabled ? unused : null),
    ...problem('matter', demo && matter !== 'off' ? unused : null),
    ...problem('locks', demo && locks.some(({ id }) => id !== undefined) ? unused : null),
    ...problem('storage.path', demo && storage.path !== undefined ? unused : null),
  ];
}

function loginProblems({ partner }: Options): readonly string[] {
  const isHalf = (partner.credentialsUsername === undefined) !== (partner.credentialsPassword === undefined);
  const missing = partner.credentialsUsername === undefined ? 'credentialsUsername' : 'credentialsPassword';
  return problem(
    `partner.${missing}`,
    isHalf ? t('is missing; set both user name and password, or neither') : null,
  );
}

function webhookProblems({ webhooks, partner }: Options): readonly string[] {
  const { tls, via, enrolment } = webhooks;
  const halfTls = (tls.certFile === undefined) !== (tls.keyFile === undefined);
  return [
    ...problem(
      'webhooks.tls',
      halfTls
        ? t('needs both {first} and {second}; set both or neither', {
            first: 'certFile',
            second: 'keyFile',
          })
        : null,
    ),
    ...problem(
      'webhooks.enrolment',
      via === 'relay' ? faultOfEnrolment(enrolment, partner.allowInsecureLoopback) : null,
    ),
  ];
}

/** Never repeats the line, which holds secrets. */
function faultOfEnrolment(line: string | undefined, insecureLoopback: boolean): string | null {
  if (line === undefined) {
    return t('is missing; paste the line that the operator of the relay gave you');
  }
  const enrolment = readEnrolment(line);
  if (enrolment === null) {
    return t('is not an enrolment line; paste it whole, from "{beginning}" on', {
      beginning: 'latchkey-relay',
    });
  }
  const isSafe = (address: string): boolean => {
    const cluster = readClusterAddress(address);
    if (cluster !== null) {
      return cluster.isEncrypted || (insecureLoopback && cluster.hosts.every(isLoopbackHost));
    }
    const { protocol, hostname } = new URL(address);
    return /^(?:https|mqtts|wss):$/u.test(protocol) || (insecureLoopback && isLoopbackHost(hostname));
  };
  const addresses = [enrolment.broker, ...(enrolment.url === null ? [] : [enrolment.url])];
  return addresses.every(isSafe)
    ? null
    : t('names an address without encryption; ask for one with {https} and {schemes} or {last}', {
        https: 'https:',
        schemes: 'mqtts:, wss:',
        last: 'tls:',
      });
}

function panelProblems({ panel, webhooks }: Options): readonly string[] {
  const clash =
    panel.enabled && webhooks.enabled && webhooks.via === 'direct' && panel.port === webhooks.port;
  return problem(
    'panel.port',
    clash ? t('is also {option}; choose another port', { option: 'webhooks.port' }) : null,
  );
}

function lockProblems({ locks }: Options): readonly string[] {
  return locks.flatMap(({ id }, index) => {
    const first = locks.findIndex((row) => row.id === id);
    const twice = id !== undefined && first < index;
    return problem(
      `locks[${index}].id`,
      twice ? t('is already in {row}; merge the two rows', { row: `locks[${first}]` }) : null,
    );
  });
}

function batteryProblems({ lowBattery: { threshold, clear } }: Options): readonly string[] {
  return problem(
    'lowBattery.clear',
    clear < threshold ? t('is below {option}; raise it', { option: 'lowBattery.threshold' }) : null,
  );
}

/** Otherwise the state of every lock would alternate between known and unknown. */
function evidenceProblems(options: Options): readonly string[] {
  const interval = longestInterval(options);
  return problem(
    'evidenceAgeSeconds',
    options.evidenceAgeSeconds < interval
      ? t('is shorter than the polling interval; set at least {least}', { least: 2 * interval })
      : null,
  );
}

function longestInterval({ polling, webhooks }: Options): number {
  return webhooks.enabled ? Math.max(polling.idleSeconds, polling.healthySeconds) : polling.idleSeconds;
}

function panelWarnings({ panel }: Options): readonly string[] {
  const reachable = panel.enabled && !isLoopbackHost(panel.host);
  return problem(
    'panel.host',
    reachable
      ? t('opens the dashboard to your network without encryption; use {host} to keep it on this computer', {
          host: '127.0.0.1',
        })
      : null,
  );
}

function webhookWarnings({ webhooks }: Options): readonly string[] {
  if (!webhooks.enabled) {
    return [];
  }
  const { publicUrl, path, tls, signature, keys, via, enrolment } = webhooks;
  const isDirect = via === 'direct';
  const unused = (option: string, isWritten: boolean): readonly string[] =>
    problem(
      `webhooks.${option}`,
      isWritten
        ? t('is not used with {option} "{value}"; remove it', { option: 'webhooks.via', value: via })
        : null,
    );
  const guessable = path !== undefined && path.length <= UNGUESSABLE_LENGTH;
  const idleKeys = signature === 'none' && keys.length > 0;
  return [
    ...problem(
      'webhooks.publicUrl',
      publicUrl === undefined && isDirect
        ? t('is missing, so webhooks are not registered automatically; enter the public address')
        : null,
    ),
    ...unused('publicUrl', !isDirect && publicUrl !== undefined),
    ...unused('path', !isDirect && path !== undefined),
    ...unused('tls', !isDirect && tls.certFile !== undefined),
    ...unused('enrolment', isDirect && enrolment !== undefined),
    ...problem(
      'webhooks.path',
      isDirect && guessable ? t('is easy to guess; leave it empty to generate one') : null,
    ),
    ...problem(
      'webhooks.keys',
      idleKeys
        ? t('are not used with {option} "{value}"; choose how the service signs webhooks', {
            option: 'signature',
            value: 'none',
          })
        : null,
    ),
  ];
}

function homeWarnings(options: Options): readonly string[] {
  const { evidenceAgeSeconds, alerts, connectivitySensor } = options;
  const interval = longestInterval(options);
  const tooYoung = evidenceAgeSeconds < 2 * interval;
  const shownAsDoor = t('is "{value}", which Home shows as a door; use "{other}" to avoid that', {
    value: 'contact',
    other: 'occupancy',
  });
  const unlocksAlone = t(
    'is "{value}": any automation can unlock without confirmation; use "{other}" to prevent that',
    { value: 'bothWays', other: 'lockOnly' },
  );
  return [
    ...problem(
      'evidenceAgeSeconds',
      tooYoung
        ? t('is less than two polling intervals, so locks will often be unknown; set at least {least}', {
            least: 2 * interval,
          })
        : null,
    ),
    ...problem('connectivitySensor', connectivitySensor === 'contact' ? shownAsDoor : null),
    ...problem('alerts.boltSensor', alerts.boltSensor === 'contact' ? shownAsDoor : null),
    ...problem('alerts.automationSwitch', alerts.automationSwitch === 'bothWays' ? unlocksAlone : null),
  ];
}

/** The Homebridge UI saves an empty row for an empty list, which deserves no warning. */
function lockWarnings({ locks }: Options): readonly string[] {
  return locks.flatMap(({ id, ...settings }, index) => {
    const lost = id === undefined && Object.keys(settings).length > 0;
    return problem(`locks[${index}]`, lost ? t('has no id and is ignored; enter the id of its lock') : null);
  });
}

function problem(path: string, fault: string | null): readonly string[] {
  return fault === null ? [] : [`${path}: ${fault}`];
}
