// Service details: the addresses and credentials of the partner agreement, saved and then tried at once.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PartnerView } from '../../../src/panel/views/partner.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure, Notice, Part } from '../parts/pieces.tsx';
import type { Addresses } from '../state/config-blocks.ts';
import { usePageContext } from '../state/page-context.ts';
import { EditedAddresses, ShownAddresses } from './addresses.tsx';
import { type Faults, faultsOf, isEmpty, useAddresses, useSaving } from './begin-form.ts';
import { Credentials, type Typed, typedOf } from './credentials.tsx';
import { DemoOffer } from './demo-offer.tsx';
import { type TrialFaults, withoutFault } from './service-trial.ts';

/** Before config.json names the service, nothing is stored. */
const NO_PARTNER: PartnerView = {
  authUrl: '',
  baseUrl: '',
  redirectUri: '',
  simulated: false,
  clientId: { from: null, value: null },
  clientSecret: { from: null },
  subscriptionKeys: { from: null, count: 0 },
  missing: [],
};

/** `action`: the text of the button. `onSaved` is called when everything is stored, and the service has accepted it. */
export function Beginning(props: { readonly action: string; readonly onSaved: () => void }): VNode {
  const { file, state } = usePageContext();
  const partner = state['partner.show'];
  if (partner === null && (file === null || file.account.configured)) {
    return <p>{t('Loading …')}</p>;
  }
  return (
    <>
      <DemoOffer />
      <BeginningForm partner={partner ?? NO_PARTNER} {...props} />
    </>
  );
}

function BeginningForm(props: {
  readonly partner: PartnerView;
  readonly action: string;
  readonly onSaved: () => void;
}): VNode {
  const { partner, action } = props;
  const { form, saving, typed, addresses, faults, showsFaults, submit, edit, setAddresses } =
    useBeginning(props);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Introduction partner={partner} />
      <Part title={t('The service')}>
        <AddressPart
          partner={partner}
          addresses={addresses}
          faults={faults}
          showsFaults={showsFaults}
          onEdit={setAddresses}
        />
      </Part>
      <Part title={t('Your credentials')}>
        <Credentials
          partner={partner}
          typed={typed}
          faults={faults}
          showsFaults={showsFaults}
          onType={edit}
        />
        {!isInConfig(partner) && (
          <p class="about">{t('Stored in a private file, not in config.json, and never displayed again.')}</p>
        )}
      </Part>
      <FaultCount faults={showsFaults ? faults : null} />
      <Failure failure={saving.failure} />
      <div class="pushes">
        <Button kind="main" isBusy={saving.isBusy} onPress="submit">
          {action}
        </Button>
      </div>
    </form>
  );
}

/** The form's state: the typed fields, their faults, and the fields that the service rejected. */
function useBeginning({ partner, onSaved }: { readonly partner: PartnerView; readonly onSaved: () => void }) {
  const [edits, setEdits] = useState<Partial<Typed>>({});
  const [addresses, setAddresses] = useAddresses();
  const [refused, setRefused] = useState<TrialFaults>({});
  const { form, attempts, attempt } = useFocusOnFault();
  const { saving, save } = useSaving();
  const typed = typedOf(partner, edits);
  const submit = async (): Promise<void> => {
    if (!isEmpty(faultsOf(typed, addresses, {}))) {
      attempt();
      return;
    }
    const found = await save(typed, addresses);
    if (found === null) {
      return;
    }
    setRefused(found);
    if (Object.keys(found).length > 0) {
      attempt();
      return;
    }
    // A stored secret is removed from its field.
    setEdits({});
    onSaved();
  };
  return {
    form,
    saving,
    typed,
    addresses,
    faults: faultsOf(typed, addresses, refused),
    showsFaults: attempts > 0,
    submit,
    edit: (name: keyof Typed, text: string): void => {
      setEdits((known) => ({ ...known, [name]: text }));
      setRefused((known) => withoutFault(known, name));
    },
    setAddresses: (edited: Addresses): void => {
      setAddresses(edited);
      setRefused((known) => withoutFault(withoutFault(known, 'authUrl'), 'baseUrl'));
    },
  };
}

function Introduction({ partner }: { readonly partner: PartnerView }): VNode {
  return isInConfig(partner) ? (
    <Notice tone="plain">
      <p>{t('Your credentials are in config.json. There is nothing to enter here.')}</p>
    </Notice>
  ) : (
    <p>
      {t(
        'You need the details from your partner agreement: two service addresses, a client ID and secret, and one or two subscription keys. You only enter them once.',
      )}
    </p>
  );
}

/** Fields in the Homebridge UI; only shown on the dashboard, and where everything is in config.json until asked for. */
function AddressPart(props: {
  readonly partner: PartnerView;
  readonly addresses: Addresses | null;
  readonly faults: Faults;
  readonly showsFaults: boolean;
  readonly onEdit: (addresses: Addresses) => void;
}): VNode {
  const { partner, addresses, faults, showsFaults, onEdit } = props;
  const [isEditing, setEditing] = useState(false);
  const isShown = addresses === null || (isInConfig(partner) && !isEditing);
  return isShown ? (
    <>
      <ShownAddresses partner={partner} faults={faults} />
      {addresses !== null && (
        <div class="pushes">
          <Button onPress={() => setEditing(true)}>{t('Edit addresses')}</Button>
        </div>
      )}
    </>
  ) : (
    <EditedAddresses addresses={addresses} faults={faults} showsFaults={showsFaults} onEdit={onEdit} />
  );
}

/** How many fields need attention; null: nothing was tried yet. */
function FaultCount({ faults }: { readonly faults: Faults | null }): VNode {
  const count = Object.values(faults ?? {}).filter((fault) => fault !== null).length;
  return (
    <div role="alert">
      {count > 0 && (
        <Notice tone="warning">
          <p>
            {t('{count, plural, one {# field needs attention.} other {# fields need attention.}}', { count })}
          </p>
        </Notice>
      )}
    </div>
  );
}

/** After an attempt that failed, the focus goes to the first field that has a fault. */
function useFocusOnFault(): {
  readonly form: { current: HTMLFormElement | null };
  readonly attempts: number;
  readonly attempt: () => void;
} {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], .fixed .fault')?.focus();
    }
  }, [attempts]);
  return {
    form,
    attempts,
    attempt: () => setAttempts((count) => count + 1),
  };
}

function isInConfig({ clientId, clientSecret, subscriptionKeys }: PartnerView): boolean {
  return [clientId, clientSecret, subscriptionKeys].every(({ from }) => from === 'config');
}
