// The configuration as the rest of the plugin uses it: units in the names, nothing left to interpret.
import { withoutTrailingSlash } from './address.ts';
import type { LockRow, Options } from './option-table.ts';
import { type KeySource, readKeySource } from './verification-key.ts';

/** The credentials of config.json. The vault may hold others. */
export interface WrittenCredentials {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Empty when none is written. */
  readonly subscriptionKeys: readonly string[];
}

/** The service, as far as config.json names it. Addresses have no slash at the end. */
export interface PartnerConfig
  extends Readonly<
    Pick<Options['partner'], 'productSegment' | 'commandStyle' | 'pkce' | 'allowInsecureLoopback'>
  > {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly credentialsUrl: string | null;
  /** The login of the credentialing interface; null where the vault may hold one. */
  readonly credentialsLogin: { readonly username: string; readonly password: string } | null;
  readonly redirectUri: string;
  readonly credentials: WrittenCredentials;
}

/** The webhook listener. */
export interface WebhooksConfig
  extends Readonly<
    Pick<Options['webhooks'], 'host' | 'port' | 'signature' | 'jwsAlgorithm' | 'signatureHeader'>
  > {
  /** Null: generated once and kept. */
  readonly path: string | null;
  /** Without slash at the end and without the path; null: registered by hand. */
  readonly publicUrl: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Empty: fetched from the service. */
  readonly keys: readonly KeySource[];
}

/** The charge at which the battery is low, and from which it no longer is. */
export interface LowBattery {
  readonly thresholdPercent: number;
  readonly clearPercent: number;
}

/** One platform block: one account. */
export interface Config
  extends Readonly<
    Pick<
      Options,
      | 'name'
      | 'offline'
      | 'connectivitySensor'
      | 'forceCommands'
      | 'alerts'
      | 'matter'
      | 'fastEvents'
      | 'debug'
    >
  > {
  /** The user name of its child bridge; null on the main bridge. */
  readonly bridge: string | null;
  /** Null until config.json names the addresses of the service; nothing is started without them. */
  readonly partner: PartnerConfig | null;
  /** The addresses that config.json does not name, such as "partner.baseUrl"; empty exactly when `partner` is set. */
  readonly missing: readonly string[];
  /** Null: off. */
  readonly webhooks: WebhooksConfig | null;
  /** Null: off. */
  readonly panel: { readonly host: string; readonly port: number } | null;
  readonly pollIdleMs: number;
  readonly pollHealthyMs: number;
  readonly evidenceMaxAgeMs: number;
  readonly lowBattery: LowBattery;
  /** Null: controllers unlock without a PIN. */
  readonly matterPin: string | null;
  /** The settings that config.json holds for single locks, by the lock's ID. */
  readonly locks: ReadonlyMap<string, LockRow>;
  /** Null: the plugin's folder in Homebridge's storage. */
  readonly storagePath: string | null;
  readonly storageMayBeOutside: boolean;
}

const MS_PER_SECOND = 1_000;

/** Converts options that have passed every check. */
export function toConfig(options: Options, bridge: string | null = null): Config {
  const { name, offline, connectivitySensor, forceCommands, alerts, matter, fastEvents, debug } = options;
  return {
    name,
    bridge,
    offline,
    connectivitySensor,
    forceCommands,
    alerts,
    matter,
    matterPin: options.matterPin ?? null,
    fastEvents,
    debug,
    partner: toPartner(options.partner),
    missing: missingAddresses(options.partner),
    webhooks: options.webhooks.enabled ? toWebhooks(options.webhooks) : null,
    panel: options.panel.enabled ? { host: options.panel.host, port: options.panel.port } : null,
    pollIdleMs: options.polling.idleSeconds * MS_PER_SECOND,
    pollHealthyMs: options.polling.healthySeconds * MS_PER_SECOND,
    evidenceMaxAgeMs: options.evidenceAgeSeconds * MS_PER_SECOND,
    lowBattery: { thresholdPercent: options.lowBattery.threshold, clearPercent: options.lowBattery.clear },
    locks: toLocks(options.locks),
    storagePath: options.storage.path ?? null,
    storageMayBeOutside: options.storage.allowOutside,
  };
}

function missingAddresses({ authUrl, baseUrl, redirectUri }: Options['partner']): readonly string[] {
  return Object.entries({ authUrl, baseUrl, redirectUri }).flatMap(([option, address]) =>
    address === undefined ? [`partner.${option}`] : [],
  );
}

function toPartner(partner: Options['partner']): PartnerConfig | null {
  const { authUrl, baseUrl, credentialsUrl, redirectUri } = partner;
  if (authUrl === undefined || baseUrl === undefined || redirectUri === undefined) {
    return null;
  }
  return {
    authUrl: withoutTrailingSlash(authUrl),
    baseUrl: withoutTrailingSlash(baseUrl),
    credentialsUrl: credentialsUrl === undefined ? null : withoutTrailingSlash(credentialsUrl),
    credentialsLogin: toCredentialsLogin(partner),
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

function toCredentialsLogin({
  credentialsUsername: username,
  credentialsPassword: password,
}: Options['partner']): PartnerConfig['credentialsLogin'] {
  return username === undefined || password === undefined ? null : { username, password };
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

function toLocks(rows: Options['locks']): ReadonlyMap<string, LockRow> {
  return new Map(rows.flatMap(({ id, ...settings }) => (id === undefined ? [] : [[id, settings]])));
}
