// Collects diagnostic facts from a fixed list of harmless ones: names, addresses, ids and secrets are never read.
import type { Config, PartnerConfig } from '../config/config.ts';
import { featurePartnerRows } from '../config/options/feature-options.ts';
import { lastConfirmedAt } from '../domain/locks/evidence-policy.ts';
import { boltOf, type Lock, type LockId } from '../domain/locks/lock.ts';
import { type LockValues, type SourcedValues, valuesOf } from '../domain/locks/settings.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import { oneLine } from '../support/log.ts';
import type {
  DiagnosticsView,
  LockDiagnostics,
  PlainValue,
  WebhookDiagnostics,
} from './views/diagnostics.ts';
import type { PartnerApi, PartnerView } from './views/partner.ts';
import type { WebhookApi, WebhooksView } from './views/webhooks.ts';

const BYTES_PER_MEGABYTE = 1_048_576;

export function diagnose(parts: {
  readonly version: string;
  readonly config: Config;
  readonly credentials: Pick<PartnerApi, 'show'>;
  readonly runtime: AccountRuntime;
  readonly serviceTime: ServiceClock & {
    skew(): { readonly aheadMs: number; readonly uncertaintyMs: number } | null;
  };
  readonly webhooks: Pick<WebhookApi, 'status'>;
  readonly openCommands: () => number;
  readonly optionsFor: (id: LockId) => SourcedValues;
}): DiagnosticsView {
  const { config, runtime, serviceTime, optionsFor } = parts;
  const skew = serviceTime.skew();
  const now = serviceTime.now();
  return {
    version: parts.version,
    runtime: {
      node: process.version,
      platform: process.platform,
      architecture: process.arch,
      uptimeSeconds: Math.round(process.uptime()),
      memoryMegabytes: Math.round(process.memoryUsage().rss / BYTES_PER_MEGABYTE),
    },
    link: runtime.linkState(),
    service: {
      failingForMs: runtime.status().failing?.forMs ?? null,
      clockAheadMs: skew?.aheadMs ?? null,
      clockUncertaintyMs: skew?.uncertaintyMs ?? null,
    },
    webhooks: webhookFacts(parts.webhooks.status(false), now),
    openCommands: parts.openCommands(),
    options: { ...partnerFacts(config.partner, parts.credentials.show()), ...optionFacts(config) },
    locks: runtime.locks().map((lock, index) => lockFacts(lock, index + 1, optionsFor(lock.id), now)),
  };
}

function set(value: unknown): PlainValue {
  return value === null ? 'not set' : 'set';
}

function partnerFacts(
  partner: PartnerConfig | null,
  credentials: PartnerView,
): Readonly<Record<string, PlainValue>> {
  return partner === null
    ? { partner: 'not set' }
    : {
        ...Object.fromEntries(
          Object.keys(featurePartnerRows()).map((name) => [
            `partner.${name}`,
            set(partner.features[name] ?? null),
          ]),
        ),
        'partner.commandStyle': partner.commandStyle,
        'partner.pkce': partner.pkce,
        'partner.allowInsecureLoopback': partner.allowInsecureLoopback,
        'partner.clientId': set(credentials.clientId.from),
        'partner.clientSecret': set(credentials.clientSecret.from),
        'partner.subscriptionKeys': credentials.subscriptionKeys.count,
      };
}

function optionFacts(config: Config): Readonly<Record<string, PlainValue>> {
  const { webhooks } = config;
  return {
    webhooks: webhooks !== null,
    'webhooks.publicUrl': set(webhooks?.publicUrl ?? null),
    'webhooks.path': set(webhooks?.path ?? null),
    'webhooks.tls': set(webhooks?.tls ?? null),
    'webhooks.signature': webhooks?.signature ?? null,
    'webhooks.keys': webhooks?.keys.length ?? null,
    panel: config.panel !== null,
    pollIdleMs: config.pollIdleMs,
    pollHealthyMs: config.pollHealthyMs,
    evidenceMaxAgeMs: config.evidenceMaxAgeMs,
    offline: config.offline,
    connectivitySensor: config.connectivitySensor,
    fastEvents: config.fastEvents,
    ...alertFacts(config.alerts),
    storagePath: set(config.storagePath),
    demo: config.demo,
    debug: config.debug,
  };
}

/** The length of a list alone, because its entries may be the names of people. */
function alertFacts(alerts: Config['alerts']): Readonly<Record<string, PlainValue>> {
  return Object.fromEntries(
    Object.entries(alerts).map(([name, value]) => [
      `alerts.${name}`,
      typeof value !== 'object' ? value : 'enabled' in value ? value.enabled : value.length,
    ]),
  );
}

/** Members are named one by one, so that addresses and words of the service stay out. */
function webhookFacts(view: WebhooksView, now: number): WebhookDiagnostics {
  const { health, because, listener, registration, lastEventAgoMs, answers, ignored, lastSelfTest } = view;
  return {
    health,
    because,
    listening: listener !== null,
    registration,
    lastEventAgoMs: lastEventAgoMs === null ? null : Math.round(lastEventAgoMs),
    answers,
    ignored,
    lastSelfTest:
      lastSelfTest === null
        ? null
        : {
            finding: lastSelfTest.finding,
            status: lastSelfTest.status,
            tookMs: lastSelfTest.tookMs,
            agoMs: Math.max(0, Math.round(now - lastSelfTest.at)),
          },
  };
}

function lockFacts(lock: Lock, number: number, options: SourcedValues, now: number): LockDiagnostics {
  const { model, firmware, role } = lock.description;
  const confirmed = lastConfirmedAt(lock.belief);
  return {
    lock: number,
    model: oneLine(model),
    firmware: oneLine(firmware),
    role,
    bolt: boltOf(lock),
    confirmedAgoMs: confirmed === null ? null : Math.max(0, Math.round(now - confirmed)),
    requested: lock.target !== null,
    presence: lock.presence,
    battery: lock.battery,
    options: settingFacts(valuesOf(options)),
  };
}

/** No names and no zones, which say who lives where. */
function settingFacts({ name, timeZone, ...values }: LockValues): Readonly<Record<string, PlainValue>> {
  return { ...values, name: set(name), timeZone: set(timeZone) };
}
