// The typed configuration for the rest of the plugin, with units in the names.

import { withoutTrailingSlash } from './options/address.ts';
import { type Circumstances, type FeatureConfig, featureConfig } from './options/feature-config.ts';
import { type FeatureValues, featureValues } from './options/feature-options.ts';
import { healthySeconds } from './options/option-checks.ts';
import type { LockRow, Options } from './options/option-table.ts';
import { type RelayEnrolment, readEnrolment } from './options/relay-enrolment.ts';
import { type KeySource, readKeySource } from './options/verification-key.ts';

/** The credentials of config.json. The vault may hold others. */
export interface WrittenCredentials {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly subscriptionKeys: readonly string[];
}

/** The service's settings in config.json. Addresses have no trailing slash. */
export interface PartnerConfig
  extends Readonly<
    Pick<Options['partner'], 'productSegment' | 'commandStyle' | 'pkce' | 'allowInsecureLoopback'>
  > {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly redirectUri: string;
  readonly credentials: WrittenCredentials;
  /** What is written for features. */
  readonly features: FeatureValues;
}

export interface WebhooksConfig
  extends Readonly<
    Pick<Options['webhooks'], 'host' | 'port' | 'signature' | 'jwsAlgorithm' | 'signatureHeader'>
  > {
  /** Null: generated once and kept. */
  readonly path: string | null;
  /** The address without trailing slash and path; null: registered by hand. */
  readonly publicUrl: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Empty: fetched from the service. */
  readonly keys: readonly KeySource[];
  /** Events come through this relay; null: to a listener of our own. */
  readonly relay: RelayEnrolment | null;
}

/** Where the pages are served. */
export interface PanelConfig extends Readonly<Pick<Options['panel'], 'host' | 'port'>> {
  /** The scheme and host of a proxy in front; null without one. */
  readonly origin: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/** One platform block: one account. */
export interface Config
  extends FeatureConfig,
    Readonly<
      Pick<
        Options,
        | 'name'
        | 'demo'
        | 'offline'
        | 'connectivitySensor'
        | 'alerts'
        | 'fastEvents'
        | 'appleHomeCodes'
        | 'debug'
      >
    > {
  /** The user name of its child bridge; null on the main bridge. */
  readonly bridge: string | null;
  /** Null until config.json names the addresses of the service, and in the demo until its service runs. Nothing is started without them. */
  readonly partner: PartnerConfig | null;
  /** The addresses that config.json does not name, such as "partner.baseUrl". The demo needs none. */
  readonly missing: readonly string[];
  /** Null: off. */
  readonly webhooks: WebhooksConfig | null;
  /** Null: off. */
  readonly panel: PanelConfig | null;
  readonly pollIdleMs: number;
  readonly pollHealthyMs: number;
  readonly evidenceMaxAgeMs: number;
  readonly lowBatteryPercent: number;
  readonly historyKept: { readonly entries: number; readonly ageMs: number };
  /** The PIN for Matter and MQTT. Null: they unlock without a PIN. */
  readonly remotePin: string | null;
  /** The PIN is malformed: no lock is unlocked over Matter or MQTT, and no code changed there. */
  readonly remotePinIsFaulty: boolean;
  /** Per-lock settings of config.json, by lock ID. */
  readonly locks: ReadonlyMap<string, LockRow>;
  /** Null: the plugin's folder in Homebridge's storage. */
  readonly storagePath: string | null;
}

const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;

/** A lock that nothing has confirmed for this long is unknown (our choice). */
const EVIDENCE_AGE_MS = 900_000;

/** Entries of one lock in the history, the newest (our choice). */
const MOST_ENTRIES = 50_000;

/** A demo lock that was turned by hand shows it while the person still looks (our choice). */
const DEMO_POLL_MS = 5_000;

export function toConfig(options: Options, circumstances: Circumstances): Config {
  const { partner, webhooks, panel, polling, locks, remotePin, ...rest } = options;
  const { history, lowBattery, storage, ...same } = rest;
  const { demo } = same;
  const pollHealthyMs = healthySeconds(polling.idleSeconds) * MS_PER_SECOND;
  return {
    ...same,
    ...circumstances,
    remotePin: remotePin ?? null,
    ...featureConfig(options, circumstances),
    partner: demo ? null : toPartner(partner),
    missing: demo ? [] : missingAddresses(partner),
    webhooks: webhooks.enabled && !demo ? toWebhooks(webhooks) : null,
    panel: panel.enabled ? toPanel(panel) : null,
    pollIdleMs: demo ? DEMO_POLL_MS : polling.idleSeconds * MS_PER_SECOND,
    pollHealthyMs,
    // Else the state of every lock would alternate between known and unknown.
    evidenceMaxAgeMs: Math.max(EVIDENCE_AGE_MS, 2 * pollHealthyMs),
    historyKept: { entries: MOST_ENTRIES, ageMs: history.keepDays * MS_PER_DAY },
    lowBatteryPercent: lowBattery.threshold,
    locks: toLocks(demo ? [] : locks),
    storagePath: demo ? null : (storage.path ?? null),
  };
}

export function missingAddresses({
  authUrl,
  baseUrl,
  redirectUri,
}: Partial<Options['partner']>): readonly string[] {
  return Object.entries({ authUrl, baseUrl, redirectUri }).flatMap(([option, address]) =>
    address === undefined ? [`partner.${option}`] : [],
  );
}

function toPanel({ host, port, origin, tls: { certFile, keyFile } }: Options['panel']): PanelConfig {
  return {
    host,
    port,
    origin: origin === undefined ? null : new URL(origin).origin,
    tls: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
  };
}

function toPartner(partner: Options['partner']): PartnerConfig | null {
  const { authUrl, baseUrl, redirectUri } = partner;
  if (authUrl === undefined || baseUrl === undefined || redirectUri === undefined) {
    return null;
  }
  return {
    authUrl: withoutTrailingSlash(authUrl),
    baseUrl: withoutTrailingSlash(baseUrl),
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
    features: featureValues(partner),
  };
}

function toWebhooks(webhooks: Options['webhooks']): WebhooksConfig {
  const { host, port, signature, jwsAlgorithm, signatureHeader } = webhooks;
  const { certFile, keyFile } = webhooks.tls;
  const relay = webhooks.via === 'relay' ? readEnrolment(webhooks.enrolment ?? '') : null;
  return {
    host,
    port,
    ...(relay === null ? ownAddress(webhooks) : relayAddress(relay)),
    relay,
    tls: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
    signature,
    jwsAlgorithm,
    signatureHeader,
    keys: webhooks.keys.map(readKeySource).flatMap((reading) => (reading.ok ? [reading.source] : [])),
  };
}

/** As the URL standard writes them, since the service may list our address so: no default port, no `..`, an ASCII host. */
function ownAddress({ path, publicUrl }: Options['webhooks']): Pick<WebhooksConfig, 'path' | 'publicUrl'> {
  return {
    path: path === undefined ? null : new URL(path, 'https://host.invalid').pathname,
    publicUrl: publicUrl === undefined ? null : withoutTrailingSlash(new URL(publicUrl).href),
  };
}

function relayAddress({ url }: RelayEnrolment): Pick<WebhooksConfig, 'path' | 'publicUrl'> {
  const address = url === null ? null : new URL(url);
  return { path: address?.pathname ?? null, publicUrl: address?.origin ?? null };
}

function toLocks(rows: Options['locks']): ReadonlyMap<string, LockRow> {
  return new Map(rows.flatMap(({ id, ...settings }) => (id === undefined ? [] : [[id, settings]])));
}
