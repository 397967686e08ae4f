// The typed list of operations that a page, the command line or the Homebridge UI may call on the account's owner.
import { z } from 'zod';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import { ABANDONED_AFTER_MS } from '../domain/command-state.ts';
import type { MatterNodeState } from '../domain/matter-node.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { ServiceCheckup } from '../domain/service-check.ts';
import type { Clock } from '../support/clock.ts';
import type { Failing } from '../sync/account-runtime.ts';
import { codeOperations } from './code-operations.ts';
import { credentialsOperations } from './credentials-operations.ts';
import type { CredentialsApi } from './credentials-view.ts';
import { type DashboardApi, panelOperations } from './dashboard-api.ts';
import { type DemoOperationParts, demoOperations } from './demo-operations.ts';
import type { DiagnosticsView } from './diagnostics-view.ts';
import { guestOperations } from './guest-operations.ts';
import { historyOperations } from './history-operations.ts';
import type { HistoryApi } from './history-view.ts';
import { type LinkOperationParts, linkOperations } from './link-operations.ts';
import { type LockOperationParts, lockOperations } from './lock-operations.ts';
import { unansweredMs, watchLocks } from './lock-watch.ts';
import { mqttOperations } from './mqtt-operations.ts';
import type { MqttApi } from './mqtt-view.ts';
import { nothing, operation } from './operation.ts';
import type { WebhookApi } from './webhook-view.ts';

/** The form of the operations and events. It grows when an older process would misread a newer one, or the reverse. */
export const PANEL_FORM = 1;

export interface StatusView {
  readonly form: number;
  /** The process that answers. */
  readonly pid: number;
  readonly link: RuntimeLinkState;
  /** How many locks are known. */
  readonly locks: number;
  /** Since when and why the service fails. Null while it answers, and before the first call. */
  readonly failing: Failing | null;
  /** How long ago the service last listed the locks, in milliseconds; null when it has not since this process began. */
  readonly lastListedAgoMs: number | null;
  /** What runs this process, for words like "restart Homebridge". */
  readonly host: 'homebridge' | 'service';
  /** Whether apps reach the locks over Matter. */
  readonly matter: MatterNodeState;
  /** For how long a listing that a page waits for has had no answer, in milliseconds; null while none waits. */
  readonly unansweredMs: number | null;
  /** Now, on the service's clock, on which all instants are. */
  readonly serviceNow: Instant;
  /** The name of the platform block. */
  readonly accountName: string;
  /** Of the plugin that answers. */
  readonly version: string;
  /** In the demo: the page on this machine where its simulated locks are turned by hand. Null for an account. */
  readonly demo: { readonly doorsUrl: string } | null;
}

export interface PanelParts extends LockOperationParts, LinkOperationParts, DemoOperationParts {
  readonly serviceClock: ServiceClock;
  readonly clock: Pick<Clock, 'after'>;
  readonly accountName: string;
  readonly demo: StatusView['demo'];
  readonly version: string;
  readonly host: StatusView['host'];
  readonly matterNode: () => StatusView['matter'];
  /** Asks this process to hand the account over; false when it will not. */
  readonly stepBack: () => boolean;
  readonly checkup: ServiceCheckup;
  readonly webhooks: WebhookApi;
  readonly mqtt: MqttApi;
  readonly credentialing: CredentialsApi;
  readonly panel: DashboardApi;
  readonly archived: HistoryApi;
  readonly diagnose: () => DiagnosticsView;
}

const steppingBack = z.object({ steppedBack: z.boolean() });
const statusInput = z.object({ address: z.boolean().optional() }).loose().optional();
const oneSubscription = z.object({ id: z.string().min(1) });

/** Every operation by its name. Inputs are checked here; each throws a final `bad-request` for invalid input. */
export function panelApi(parts: PanelParts) {
  return {
    status: operation(nothing, async () => statusOf(parts)),
    /** The same for a page that is looked at: the locks are listed before, when the last listing is some seconds old. */
    watch: operation(nothing, async () => {
      await watchLocks(parts);
      return statusOf(parts);
    }),
    ...lockOperations(parts),
    ...codeOperations(parts),
    ...guestOperations(parts),
    ...linkOperations(parts),
    'webhooks.status': operation(statusInput, async (target) =>
      parts.webhooks.status(target?.address ?? false),
    ),
    'webhooks.list': operation(nothing, async () => parts.webhooks.list()),
    'webhooks.register': operation(nothing, async () => parts.webhooks.register()),
    'webhooks.remove': operation(oneSubscription, async ({ id }) => {
      await parts.webhooks.remove(id);
      return { removed: id };
    }),
    'webhooks.test': operation(nothing, async () => parts.webhooks.test()),
    ...historyOperations(parts.archived),
    ...demoOperations(parts),
    ...mqttOperations(parts.mqtt),
    ...credentialsOperations(parts),
    ...panelOperations(parts),
    checkup: operation(nothing, async () => parts.checkup.check()),
    diagnostics: operation(nothing, async () => parts.diagnose()),
    'step-back': operation(nothing, async () => ({ steppedBack: parts.stepBack() })),
  };
}

function statusOf(parts: PanelParts): StatusView {
  const { runtime, serviceClock, accountName, demo, version, host, matterNode } = parts;
  const known = runtime.status();
  return {
    form: PANEL_FORM,
    pid: process.pid,
    link: runtime.linkState(),
    locks: runtime.locks().length,
    failing: known.failing,
    lastListedAgoMs: known.lastListedAgoMs,
    unansweredMs: unansweredMs(known),
    serviceNow: serviceClock.now(),
    accountName,
    demo,
    version,
    host,
    matter: matterNode(),
  };
}

/** The list itself, for callers that address operations by name. */
export type PanelApi = ReturnType<typeof panelApi>;

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
