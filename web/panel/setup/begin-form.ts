// The form of the service details: the faults of its fields, and how it is saved and tried.
import { useEffect, useState } from 'preact/hooks';
import type { Addresses } from '../state/config-blocks.ts';
import { type PageAction, useAction, usePageContext } from '../state/page-context.ts';
import { type AddressFaults, addressFaults } from './addresses.tsx';
import { type CredentialFaults, changeOf, type Typed, typedFaults } from './credentials.tsx';
import { type TrialFaults, trialFaults } from './service-trial.ts';

export type Faults = AddressFaults & CredentialFaults;

/** Saves the addresses to config.json first: credentials are kept for an account that has them. Then tries everything. */
export function useSaving(): {
  readonly saving: PageAction;
  /** Resolves with the refused fields; null when the form could not be saved. */
  readonly save: (typed: Typed, addresses: Addresses | null) => Promise<TrialFaults | null>;
} {
  const { file, call, read } = usePageContext();
  const saving = useAction();
  const save = async (typed: Typed, addresses: Addresses | null): Promise<TrialFaults | null> => {
    let found: TrialFaults | null = null;
    await saving.run(async () => {
      if (file !== null && addresses !== null) {
        await file.config.save(file.account.name, addresses);
        await file.reread();
      }
      const change = changeOf(typed);
      // Where addresses are written, an empty change is sent, too: a plugin that runs with former ones refuses it.
      if (change !== null || file !== null) {
        await call('partner.save', change ?? {});
      }
      found = trialFaults(await call('checkup'));
    });
    void read('partner.show', 'link.show', 'status');
    return found;
  };
  return { saving, save };
}

export function faultsOf(typed: Typed, addresses: Addresses | null, refused: TrialFaults): Faults {
  const none: AddressFaults = { authUrl: null, baseUrl: null, redirectUri: null };
  const own = { ...(addresses === null ? none : addressFaults(addresses)), ...typedFaults(typed) };
  return {
    ...own,
    authUrl: own.authUrl ?? refused.authUrl ?? null,
    baseUrl: own.baseUrl ?? refused.baseUrl ?? null,
    clientId: own.clientId ?? refused.clientId ?? null,
    clientSecret: own.clientSecret ?? refused.clientSecret ?? null,
    firstKey: own.firstKey ?? refused.firstKey ?? null,
    secondKey: own.secondKey ?? refused.secondKey ?? null,
  };
}

export function isEmpty(faults: Faults): boolean {
  return Object.values(faults).every((fault) => fault === null);
}

/** The addresses in config.json as they are being edited; null where they cannot be, and until they are read. */
export function useAddresses(): readonly [Addresses | null, (addresses: Addresses) => void] {
  const { file } = usePageContext();
  const [addresses, setAddresses] = useState<Addresses | null>(null);
  const account = file?.account.name;
  useEffect(() => {
    if (file !== null && account !== undefined) {
      void file.config.addresses(account).then(setAddresses);
    }
  }, [account]);
  return [addresses, setAddresses];
}
