// The configuration as the house reads it: units in the names, forms converted, nothing left to interpret.
import { withoutTrailingSlash } from './address.ts';
import type { LockRow, Options } from './option-table.ts';
import { type KeySource, readKeySource } from './verification-key.ts';

/** Which of the service's forms of commands is spoken. */
export type CommandStyle = Options['partner']['commandStyle'];

/** How webhooks are signed. */
export type SignatureScheme = Options['webhooks']['signature'];

/** What can be proven to the service. Each may be in config.json or in the vault. */
export interface WrittenCredentials {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Empty when none was written. */
  readonly subscriptionKeys: readonly string[];
}

/** The service, as far as config.json tells. Addresses have no slash at their end. */
export interface PartnerConfig {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly credentialsUrl: string | null;
  readonly productSegment: string;
  readonly redirectUri: string;
  readonly commandStyle: CommandStyle;
  readonly pkce: boolean;
  /** Plain http is spoken to loopback addresses, for the simulator alone. */
  readonly allowInsecureLoopback: boolean;
  readonly credentials: WrittenCredentials;
}

/** The webhook listener. */
export interface WebhooksConfig {
  readonly host: string;
  readonly port: number;
  /** Null: one is made once and kept. */
  readonly path: string | null;
  /** Without slash at its end and without the path; null: registered by hand. */
  readonly publicUrl: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly signature: SignatureScheme;
  readonly jwsAlgorithm: Options['webhooks']['jwsAlgorithm'];
  readonly signatureHeader: string;
  /** Empty: ask the service. */
  readonly keys: readonly KeySource[];
}

/** When battery is low, and when it no longer is. */
export interface LowBattery {
  readonly thresholdPercent: number;
  readonly clearPercent: number;
}

/** What is announced, each by a service of its own. */
export interface AlertsConfig {
  readonly wrongCode: { readonly count: number; readonly windowMs: number } | null;
  readonly keypadLockedOut: boolean;
  readonly activityAlarm: boolean;
  readonly jam: boolean;
  readonly lowBattery: boolean;
  readonly unlockedByCode: readonly string[];
  readonly movedBy: readonly Options['alerts']['movedBy'][number][];
  readonly boltSensor: Options['alerts']['boltSensor'];
  readonly automationSwitch: Options['alerts']['automationSwitch'];
}

/** One platform block: one account. */
export interface Config {
  readonly name: string;
  /** Null until config.json names the addresses of the service: nothing is started without them. */
  readonly partner: PartnerConfig | null;
  /** The addresses that config.json does not name, such as "partner.baseUrl"; empty exactly when `partner` is there. */
  readonly missing: readonly string[];
  /** Null: switched off. */
  readonly webhooks: WebhooksConfig | null;
  /** Null: switched off. */
  readonly panel: { readonly host: string; readonly port: number } | null;
  readonly pollIdleMs: number;
  readonly pollHealthyMs: number;
  readonly evidenceMaxAgeMs: number;
  readonly offline: Options['offline'];
  readonly lowBattery: LowBattery;
  readonly connectivitySensor: Options['connectivitySensor'];
  readonly forceCommands: boolean;
  readonly alerts: AlertsConfig;
  readonly matter: Options['matter'];
  /** Null: controllers unlock without one. */
  readonly matterPin: string | null;
  readonly fastEvents: boolean;
  /** What config.json says of single locks, by the lock's id. */
  readonly locks: ReadonlyMap<string, LockRow>;
  /** Null: the folder of the plugin under Homebridge's storage path. */
  readonly storagePath: string | null;
  readonly debug: boolean;
}

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;

/** Converts options that have passed every check. */
export function toConfig(options: Options): Config {
  return {
    name: options.name,
    partner: toPartner(options.partner),
    missing: missingAddresses(options.partner),
    webhooks: options.webhooks.enabled ? toWebhooks(options.webhooks) : null,
    panel: options.panel.enabled ? { host: options.panel.host, port: options.panel.port } : null,
    pollIdleMs: options.polling.idleSeconds * MS_PER_SECOND,
    pollHealthyMs: options.polling.healthySeconds * MS_PER_SECOND,
    evidenceMaxAgeMs: options.evidenceAgeSeconds * MS_PER_SECOND,
    offline: options.offline,
    lowBattery: { thresholdPercent: options.lowBattery.threshold, clearPercent: options.lowBattery.clear },
    connectivitySensor: options.connectivitySensor,
    forceCommands: options.forceCommands,
    alerts: toAlerts(options.alerts),
    matter: options.matter,
    matterPin: options.matterPin ?? null,
    fastEvents: options.fastEvents,
    locks: toLocks(options.locks),
    storagePath: options.storage.path ?? null,
    debug: options.debug,
  };
}

function missingAddresses({ authUrl, baseUrl, redirectUri }: Options['partner']): readonly string[] {
  return Object.entries({ authUrl, baseUrl, redirectUri }).flatMap(([option, address]) =>
    address === undefined ? [`partner.${option}`] : [],
  );
}

function toPartner(partner: Options['partner']): PartnerConfig | null {
  const { authUrl, baseUrl, redirectUri } = partner;
  if (authUrl === undefined || baseUrl === undefined || redirectUri === undefined) {
    return null;
  }
  return {
    authUrl: withoutTrailingSlash(authUrl),
    baseUrl: withoutTrailingSlash(baseUrl),
    credentialsUrl:
      partner.credentialsUrl === undefined ? null : withoutTrailingSlash(partner.credentialsUrl),
    productSegment: partner.productSegment,
    redirectUri,
    commandStyle: partner.commandStyle,
    pkce: partner.pkce,
    allowInsecureLoopback: partner.allowInsecureLoopback,
    credentials: {
      clientId: partner.clientId ?? null,
      clientSecret: partner.clientSecret ?? null,
      subscriptionKeys: partner.subscriptionKeys,
    },
  };
}

function toWebhooks(webhooks: Options['webhooks']): WebhooksConfig {
  const { certFile, keyFile } = webhooks.tls;
  return {
    host: webhooks.host,
    port: webhooks.port,
    path: webhooks.path ?? null,
    publicUrl: webhooks.publicUrl === undefined ? null : withoutTrailingSlash(webhooks.publicUrl),
    tls: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
    signature: webhooks.signature,
    jwsAlgorithm: webhooks.jwsAlgorithm,
    signatureHeader: webhooks.signatureHeader,
    keys: webhooks.keys.map(readKeySource).flatMap((reading) => (reading.ok ? [reading.source] : [])),
  };
}

function toAlerts({ wrongCode, ...rest }: Options['alerts']): AlertsConfig {
  const { count, minutes } = wrongCode;
  return { ...rest, wrongCode: wrongCode.enabled ? { count, windowMs: minutes * MS_PER_MINUTE } : null };
}

function toLocks(rows: Options['locks']): ReadonlyMap<string, LockRow> {
  return new Map(rows.flatMap(({ id, ...settings }) => (id === undefined ? [] : [[id, settings]])));
}
