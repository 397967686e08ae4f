// The adapters of the access codes: the service, the disk, and the time zones that were set for locks.
import type { LockId } from '../../domain/locks/lock.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccountRuntimeParts } from '../../sync/account-runtime.ts';
import type { KeptLockOptions } from '../account/kept-lock-options.ts';
import type { CloudClients } from '../linking/cloud-clients.ts';

export function codeParts({
  clients,
  storage,
  lockOptions,
}: {
  readonly clients: CloudClients;
  readonly storage: Storage;
  readonly lockOptions: KeptLockOptions;
}): AccountRuntimeParts['codes'] {
  return {
    gateway: clients.codes,
    store: storage.codes,
    guests: storage.guests,
    writtenZone: (id: LockId) => lockOptions.optionsFor(id).timeZone.value,
    machineZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
