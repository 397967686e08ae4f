// Builds the panel's operations of this process over the composed modules of one account.

import { demoHand } from '../demo/ask-simulator.ts';
import type { BookedGuest } from '../engine/codes/guest-source.ts';
import { guestLanguage } from '../installation/language.ts';
import { packageFacts } from '../installation/package-facts.ts';
import { AccountEnding } from '../panel/account-ending.ts';
import { diagnose } from '../panel/diagnostics.ts';
import { GuestMessages } from '../panel/guest-messages.ts';
import { LockHistoryReader } from '../panel/history/lock-history.ts';
import { HistoryViews } from '../panel/history/views.ts';
import { LockReplacement } from '../panel/lock-replacement.ts';
import { type PanelApi, type PanelParts, panelApi } from '../panel/operations/panel-api.ts';
import { recordedAlerts } from '../panel/recorded-alerts.ts';
import type { Clock } from '../support/clock.ts';
import { sayForService } from '../words/host.ts';
import type { Composition } from './compose.ts';
import { broughtBy, guestIn, withFeatures } from './features.ts';

/** What belongs to the whole process rather than to one module. */
export type ProcessParts = Pick<
  PanelParts,
  'stepBack' | 'webhooks' | 'panel' | 'host' | 'featureStatus' | 'certificates'
> & {
  readonly clock: Clock;
  /** Nothing of the account is used any more: its files can go. */
  readonly onEnded: () => void;
};

export function operationsOf(composition: Composition, processParts: ProcessParts): PanelApi {
  const { config, storage, clients, credentials, link, runtime, linking, lockOptions, activity } =
    composition;
  const { serviceTime, checkup } = clients;
  const { version } = packageFacts();
  const archived = archivedHistory(composition);
  const demo = config.demo ? new URL(composition.partner.baseUrl).origin : null;
  const api = panelApi({
    ...processParts,
    runtime,
    lockSettings: lockOptions,
    activity,
    batteries: composition.batteries,
    assertOwned: () => link.assertOwned(),
    assertCallable: () => credentials.require(),
    serviceClock: serviceTime,
    accountName: config.demo ? `${config.name} (demo)` : config.name,
    demo: demo === null ? null : { doorsUrl: demo },
    demoHand: demo === null ? null : demoHand(demo),
    version,
    partner: credentials,
    linking,
    history: new LockHistoryReader(runtime.history, (id) => lockOptions.optionsFor(id).timeZone.value),
    archived,
    alerts: recordedAlerts(config.alerts, archived),
    features: composition.features,
    checkup: withFeatures(checkup, composition.features),
    pauses: clients,
    ...hostOperations(composition),
    ending: new AccountEnding({
      account: config.name,
      runtime,
      sources: broughtBy(composition.features, 'source'),
      registered: composition.addresses,
      features: [...composition.features.values()],
      unlink: async () => linking.unlink(),
      assertOwned: () => link.assertOwned(),
      onEnded: processParts.onEnded,
    }),
    diagnose: () =>
      diagnose({
        version,
        config,
        credentials,
        runtime,
        serviceTime,
        webhooks: processParts.webhooks,
        openCommands: () => storage.journal.open().length,
        optionsFor: (id) => lockOptions.optionsFor(id),
      }),
  });
  return processParts.host === 'service' ? inServiceWords(api) : api;
}

/** What only hosts need, over the same account. */
function hostOperations({ runtime, features, storage, link, lockOptions: options }: Composition) {
  const assertOwned = (): void => link.assertOwned();
  const guestOf = (stay: string): BookedGuest => guestIn(features, stay);
  const sources = broughtBy(features, 'source');
  return {
    messages: new GuestMessages({ runtime, guestOf, languageOf: guestLanguage, assertOwned }),
    replacement: new LockReplacement({ runtime, sources, archive: storage.archive, options, assertOwned }),
  } satisfies Partial<PanelParts>;
}

/** The same operations, whose errors speak of the service. */
function inServiceWords(api: PanelApi): PanelApi {
  const reworded: Record<string, unknown> = {};
  for (const [name, run] of Object.entries(api)) {
    reworded[name] = async (input: unknown) =>
      run(input).catch((error: unknown) => {
        throw sayForService(error);
      });
  }
  return { ...api, ...reworded };
}

function archivedHistory({ runtime, storage, lockOptions, clients, activity }: Composition): HistoryViews {
  return new HistoryViews({
    pages: {
      page: (filter, below, limit) => runtime.history.page(filter, below, limit),
      people: (since) => storage.historyPages.people(since),
    },
    erasing: {
      count: (what) => {
        runtime.history.saveReported();
        return storage.archive.count(what);
      },
      erase: (what) => {
        runtime.history.saveReported();
        const entries = storage.archive.erase(what, clients.serviceTime.now());
        const isErased: typeof storage.archive.isErased = (id, move) => storage.archive.isErased(id, move);
        activity.forgetErased(isErased);
        runtime.forgetErased(isErased);
        return entries;
      },
      forgetSome: () => storage.archive.forgetSome(),
    },
    refresh: async (locks) => runtime.history.refresh(locks ?? runtime.locks().map(({ id }) => id)),
    now: () => clients.serviceTime.now(),
    zoneOf: (id) => lockOptions.optionsFor(id).timeZone.value,
    nameOf: (id) => runtime.lock(id)?.description.name || id,
  });
}
