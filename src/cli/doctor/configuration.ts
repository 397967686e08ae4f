// Checks an account's configuration, and conflicts with other accounts over a bridge or a port.

import { type AccountBlock, platformBlocks } from '../../config/account-blocks.ts';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/read-config.ts';
import type { Installation } from '../../installation/installation.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { bridgePort } from './bridge.ts';
import { CHECKS, type Finding, fault, fine, warning } from './finding.ts';
import type { WantedPort } from './ports.ts';
import { keysFault } from './webhooks.ts';

export function configFindings({ name, block }: AccountBlock): {
  readonly config: Config | null;
  readonly findings: readonly Finding[];
} {
  const reading = readConfig(block);
  if (!reading.ok) {
    const advice = t('Do so in config.json or in the Homebridge UI, then restart Homebridge.');
    return {
      config: null,
      findings: reading.problems.map((line) => fault(CHECKS.configuration, ended(t(line)), advice)),
    };
  }
  const { config, warnings } = reading;
  return {
    config,
    findings: [
      config.missing.length === 0
        ? fine(
            CHECKS.configuration,
            config.demo
              ? t('"{name}" is a demo: its locks are simulated.', { name })
              : t('"{name}" names the addresses of the service.', { name }),
          )
        : fault(
            CHECKS.configuration,
            t('Missing: {options}.', { options: config.missing.join(', ') }),
            t('Write what the partner agreement says.'),
          ),
      ...warnings.map((line) =>
        warning(CHECKS.configuration, ended(t(line)), t('The plugin runs nevertheless.')),
      ),
      ...[config.webhooks === null ? null : keysFault(config.webhooks)].filter((finding) => finding !== null),
    ],
  };
}

/** Adds a period: in the log such lines form a list, here another sentence follows. */
function ended(line: string): string {
  return /[.!?]$/u.test(line) ? line : `${line}.`;
}

export function wantedPorts({ webhooks, panel }: Config): readonly WantedPort[] {
  return [
    ...(webhooks === null || webhooks.relay !== null
      ? []
      : [{ option: 'webhooks.port', host: webhooks.host, port: webhooks.port }]),
    ...(panel === null ? [] : [{ option: 'panel.port', host: panel.host, port: panel.port }]),
  ];
}

/** Conflicts with the other accounts of this config.json. */
export function companyFindings(installation: Installation, chosen: AccountBlock): readonly Finding[] {
  return [
    ...bridgeFindings(installation),
    ...sharedPortFindings(installation, chosen),
    ...bridgePortFindings(installation, chosen),
  ];
}

/** Homebridge gives cached accessories to only one platform per bridge, so each account needs its own bridge. */
function bridgeFindings({ accounts }: Installation): readonly Finding[] {
  const onMainBridge = accounts.filter(({ block }) => block['_bridge'] === undefined);
  return onMainBridge.length < 2
    ? []
    : [
        fault(
          CHECKS.accounts,
          t('{count} accounts share the main bridge, and only one of them is started.', {
            count: onMainBridge.length,
          }),
          t('Give each a child bridge of its own (Homebridge UI, Bridge Settings of the plugin).'),
        ),
      ];
}

/** The first account to start gets the port; the other one retries forever. */
function sharedPortFindings({ accounts }: Installation, chosen: AccountBlock): readonly Finding[] {
  const theirs = accounts
    .filter(({ id }) => id !== chosen.id)
    .flatMap(({ name, block }) => portsOf(block).map(({ option, port }) => ({ name, option, port })));
  return portsOf(chosen.block).flatMap(({ option, port }) =>
    theirs
      .filter((other) => other.port === port)
      .map((other) =>
        fault(
          CHECKS.accounts,
          t('{option} is {port}, and so is {other} of "{name}": only one of them can have it.', {
            option,
            port,
            other: other.option,
            name: oneLine(other.name),
          }),
          t('Give each account ports of its own.'),
        ),
      ),
  );
}

/** Homebridge opens its bridge ports before any plugin starts. */
function bridgePortFindings({ whole }: Installation, { block }: AccountBlock): readonly Finding[] {
  const bridges = new Set(
    [whole['bridge'], ...platformBlocks(whole).map((platform) => platform['_bridge'])].map(bridgePort),
  );
  return portsOf(block)
    .filter(({ port }) => bridges.has(port))
    .map(({ option, port }) =>
      fault(
        CHECKS.accounts,
        t('{option} is {port}, which is the port of a bridge.', { option, port }),
        t('Choose another {option}.', { option }),
      ),
    );
}

/** Ports of a faulty block do not count, because it is never started. */
function portsOf(block: AccountBlock['block']): readonly WantedPort[] {
  const reading = readConfig(block);
  return reading.ok ? wantedPorts(reading.config) : [];
}
