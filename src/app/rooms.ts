// One account's rooms, joined from a configuration: opened and wired to each other, while nothing is called yet.
import { randomUUID } from 'node:crypto';
import type { Config, PartnerConfig } from '../config/config.ts';
import { type Credentials, completeCredentials } from '../config/credentials.ts';
import { Happenings } from '../panel/happenings.ts';
import { type PanelEvent, panelEventOf } from '../panel/panel-event.ts';
import { LinkSession } from '../setup/link-session.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { Broadcast } from '../support/broadcast.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { House } from '../sync/house.ts';
import { accountPlace } from './account-place.ts';
import { buildCloudClients, type CloudClients } from './cloud-clients.ts';
import { KeptLockOptions } from './kept-lock-options.ts';
import { OwnedLink } from './owned-link.ts';

export interface RoomParts {
  readonly config: Config;
  /** Homebridge's storage path: the plugin keeps its things below it, unless the configuration names another place. */
  readonly homebridgeFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, for jitter. */
  readonly chance: () => number;
}

export interface Rooms {
  readonly config: Config;
  readonly partner: PartnerConfig;
  /** The account's folder. */
  readonly folder: string;
  readonly storage: Storage;
  readonly clients: CloudClients;
  readonly link: OwnedLink;
  readonly house: House;
  readonly linking: LinkSession;
  /** Everything that pages and other processes hear of the account. */
  readonly news: Broadcast<PanelEvent>;
  readonly lockOptions: KeptLockOptions;
  readonly happenings: Happenings;
}

/**
 * Opens storage and joins the rooms. Throws a final error (`bad-configuration`) that says what is missing, or a retry
 * error (`storage-failed`).
 */
export function joinRooms({ config, homebridgeFolder, clock, log, chance }: RoomParts): Rooms {
  const { partner, credentials } = assertComplete(config);
  const { folder, databaseFile } = accountPlace(homebridgeFolder, config);
  const storage = openStorage({ path: databaseFile, clock, log, ownerId: randomUUID() });
  const { vault, journal, roster, lease } = storage;
  const assertOwned = (): void => {
    link.assertOwned();
  };
  const clients = buildCloudClients({ partner, credentials, vault, clock, log, assertOwned });
  const { session, server, gateway, serviceTime } = clients;
  const link = new OwnedLink(session, () => lease.isHeld(), log);
  const news = new Broadcast<PanelEvent>(log);
  const lockOptions = new KeptLockOptions({ config, settings: storage.settings, log, news });
  const house = new House({
    gateway,
    journal,
    roster,
    link,
    clock,
    serviceClock: serviceTime,
    log,
    chance,
    limits: {
      idleMs: config.pollIdleMs,
      healthyMs: config.pollHealthyMs,
      evidenceMaxAgeMs: config.evidenceMaxAgeMs,
    },
    rulesFor: (id) => ({
      remoteUnlock: lockOptions.optionsFor(id).remoteUnlock.value,
      force: config.forceCommands,
    }),
  });
  const linking = new LinkSession({ server, adopt: session.adopt.bind(session), clock, ...partner });
  house.subscribe((happening) => {
    news.tell(panelEventOf(happening));
  });
  const happenings = new Happenings({ house, serviceClock: serviceTime, news });
  return { config, partner, folder, storage, clients, link, house, linking, news, lockOptions, happenings };
}

function assertComplete({ partner, missing, name }: Config): {
  partner: PartnerConfig;
  credentials: Credentials;
} {
  if (partner === null) {
    throw new FinalError('bad-configuration', `"${name}" is not set up yet. Missing: ${missing.join(', ')}.`);
  }
  const reading = completeCredentials(partner.credentials, NOTHING_KEPT);
  if (!reading.ok) {
    throw new FinalError(
      'bad-configuration',
      `"${name}" is not set up yet. Missing: ${reading.missing.join(', ')}.`,
    );
  }
  return { partner, credentials: reading.credentials };
}

/** No page keeps credentials yet: config.json is their only place. */
const NOTHING_KEPT = { clientId: null, clientSecret: null, subscriptionKeys: [] };
