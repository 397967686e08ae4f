// Composes one account's modules from a configuration: opened and wired to each other; nothing is called yet.
import type { Config, PartnerConfig } from '../config/config.ts';
import { message } from '../domain/language/message.ts';
import type { Instant } from '../domain/time/instant.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import { removeStaleSubscriptions } from '../engine/webhooks/stale-subscription-cleanup.ts';
import { accountPlace, markAccount } from '../installation/place.ts';
import { AccountWatch } from '../linking/account-watch.ts';
import { LinkAttempts } from '../linking/link-attempts.ts';
import { LinkSession } from '../linking/link-session.ts';
import { Linking } from '../linking/linking.ts';
import { OwnedLink } from '../linking/owned-link.ts';
import { serviceDigest, warnOfFormerService } from '../linking/service-digest.ts';
import { Activity } from '../panel/activity.ts';
import { type PanelEvent, panelEventsOf } from '../panel/panel-event.ts';
import { BatteryLevels } from '../storage/history/battery-levels.ts';
import { removeLeftCopies } from '../storage/staged-copy.ts';
import { openStorage } from '../storage/storage.ts';
import { Emitter } from '../support/emitter.ts';
import { FinalError } from '../support/errors.ts';
import { waitingForAddresses } from '../words/account.ts';
import { t } from '../words/translate.ts';
import type { ComposeParts } from './compose-parts.ts';
import { composeRuntime, type RuntimeModules } from './compose-runtime.ts';
import { openFeatures } from './features.ts';
import { KeptLockOptions } from './kept-lock-options.ts';
import { buildCloudClients } from './partner/cloud-clients.ts';
import { PartnerCredentials } from './partner/partner-credentials.ts';
import { WebhookAddresses } from './webhooks/addresses.ts';

export interface Composition extends RuntimeModules {
  readonly config: Config;
  readonly partner: PartnerConfig;
  /** The account's folder. */
  readonly folder: string;
  readonly credentials: PartnerCredentials;
  readonly runtime: AccountRuntime;
  readonly linking: Linking;
  /** Every event of the account for pages and other processes. */
  readonly events: Emitter<PanelEvent>;
  readonly activity: Activity;
  readonly batteries: BatteryLevels;
  readonly addresses: WebhookAddresses;
}

/**
 * Opens storage and composes the modules. Throws a final error (`bad-configuration`) that names the missing options, or
 * a retry error (`storage-failed`).
 */
export function compose(parts: ComposeParts): Composition {
  const { config, clock, log, random } = parts;
  const partner = assertAddressed(config);
  const { folder, storage } = openAccount(parts, partner);
  const assertOwned = (): void => link.assertOwned();
  const credentials = new PartnerCredentials({ partner, secrets: storage.secrets, assertOwned, log });
  warnOfFormerService({ credentials: credentials.lacksAnothers, link: storage.holdsAnothersTokens() }, log);
  const clients = buildCloudClients({
    partner,
    credentials: credentials.require,
    storage,
    clock,
    log,
    random,
    assertOwned,
  });
  const { session, serviceTime } = clients;
  const link = new OwnedLink({
    link: session.link,
    isCallable: () => credentials.missing.length === 0,
    onSignOfLife: () => session.signOfLife(),
    log,
  });
  const events = new Emitter<PanelEvent>(log);
  const watch = new AccountWatch({
    settings: storage.settings,
    subject: () => session.link.subject(),
    known: () => runtime.locks(),
    outOfReach: (ids) => runtime.outOfReach(ids),
    onChange: () => {
      events.emit({ type: 'account-change' });
    },
    log,
  });
  const lockOptions = new KeptLockOptions({ config, settings: storage.settings, log, events });
  const { requireKeys: subscriptionKeys } = credentials;
  const now = (): Instant => serviceTime.now();
  const emit = (event: PanelEvent): void => events.emit(event);
  const features = openFeatures({ ...parts, partner, subscriptionKeys, storage, now, assertOwned, emit });
  const inUse = { storage, clients, link, watch, lockOptions, features };
  const runtime: AccountRuntime = composeRuntime({ ...parts, ...inUse });
  credentials.subscribe(() => {
    // Requests refused with the former credentials are retried at once, and so are those still in flight.
    session.forgetFailures();
    void runtime.refresh({ afresh: true });
    link.report();
  });
  const account = { config, partner, folder, storage, credentials, features };
  const addresses = new WebhookAddresses(config.webhooks, storage.settings);
  const linked = { clients, watch, runtime, link };
  const linking = composeLinking({ ...account, ...linked, events, addresses, clock, log });
  passOn(runtime, events);
  const activity = new Activity({ runtime, serviceClock: serviceTime, events });
  const batteries = new BatteryLevels({ storage, runtime, serviceTime, clock, log });
  return { ...account, ...linked, linking, events, lockOptions, activity, addresses, batteries };
}

/** Passes what happens in the account on to pages and other processes. */
function passOn(runtime: AccountRuntime, events: Emitter<PanelEvent>): void {
  runtime.subscribe((runtimeEvent) => {
    for (const event of panelEventsOf(runtimeEvent)) {
      events.emit(event);
    }
  });
  for (const type of ['webhooks', 'guests'] as const) {
    runtime[type].subscribe(() => {
      events.emit({ type });
    });
  }
}

/** Opens the account's storage, and notes under which name. */
function openAccount(
  { config, homebridgeFolder, clock, log }: ComposeParts,
  partner: PartnerConfig,
): Pick<Composition, 'folder' | 'storage'> {
  const { folder, databaseFile, bridge, formerName, leftBehind } = accountPlace(homebridgeFolder, config);
  const service = serviceDigest(partner);
  const storage = openStorage({
    path: databaseFile,
    clock,
    log,
    service,
    history: config.historyKept,
  });
  markAccount(folder, { ...config, bridge }, clock.now());
  removeLeftCopies(folder);
  if (formerName !== null) {
    log.info(
      t('"{name}" continues the account that was called "{former}" in config.json.', {
        name: config.name,
        former: formerName,
      }),
    );
  }
  if (leftBehind.length > 0) {
    log.warn(newBesideOthers(config.name, folder, leftBehind));
  }
  return { folder, storage };
}

/** Logged once: from now on the new account has its own folder. */
function newBesideOthers(name: string, folder: string, leftBehind: readonly string[]): string {
  const former = leftBehind.map((each) => `"${each}"`).join(', ');
  return t(
    '"{name}" starts as a new account, because no stored account has its name or its bridge. No block of config.json uses these stored accounts any more: {former}. To go on with one, stop Homebridge, delete the folder {folder}, give the block its former name and bridge, and start Homebridge. Change only one of the two per restart.',
    { name, former, folder },
  );
}

/** Addresses come from config.json alone: without them no request can be made. */
function assertAddressed({ partner, missing, name, demo }: Config): PartnerConfig {
  if (partner === null && demo) {
    throw new FinalError(
      'bad-configuration',
      message('The demo runs only with the plugin. Restart Homebridge to start it.'),
    );
  }
  if (partner === null) {
    throw new FinalError('bad-configuration', waitingForAddresses(name, missing));
  }
  return partner;
}

type LinkingContext = Pick<
  Composition,
  | 'storage'
  | 'credentials'
  | 'config'
  | 'clients'
  | 'watch'
  | 'runtime'
  | 'link'
  | 'events'
  | 'partner'
  | 'addresses'
  | 'features'
> &
  Pick<ComposeParts, 'clock' | 'log'>;

function composeLinking(context: LinkingContext): Linking {
  const { storage, credentials, clients, partner, events, addresses, features, clock, log } = context;
  const { session, server } = clients;
  const linking: Linking = new Linking({
    ...context,
    redirectUri: partner.redirectUri,
    session: new LinkSession({
      server,
      adopt: (tokens) => {
        for (const feature of features.values()) {
          feature.linking?.();
        }
        linking.adopt(tokens);
      },
      attempts: new LinkAttempts({
        secrets: storage.secrets,
        audience: () =>
          JSON.stringify([partner.authUrl, credentials.show().clientId.value, partner.redirectUri]),
        clock,
        log,
      }),
      clock,
      ...partner,
      onChange: () => {
        linking.changed();
        events.emit({ type: 'linking' });
      },
    }),
    tokens: session,
    removeSubscriptions: async (accessToken, how) =>
      removeStaleSubscriptions({ clients, registered: addresses, clock, log }, accessToken, how),
    isSetAside: () => storage.holdsAnothersTokens(),
  });
  return linking;
}
