// Composes the account runtime over the storage, the cloud clients and the options in force.

import { AccountRuntime, type AccountRuntimeParts } from '../engine/account-runtime.ts';
import type { AccountWatch } from '../linking/account-watch.ts';
import type { OwnedLink } from '../linking/owned-link.ts';
import type { Storage } from '../storage/storage.ts';
import { secureDigits } from '../support/secure-digits.ts';
import { machineZone } from '../words/machine-zone.ts';
import type { ComposeParts } from './compose-parts.ts';
import { broughtBy, type OpenFeature } from './features.ts';
import type { KeptLockOptions } from './kept-lock-options.ts';
import type { CloudClients } from './partner/cloud-clients.ts';

/** The modules over which the runtime works. */
export interface RuntimeModules {
  readonly storage: Storage;
  readonly clients: CloudClients;
  readonly link: OwnedLink;
  readonly watch: AccountWatch;
  readonly lockOptions: KeptLockOptions;
  readonly features: ReadonlyMap<string, OpenFeature>;
}

export function composeRuntime(context: RuntimeModules & ComposeParts): AccountRuntime {
  const { config, storage, clients, link, watch, lockOptions, features, clock, log, random } = context;
  const { gateway, serviceTime } = clients;
  return new AccountRuntime({
    gateway: {
      list: watch.guarded(async () => gateway.list()),
      command: async (...command) => gateway.command(...command),
      outcome: async (...command) => gateway.outcome(...command),
    },
    journal: storage.journal,
    knownLocks: storage.knownLocks,
    link,
    subject: () => clients.session.link.subject(),
    clock,
    serviceClock: serviceTime,
    log,
    random,
    limits: {
      idleMs: config.pollIdleMs,
      healthyMs: config.pollHealthyMs,
      evidenceMaxAgeMs: config.evidenceMaxAgeMs,
    },
    rulesFor: (id) => ({ remoteUnlock: lockOptions.optionsFor(id).remoteUnlock.value }),
    codes: codeParts(context),
    leftUnlocked: {
      alertAfterMs: minutesOrNull(config.alerts.leftUnlocked),
      lockAfterMs: minutesOrNull(config.alerts.autoLockMinutes),
    },
    randomDigits: secureDigits,
    joining: broughtBy(features, 'join'),
    memory: { service: clients.history, archive: storage.archive, pages: storage.historyPages },
  });
}

function codeParts({ clients, storage, lockOptions }: RuntimeModules): AccountRuntimeParts['codes'] {
  return {
    gateway: clients.codes,
    store: storage.codes,
    age: storage.age,
    writtenZone: (id) => lockOptions.optionsFor(id).timeZone.value,
    machineZone,
  };
}

/** 0 turns it off. */
function minutesOrNull(minutes: number): number | null {
  return minutes === 0 ? null : minutes * 60_000;
}
