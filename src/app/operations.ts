// What may be asked of this process: the panel's operations over the joined rooms of one account.
import { type PanelApi, panelApi } from '../panel/panel-api.ts';
import type { PanelDesk } from '../panel/panel-desk.ts';
import type { WebhookDesk } from '../panel/webhook-view.ts';
import { diagnose } from './diagnostics.ts';
import { DoorHistory } from './door-history.ts';
import { packageFacts } from './package-facts.ts';
import type { Rooms } from './rooms.ts';

/** What is not a room's, but the whole process's to answer. */
export interface ProcessParts {
  /** Another process asks for the account; false when this one keeps it. */
  readonly stepBack: () => boolean;
  readonly webhooks: WebhookDesk;
  readonly panel: PanelDesk;
}

export function operationsOf(rooms: Rooms, { stepBack, webhooks, panel }: ProcessParts): PanelApi {
  const { config, storage, clients, credentials, link, house, linking, lockOptions, happenings } = rooms;
  const { serviceTime, checkup } = clients;
  return panelApi({
    house,
    lockSettings: lockOptions,
    happenings,
    assertOwned: () => {
      link.assertOwned();
    },
    assertCallable: () => {
      credentials.require();
    },
    serviceClock: serviceTime,
    accountName: config.name,
    version: packageFacts().version,
    partner: credentials,
    linking,
    stepBack,
    history: new DoorHistory(house, (id) => lockOptions.optionsFor(id).timeZone.value),
    checkup,
    webhooks,
    panel,
    diagnose: () =>
      diagnose({
        config,
        credentials,
        house,
        serviceTime,
        webhooks,
        openCommands: () => storage.journal.open().length,
        optionsFor: (id) => lockOptions.optionsFor(id),
      }),
  });
}
