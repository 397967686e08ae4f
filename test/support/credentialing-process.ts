// The credentialing interface as one process of a machine has it, and credentials by number.

import { readConfig } from '../../src/config/read-config.ts';
import { Credentialing } from '../../src/features/credentials/account/credentialing.ts';
import { interfaceIn } from '../../src/features/credentials/account/options.ts';
import type { CardDraft } from '../../src/features/credentials/policy/credential.ts';
import { addFeatures } from '../../src/features/index.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import type { Clock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';

/** A user id, one for each number. */
export function userOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function cardOf(number: number, changes: Partial<CardDraft> = {}): CardDraft {
  return {
    kind: 'card',
    userId: userOf(number),
    mobileNumber: `+1555${String(number).padStart(7, '0')}`,
    cardFormat: '26A',
    facilityCode: 12,
    issueCode: 0,
    cardNumber: null,
    attributes: { siteId: '7', siteName: 'North block' },
    ...changes,
  };
}

/** One process's view of the interface. */
export interface OpenedProcess {
  readonly credentialing: Credentialing;
  readonly storage: Storage;
  /** Closing twice does nothing. */
  readonly close: () => Promise<void>;
}

addFeatures();

/** The interface as a process of this machine has it. `options`: `partner` of its platform block. */
export function openProcess(
  options: Readonly<Record<string, unknown>>,
  path: string,
  clock: Clock,
): OpenedProcess {
  const reading = readConfig({ partner: options });
  const partner = reading.ok ? reading.config.partner : null;
  const written = partner === null ? null : interfaceIn(partner.features);
  if (partner === null || written === null) {
    throw new Error('The options name no credentialing interface');
  }
  const storage = openStorage({ path, clock, log: silentLog });
  const credentialing = new Credentialing(written, {
    partner,
    subscriptionKeys: () => partner.credentials.subscriptionKeys,
    storage,
    clock,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) {
      isClosed = true;
      await credentialing.close();
      storage.close();
    }
  };
  return { credentialing, storage, close };
}
