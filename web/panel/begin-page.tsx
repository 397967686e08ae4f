// Service details: the addresses and credentials of the partner agreement, each in a field of its own.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PartnerView } from '../../src/panel/partner-view.ts';
import { addressFaults, EditedAddresses, ShownAddresses } from './addresses.tsx';
import type { Addresses } from './config-blocks.ts';
import { Credentials, changeOf, nothingTyped, type Typed, typedFaults } from './credentials.tsx';
import { type PageAction, useAction, usePageContext } from './page-context.ts';

import { Button, Failure, Notice, Part } from './pieces.tsx';

/** Before config.json names the service, nothing is kept. */
const NO_PARTNER: PartnerView = {
  authUrl: '',
  baseUrl: '',
  credentialsUrl: null,
  redirectUri: '',
  simulated: false,
  clientId: { from: null, value: null },
  clientSecret: { from: null },
  subscriptionKeys: { from: null, count: 0 },
  missing: [],
};

/** `action`: what the button says. `onSaved` is called when everything is kept. */
export function Beginning(props: { readonly action: string; readonly onSaved: () => void }): VNode {
  const { file, state } = usePageContext();
  const partner = state['partner.show'];
  if (partner === null && (file === null || file.account.configured)) {
    return <p>Reading what is kept …</p>;
  }
  const shown = partner ?? NO_PARTNER;
  // Made anew when something comes to be kept that was not, or the reverse: another field stands in its place.
  const key = [shown.clientId, shown.clientSecret, shown.subscriptionKeys].map(({ from }) => from).join();
  return <BeginningForm key={key} partner={shown} {...props} />;
}

function BeginningForm(props: {
  readonly partner: PartnerView;
  readonly action: string;
  readonly onSaved: () => void;
}): VNode {
  const { partner, action, onSaved } = props;
  const [typed, setTyped] = useState<Typed>(() => nothingTyped(partner));
  const [addresses, setAddresses] = useAddresses();
  const [showsFaults, setShowsFaults] = useState(false);
  const { saving, save } = useSaving(() => {
    // A secret that is kept leaves its field.
    setTyped(nothingTyped(partner));
    onSaved();
  });
  const isFaulty = hasFault(typed, addresses);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setShowsFaults(true);
        if (!isFaulty) {
          void save(typed, addresses);
        }
      }}
    >
      <p>
        You need the details from your partner agreement: two service addresses, a client ID and secret, and
        one or two subscription keys. You only enter them once.
      </p>
      <Part title="The service">
        {addresses === null ? (
          <ShownAddresses partner={partner} />
        ) : (
          <EditedAddresses addresses={addresses} showsFaults={showsFaults} onEdit={setAddresses} />
        )}
      </Part>
      <Part title="Your credentials">
        <Credentials partner={partner} typed={typed} showsFaults={showsFaults} onType={setTyped} />
        <p class="about">Stored in a private file, not in config.json, and never displayed again.</p>
      </Part>
      <div role="alert">
        {showsFaults && isFaulty && (
          <Notice tone="warning">
            <p>Something above needs attention.</p>
          </Notice>
        )}
      </div>
      <Failure failure={saving.failure} />
      <div class="pushes">
        <Button kind="main" isBusy={saving.isBusy} onPress="submit">
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Keeps the addresses in config.json first: what proves us is kept for an account that has them. */
function useSaving(onSaved: () => void): {
  readonly saving: PageAction;
  readonly save: (typed: Typed, addresses: Addresses | null) => Promise<void>;
} {
  const { file, call, read } = usePageContext();
  const saving = useAction();
  const save = async (typed: Typed, addresses: Addresses | null): Promise<void> => {
    const isSaved = await saving.run(async () => {
      if (file !== null && addresses !== null) {
        await file.config.save(file.account.name, addresses);
        await file.reread();
      }
      const change = changeOf(typed);
      // Nothing new is asked for, too, where addresses are written: a plugin that runs with former ones refuses it.
      if (change !== null || file !== null) {
        await call('partner.save', change ?? {});
      }
    });
    if (isSaved) {
      void read('partner.show', 'link.show', 'status');
      onSaved();
    }
  };
  return { saving, save };
}

function hasFault(typed: Typed, addresses: Addresses | null): boolean {
  return [
    ...Object.values(typedFaults(typed)),
    ...Object.values(addresses === null ? {} : addressFaults(addresses)),
  ].some((fault) => fault !== null);
}

/** The addresses in config.json as they are being edited; null where they cannot be, and until they are read. */
function useAddresses(): readonly [Addresses | null, (addresses: Addresses) => void] {
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
