// The addresses of the service: written into config.json from within the Homebridge UI, shown as fixed on the dashboard.
import type { VNode } from 'preact';
import { faultOfAddress, faultOfRedirectUri } from '../../../src/config/options/address.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { PartnerView } from '../../../src/panel/views/partner.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_PAGES } from '../features.ts';
import { CONFIG_FILE, Field, Fixed } from '../parts/fields.tsx';
import { Button, Notice } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import type { Addresses } from '../state/config-blocks.ts';
import { SIMULATOR } from '../state/homebridge-config.ts';

export type AddressFaults = Readonly<Record<'authUrl' | 'baseUrl' | 'redirectUri', string | null>>;

/** The fault of each address, as a sentence; null without one. */
export function addressFaults(addresses: Addresses): AddressFaults {
  const allowed = {
    insecureLoopback: addresses.allowInsecureLoopback,
    privateHosts: addresses.allowPrivateHosts,
  };
  return {
    authUrl: sentence(addresses.authUrl, (address) => faultOfAddress(address, allowed)),
    baseUrl: sentence(addresses.baseUrl, (address) => faultOfAddress(address, allowed)),
    redirectUri: sentence(addresses.redirectUri, faultOfRedirectUri, NOT_REGISTERED),
  };
}

const NOT_IN_HAND = message('Required. You’ll find it in your partner agreement.');
const NOT_REGISTERED = message('Use the address you registered with the service.');

/** `empty`: the message for a missing address. */
function sentence(
  address: string,
  check: (address: string) => Message | null,
  empty = NOT_IN_HAND,
): string | null {
  if (address.trim() === '') {
    return t(empty);
  }
  const fault = check(address.trim());
  return fault === null ? null : t('It {fault}.', { fault });
}

const REGISTERED = message(
  'Register this exact address with the service. It must match character for character.',
);

/** On the dashboard: the addresses of config.json, which cannot be changed here. */
export function ShownAddresses(props: {
  readonly partner: PartnerView;
  readonly faults: AddressFaults;
}): VNode {
  const { partner, faults } = props;
  return (
    <>
      {partner.simulated && (
        <Notice tone="plain">
          <p>{t('You’re connected to the simulator. No real lock will move.')}</p>
        </Notice>
      )}
      <Fixed label={t('Authorization server')} from={CONFIG_FILE} fault={faults.authUrl}>
        {partner.authUrl}
      </Fixed>
      <Fixed label={t('Device interface')} from={CONFIG_FILE} fault={faults.baseUrl}>
        {partner.baseUrl}
      </Fixed>
      {FEATURE_PAGES.flatMap(({ addresses = [] }) => addresses).map(({ label, of }) => {
        const address = of(partner);
        return (
          address !== null && (
            <Fixed key={label.text} label={t(label)} from={CONFIG_FILE}>
              {address}
            </Fixed>
          )
        );
      })}
      <Field label={t('Redirect URI')} value={partner.redirectUri} help={t(REGISTERED)} isCopied />
    </>
  );
}

const FIELDS = [
  {
    name: 'authUrl',
    label: message('Authorization server'),
    help: [message('Where you sign in and approve access.')],
    placeholder: 'https://auth.partner.example',
  },
  {
    name: 'baseUrl',
    label: message('Device interface'),
    help: [message('Where locks are listed and commands are sent.')],
    placeholder: 'https://api.partner.example',
  },
  {
    name: 'redirectUri',
    label: message('Redirect URI'),
    help: [
      message('Where the service returns your browser after you sign in. Nothing has to be running there.'),
      REGISTERED,
    ],
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
      {FIELDS.map(({ name, label, help, ...field }) => (
        <Field
          kind="address"
          key={name}
          {...field}
          label={t(label)}
          help={help.map((one) => t(one)).join(' ')}
          value={addresses[name]}
          fault={faults[name]}
          showsFault={showsFaults}
          onInput={(text) => onEdit({ ...addresses, [name]: text })}
        />
      ))}
      <div class="aside">
        <p>
          {tRich(
            'To try this whole setup without an agreement, run <code>{command}</code> on the machine of Homebridge. It prints a client and its keys.',
            { command: 'npx homebridge-latchkey simulate --port 18590' },
          )}
        </p>
        <Button onPress={() => onEdit({ ...SIMULATOR, allowPrivateHosts: addresses.allowPrivateHosts })}>
          {t('Fill in the simulator’s addresses')}
        </Button>
      </div>
    </>
  );
}
