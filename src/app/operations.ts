// What may be asked of this process: the panel's operations over the joined rooms of one account.

import type { DashboardApi } from '../panel/dashboard-api.ts';
import { type PanelApi, panelApi } from '../panel/panel-api.ts';
import type { WebhookApi } from '../panel/webhook-view.ts';
import type { Clock } from '../support/clock.ts';
import type { Composition } from './compose.ts';
import { diagnose } from './diagnostics.ts';
import { LockHistoryReader } from './lock-history.ts';
import { packageFacts } from './package-facts.ts';

/** What is not a room's, but the whole process's to answer. */
export interface ProcessParts {
  /** Another process asks for the account; false when this one keeps it. */
  readonly stepBack: () => boolean;
  readonly clock: Clock;
  readonly webhooks: WebhookApi;
  readonly panel: DashboardApi;
}

export function operationsOf(
  rooms: Composition,
  { stepBack, clock, webhooks, panel }: ProcessParts,
): PanelApi {
  const { config, storage, clients, credentials, link, runtime, linking, lockOptions, activity } = rooms;
  const { serviceTime, checkup } = clients;
  return panelApi({
    runtime,
    lockSettings: lockOptions,
    activity,
    assertOwned: () => {
      link.assertOwned();
    },
    assertCallable: () => {
      credentials.require();
    },
    serviceClock: serviceTime,
    clock,
    accountName: config.name,
    version: packageFacts().version,
    partner: credentials,
    linking,
    stepBack,
    history: new LockHistoryReader(runtime, (id) => lockOptions.optionsFor(id).timeZone.value),
    checkup,
    webhooks,
    panel,
    diagnose: () =>
      diagnose({
        config,
        credentials,
        runtime,
        serviceTime,
        webhooks,
        openCommands: () => storage.journal.open().length,
        optionsFor: (id) => lockOptions.optionsFor(id),
      }),
  });
}
