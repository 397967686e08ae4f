// Checks beyond single options: addresses, keys, time zones, and options that depend on each other.

import { type Message, message } from '../../domain/language/message.ts';
import { isLoopbackHost } from '../../support/server/loopback.ts';
import type { AddressPermissions } from '../../support/server/private-hosts.ts';
import { faultOfAddress, faultOfOrigin, faultOfRedirectUri } from './address.ts';
import { optionsOfFeatures } from './feature-config.ts';
import { featureAddresses, featureValues } from './feature-options.ts';
import type { Options } from './option-table.ts';
import { faultOfHalf, problem } from './problem-line.ts';
import { webhookProblems, webhookWarnings } from './webhook-checks.ts';

/** `problems` prevent the platform's start, `warnings` do not. Each is one line, "path: fault; remedy". */
export interface Findings {
  readonly problems: readonly Message[];
  readonly warnings: readonly Message[];
}

/** Pure: reads no file and resolves no name. */
export function checkOptions(options: Options): Findings {
  return {
    problems: [
      ...demoProblems(options),
      ...addressProblems(options),
      ...optionsOfFeatures.all.flatMap(({ problems }) => problems?.(options) ?? []),
      ...webhookProblems(options),
      ...panelProblems(options),
      ...lockProblems(options),
    ],
    warnings: [
      ...demoWarnings(options),
      ...webhookWarnings(options),
      ...panelWarnings(options),
      ...homeWarnings(options),
      ...lockWarnings(options),
      ...optionsOfFeatures.all.flatMap(({ warnings }) => warnings?.(options) ?? []),
    ],
  };
}

function addressProblems({ partner, webhooks }: Options): readonly Message[] {
  const allowed: AddressPermissions = {
    insecureLoopback: partner.allowInsecureLoopback,
    privateHosts: partner.allowPrivateHosts,
  };
  const called = {
    'partner.authUrl': partner.authUrl,
    'partner.baseUrl': partner.baseUrl,
    ...Object.fromEntries(
      Object.entries(featureAddresses(featureValues(partner))).map(([name, address]) => [
        `partner.${name}`,
        address ?? undefined,
      ]),
    ),
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
  'redirectUri',
  'clientId',
  'clientSecret',
  'subscriptionKeys',
] as const satisfies readonly (keyof Options['partner'])[];

/** The demo would take the place of the account, and its locks would leave Home with their rooms and automations. */
function demoProblems({ demo, partner }: Options): readonly Message[] {
  const written = [
    ...OF_AN_ACCOUNT.filter((name) => (partner[name]?.length ?? 0) > 0),
    ...Object.keys(featureValues(partner)),
  ].map((name) => `partner.${name}`);
  const fault = message(
    'cannot be used beside {options}; set it to false, or give the demo a block on a child bridge of its own',
    { options: written },
  );
  return problem('demo', demo && written.length > 0 ? fault : null);
}

function demoWarnings({ demo, webhooks, storage, locks }: Options): readonly Message[] {
  const unused = message('is not used in the demo');
  return [
    ...problem('webhooks.enabled', demo && webhooks.enabled ? unused : null),
    ...problem('locks', demo && locks.some(({ id }) => id !== undefined) ? unused : null),
    ...problem('storage.path', demo && storage.path !== undefined ? unused : null),
  ];
}

function panelProblems({ panel, webhooks }: Options): readonly Message[] {
  const clash =
    panel.enabled && webhooks.enabled && webhooks.via === 'direct' && panel.port === webhooks.port;
  return [
    ...problem(
      'panel.port',
      clash ? message('is also {option}; choose another port', { option: 'webhooks.port' }) : null,
    ),
    ...problem('panel.origin', panel.origin === undefined ? null : faultOfOrigin(panel.origin)),
    ...problem('panel.tls', faultOfHalf(panel.tls.certFile, panel.tls.keyFile)),
  ];
}

function lockProblems({ locks }: Options): readonly Message[] {
  return locks.flatMap(({ id }, index) => {
    const first = locks.findIndex((row) => row.id === id);
    const twice = id !== undefined && first < index;
    return problem(
      `locks[${index}].id`,
      twice ? message('is already in {row}; merge the two rows', { row: `locks[${first}]` }) : null,
    );
  });
}

/** Between two polls while webhooks arrive: a lost one is made up for after this time (our choice). */
export function healthySeconds(idleSeconds: number): number {
  return Math.max(60, idleSeconds);
}

function panelWarnings({ panel }: Options): readonly Message[] {
  const isEncrypted = panel.tls.certFile !== undefined;
  const reachable = panel.enabled && !isEncrypted && !isLoopbackHost(panel.host);
  return problem(
    'panel.host',
    reachable
      ? message(
          'opens the dashboard to your network without encryption; use {host} to keep it on this computer',
          { host: '127.0.0.1' },
        )
      : null,
  );
}

function homeWarnings({ alerts, connectivitySensor }: Options): readonly Message[] {
  const shownAsDoor = message('is "{value}", which Home shows as a door; use "{other}" to avoid that', {
    value: 'contact',
    other: 'occupancy',
  });
  const unlocksAlone = message(
    'is "{value}": any automation can unlock without confirmation; use "{other}" to prevent that',
    { value: 'bothWays', other: 'lockOnly' },
  );
  return [
    ...problem('connectivitySensor', connectivitySensor === 'contact' ? shownAsDoor : null),
    ...problem('alerts.boltSensor', alerts.boltSensor === 'contact' ? shownAsDoor : null),
    ...problem('alerts.automationSwitch', alerts.automationSwitch === 'bothWays' ? unlocksAlone : null),
  ];
}

/** The Homebridge UI saves an empty row for an empty list, which deserves no warning. */
function lockWarnings({ locks }: Options): readonly Message[] {
  return locks.flatMap(({ id, ...settings }, index) => {
    const lost = id === undefined && Object.keys(settings).length > 0;
    return problem(
      `locks[${index}]`,
      lost ? message('has no id and is ignored; enter the id of its lock') : null,
    );
  });
}
