// The typed list of operations that a page, the command line or the Homebridge UI may call on the account's owner.
import { z } from 'zod';
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { CertificateView } from '../../domain/account/certificate-policy.ts';
import type { FeatureStatus } from '../../domain/account/feature-status.ts';
import type { ServiceCheckup } from '../../domain/account/service-check.ts';
import { ABANDONED_AFTER_MS } from '../../domain/commands/state.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { Failing } from '../../engine/account-runtime.ts';
import type { LinkApi } from '../../linking/link-api.ts';
import { gathered, joined } from '../../support/additions.ts';
import type { Clock } from '../../support/clock.ts';
import { unansweredMs, watchLocks } from '../lock-watch.ts';
import type { AlertsApi } from '../views/alerts.ts';
import type { DiagnosticsView } from '../views/diagnostics.ts';
import type { EndingApi } from '../views/ending.ts';
import type { HistoryApi } from '../views/history.ts';
import type { PartnerApi } from '../views/partner.ts';
import type { ReplacementApi } from '../views/replacement.ts';
import type { WebhookApi } from '../views/webhooks.ts';
import { ALERT_OPERATIONS } from './alerts.ts';
import { CODE_OPERATIONS } from './codes.ts';
import { DASHBOARD_OPERATIONS } from './dashboard-api.ts';
import { DEMO_OPERATIONS, type DemoHand } from './demo.ts';
import { ENDING_OPERATIONS } from './ending.ts';
import {
  type FeatureOperations,
  type FeatureParts,
  featureOperations,
  featureStatus,
} from './feature-operations.ts';
import { GUEST_OPERATIONS } from './guests.ts';
import { HISTORY_OPERATIONS } from './history.ts';
import { LINK_OPERATIONS } from './link.ts';
import { LOCK_OPERATIONS, type LockOperationParts } from './locks.ts';
import { MESSAGE_OPERATIONS } from './messages.ts';
import { type Effect, nothing, type Operation, operation } from './operation.ts';
import { REPLACEMENT_OPERATIONS } from './replacement.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/** The form of the operations and events. It grows when an older process would misread a newer one, or the reverse. */
export const PANEL_FORM = 1;

export interface StatusView extends FeatureStatus {
  readonly form: number;
  /** The process that answers. */
  readonly pid: number;
  readonly link: RuntimeLinkState;
  /** How many locks are known. */
  readonly locks: number;
  /** Since when and why the service fails. Null while it answers, and before the first call. */
  readonly failing: Failing | null;
  /** The rest of a pause of more than an hour that the service asked for, in milliseconds; null without one. */
  readonly longPauseMs: number | null;
  /** How long ago the service last listed the locks, in milliseconds; null when it has not since this process began. */
  readonly lastListedAgoMs: number | null;
  /** What runs this process, for words like "restart Homebridge". */
  readonly host: 'homebridge' | 'service';
  /** Those of this process's own servers that speak TLS. */
  readonly certificates: readonly CertificateView[];
  /** For how long a listing that a page waits for has had no answer, in milliseconds; null while none waits. */
  readonly unansweredMs: number | null;
  /** The service has refused the connection, and is asked once more before it counts as ended. */
  readonly isDoubted: boolean;
  /** Now, on the service's clock, on which all instants are. */
  readonly serviceNow: Instant;
  /** The name of the platform block. */
  readonly accountName: string;
  /** The version of the plugin that answers. */
  readonly version: string;
  /** In the demo: the page on this machine where its simulated locks are turned by hand. Null for an account. */
  readonly demo: { readonly doorsUrl: string } | null;
}

/** The pauses that the service asked for. */
export interface PausesApi {
  /** The rest of the longest one of more than an hour, in milliseconds; null without one. */
  longPauseMs(): number | null;
  /** The service has refused the connection, and is asked once more. */
  isDoubted(): boolean;
  /** A person has everything tried now, also a link that has ended. */
  tryNow(): void;
}

export interface PanelParts extends LockOperationParts, FeatureParts {
  readonly partner: PartnerApi;
  readonly linking: LinkApi;
  /** Null for an account, whose bolts no page turns. */
  readonly demoHand: DemoHand | null;
  readonly serviceClock: ServiceClock;
  readonly clock: Pick<Clock, 'after'>;
  readonly accountName: string;
  readonly demo: StatusView['demo'];
  readonly version: string;
  readonly host: StatusView['host'];
  /** What features say of themselves in this process; what is left out is as in one that only asks. */
  readonly featureStatus: () => Partial<FeatureStatus>;
  readonly certificates: () => StatusView['certificates'];
  /** Asks this process to hand the account over; false when it will not. */
  readonly stepBack: () => boolean;
  readonly checkup: ServiceCheckup;
  readonly pauses: PausesApi;
  readonly alerts: AlertsApi;
  readonly webhooks: WebhookApi;
  readonly replacement: ReplacementApi;
  readonly archived: HistoryApi;
  readonly ending: EndingApi;
  readonly diagnose: () => DiagnosticsView;
}

const steppingBack = z.object({ steppedBack: z.boolean() });

/** Every operation of the core by its name. Each rejects with a final `bad-request` for invalid input. */
const OPERATIONS = {
  status: operation('pages', 'reads', nothing, statusOf),
  /** The same for a page that is looked at: the locks are listed before, when the last listing is some seconds old. */
  watch: operation('pages', 'reads', nothing, async (parts: PanelParts) => {
    await watchLocks(parts.runtime, parts.clock);
    return statusOf(parts);
  }),
  ...LOCK_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...CODE_OPERATIONS,
  ...GUEST_OPERATIONS,
  ...MESSAGE_OPERATIONS,
  ...REPLACEMENT_OPERATIONS,
  ...LINK_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...HISTORY_OPERATIONS,
  ...DEMO_OPERATIONS,
  ...DASHBOARD_OPERATIONS,
  ...ENDING_OPERATIONS,
  checkup: operation('pages', 'reads', nothing, async ({ checkup }: PanelParts) => checkup.check()),
  /** Rejects with the error of the listing. */
  'try-now': operation('pages', 'changes', nothing, async (parts: PanelParts) => {
    parts.assertOwned();
    parts.pauses.tryNow();
    const failure = await parts.runtime.refreshNow();
    if (failure !== null) {
      throw failure;
    }
    return statusOf(parts);
  }),
  diagnostics: operation('pages', 'reads', nothing, ({ diagnose }: PanelParts) => diagnose()),
  'step-back': operation('processes', 'changes', nothing, ({ stepBack }: PanelParts) => ({
    steppedBack: stepBack(),
  })),
} satisfies Record<string, Operation<PanelParts, unknown>>;

type Rows = typeof OPERATIONS & FeatureOperations;

/** With those of features. */
function rows(): Readonly<Record<string, Operation<PanelParts, unknown>>> {
  return joined<Readonly<Record<string, Operation<PanelParts, unknown>>>>(OPERATIONS, featureOperations.all);
}

/** Every name, for the test that asks for a caller of each. */
export function operationNames(): readonly string[] {
  return Object.keys(rows());
}

/** The operations of one account, for callers that address them by name. */
export type PanelApi = {
  readonly [Name in keyof Rows]: (input: unknown) => ReturnType<Rows[Name]['perform']>;
};

/** The operations that pages may call: fewer than the command line may, and none that opens a real door. */
export type PageOperation = {
  [Name in keyof Rows]: Rows[Name] extends { readonly callers: 'pages' } ? Name : never;
}[keyof Rows];

export function panelApi(parts: PanelParts): PanelApi {
  const bound = Object.entries(rows()).map(([name, { perform }]) => [
    name,
    async (input: unknown) => perform(parts, input),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names, each bound to its parts
  return Object.fromEntries(bound) as PanelApi;
}

/** Whether pages may call it. Every server of pages passes on these operations alone. */
export function isPageOperation(name: string): name is PageOperation {
  return rowOf(name)?.callers === 'pages';
}

export function effectOf(name: keyof PanelApi): Effect {
  return rowOf(name)?.effect ?? 'changes';
}

function rowOf(name: string): Operation<PanelParts, unknown> | undefined {
  const all = rows();
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

function statusOf(parts: PanelParts): StatusView {
  const { runtime, serviceClock, accountName, demo, version, host } = parts;
  const known = runtime.status();
  return {
    form: PANEL_FORM,
    pid: process.pid,
    link: runtime.linkState(),
    locks: runtime.locks().length,
    failing: known.failing,
    longPauseMs: parts.pauses.longPauseMs(),
    lastListedAgoMs: known.lastListedAgoMs,
    unansweredMs: unansweredMs(known),
    isDoubted: parts.pauses.isDoubted(),
    serviceNow: serviceClock.now(),
    accountName,
    demo,
    version,
    host,
    ...gathered<FeatureStatus>([...featureStatus.all, parts.featureStatus()]),
    certificates: parts.certificates(),
  };
}

/**
 * The longest that the service's answer to one command takes, in milliseconds: 10 s until the command is sent, 32 s for
 * the answer (both in cloud/), and a margin.
 */
const LONGEST_COMMAND_MS = 45_000;

/**
 * How long a caller waits for the answer, in milliseconds, where that is longer than usual. A move may first wait for
 * the whole command before it, and is sent only then.
 */
export const CALL_DEADLINES_MS: { readonly [Name in keyof PanelApi]?: number } = {
  move: ABANDONED_AFTER_MS + LONGEST_COMMAND_MS,
  lock: ABANDONED_AFTER_MS + LONGEST_COMMAND_MS,
};

/** Whether the answer to `step-back` says that the other process hands the account over. */
export function steppedBack(answer: unknown): boolean {
  return steppingBack.safeParse(answer).data?.steppedBack === true;
}
