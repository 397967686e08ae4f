// The addresses of the service: written into config.json from within the Homebridge UI, shown as fixed on the panel.
import type { VNode } from 'preact';
import { faultOfAddress, faultOfRedirectUri } from '../../src/config/address.ts';
import type { PartnerView } from '../../src/panel/partner-view.ts';
import type { Addresses } from './config-blocks.ts';
import { Copyable, Field, Fixed } from './fields.tsx';
import { SIMULATOR } from './homebridge-config.ts';
import { Button, Notice } from './pieces.tsx';

export type AddressFaults = Readonly<Record<'authUrl' | 'baseUrl' | 'redirectUri', string | null>>;

/** What is wrong with each, as a sentence; null when nothing is. */
export function addressFaults(addresses: Addresses): AddressFaults {
  const allowed = {
    insecureLoopback: addresses.allowInsecureLoopback,
    privateHosts: addresses.allowPrivateHosts,
  };
  return {
    authUrl: sentence(addresses.authUrl, (address) => faultOfAddress(address, allowed)),
    baseUrl: sentence(addresses.baseUrl, (address) => faultOfAddress(address, allowed)),
    redirectUri: sentence(addresses.redirectUri, faultOfRedirectUri),
  };
}

function sentence(address: string, check: (address: string) => string | null): string | null {
  if (address.trim() === '') {
    return 'Required. You’ll find it in your partner agreement.';
  }
  const fault = check(address.trim());
  return fault === null ? null : `It ${fault}.`;
}

const REGISTERED = 'Register this exact address with the service. It must match character for character.';

/** On the panel: what config.json says, and nothing to change. */
export function ShownAddresses(props: {
  readonly partner: PartnerView;
  readonly faults: AddressFaults;
}): VNode {
  const { partner, faults } = props;
  return (
    <>
      {partner.simulated && (
        <Notice tone="plain">
          <p>You’re connected to the simulator. No real lock will move.</p>
        </Notice>
      )}
      <Fixed label="Authorization server" from="config.json" fault={faults.authUrl}>
        {partner.authUrl}
      </Fixed>
      <Fixed label="Device interface" from="config.json" fault={faults.baseUrl}>
        {partner.baseUrl}
      </Fixed>
      {partner.credentialsUrl !== null && (
        <Fixed label="Credentialing interface" from="config.json">
          {partner.credentialsUrl}
        </Fixed>
      )}
      <Copyable label="Redirect URI" text={partner.redirectUri} help={REGISTERED} />
    </>
  );
}

const FIELDS = [
  {
    name: 'authUrl',
    label: 'Authorization server',
    help: 'Where you sign in and approve access.',
    placeholder: 'https://auth.partner.example',
  },
  {
    name: 'baseUrl',
    label: 'Device interface',
    help: 'Where locks are listed and commands are sent.',
    placeholder: 'https://api.partner.example',
  },
  {
    name: 'redirectUri',
    label: 'Redirect URI',
    help: `Where the service returns your browser after you sign in. Nothing has to be running there. ${REGISTERED}`,
    placeholder: 'https://home.example/callback',
    isCopied: true,
  },
] as const;

/** In the Homebridge UI: fields that are saved to config.json. */
export function EditedAddresses(props: {
  readonly addresses: Addresses;
  readonly faults: AddressFaults;
  readonly showsFaults: boolean;
  readonly onEdit: (addresses: Addresses) => void;
}): VNode {
  const { addresses, faults, showsFaults, onEdit } = props;
  return (
    <>
      {FIELDS.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          value={addresses[name]}
          fault={faults[name]}
          showsFault={showsFaults}
          onInput={(text) => {
            onEdit({ ...addresses, [name]: text });
          }}
        />
      ))}
      <div class="aside">
        <p>
          To try this whole setup without an agreement, run{' '}
          <code>npx homebridge-latchkey simulate --port 18590</code> on the machine of Homebridge. It prints a
          client and its keys.
        </p>
        <Button
          onPress={() => {
            onEdit({ ...SIMULATOR, allowPrivateHosts: addresses.allowPrivateHosts });
          }}
        >
          Fill in the simulator’s addresses
        </Button>
      </div>
    </>
  );
}
