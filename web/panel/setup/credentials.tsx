// What proves the plugin to the service: entered once, kept where only the plugin reads it, never shown again.
import type { VNode } from 'preact';
import type { KeptFrom, PartnerView } from '../../../src/panel/views/partner.ts';
import { t } from '../../../src/words/translate.ts';
import { CONFIG_FILE, Field, Fixed } from '../parts/fields.tsx';
import { Button } from '../parts/pieces.tsx';

/** The typed credentials. Null: the stored one stays. */
export interface Typed {
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly firstKey: string | null;
  readonly secondKey: string;
}

/** The present fields: text that was typed since the last save, else empty where none is stored. */
export function typedOf(partner: PartnerView, edits: Partial<Typed>): Typed {
  return {
    clientId: edits.clientId ?? (partner.clientId.from === null ? '' : null),
    clientSecret: edits.clientSecret ?? (partner.clientSecret.from === null ? '' : null),
    firstKey: edits.firstKey ?? (partner.subscriptionKeys.from === null ? '' : null),
    secondKey: edits.secondKey ?? '',
  };
}

export type CredentialFaults = { readonly [Name in keyof Typed]: string | null };

/** The longest value that the plugin stores, in characters: as its option table says. */
const LONGEST = 2_048;

/** The fault of each credential, as a sentence; null without one. */
export function typedFaults({ clientId, clientSecret, firstKey, secondKey }: Typed): CredentialFaults {
  return {
    clientId: faultOf(clientId, t('You’ll find it in your partner agreement.')),
    clientSecret: faultOf(clientSecret, t('The service showed it when your client was registered.')),
    firstKey: faultOf(firstKey, t('Your agreement includes one or two.')),
    secondKey:
      secondKey.trim() !== '' && secondKey.trim() === firstKey?.trim()
        ? t('This is the first key again. Enter the other one, or leave it empty.')
        : secondKey === ''
          ? null
          : faultOf(secondKey, ''),
  };
}

function faultOf(text: string | null, source: string): string | null {
  if (text === null) {
    return null;
  }
  const trimmed = text.trim();
  if (trimmed === '') {
    return `${t('Required.')} ${source}`;
  }
  if (/\s/.test(trimmed)) {
    return t('There is a space in the middle, which is rarely right. Copy it again.');
  }
  return trimmed.length > LONGEST ? t('This is too long to be a valid value. Copy it again.') : null;
}

/** What `partner.save` is asked to keep; null when nothing is new. */
export function changeOf({ clientId, clientSecret, firstKey, secondKey }: Typed): object | null {
  const change = {
    ...(clientId === null ? {} : { clientId: clientId.trim() }),
    ...(clientSecret === null ? {} : { clientSecret: clientSecret.trim() }),
    ...(firstKey === null
      ? {}
      : { subscriptionKeys: [firstKey.trim(), secondKey.trim()].filter((key) => key !== '') }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

export function Credentials(props: {
  readonly partner: PartnerView;
  readonly typed: Typed;
  readonly faults: CredentialFaults;
  readonly showsFaults: boolean;
  readonly onType: (name: keyof Typed, text: string) => void;
}): VNode {
  const { partner, typed, faults, showsFaults, onType } = props;
  const { clientId, clientSecret, subscriptionKeys } = partner;
  const rows = [
    { name: 'clientId', label: t('Client ID'), from: clientId.from, kept: clientId.value ?? t('Saved') },
    { name: 'clientSecret', label: t('Client secret'), from: clientSecret.from, kept: t('Saved') },
    {
      name: 'firstKey',
      label: t('Subscription key'),
      from: subscriptionKeys.from,
      kept: subscriptionKeys.count > 1 ? t('2 keys saved') : t('Saved'),
    },
  ] as const;
  return (
    <>
      {rows.map(({ name, ...row }) => (
        <Credential
          key={name}
          {...row}
          value={typed[name]}
          fault={faults[name] ?? (name === 'firstKey' && typed.firstKey === null ? faults.secondKey : null)}
          showsFault={showsFaults}
          isSecret={name !== 'clientId'}
          onType={(text) => onType(name, text)}
        />
      ))}
      {typed.firstKey !== null && (
        <Field
          label={t('Second subscription key (optional)')}
          help={t('Used if the first key is rejected, so you can rotate keys without downtime.')}
          value={typed.secondKey}
          fault={faults.secondKey}
          showsFault={showsFaults}
          isSecret
          onInput={(text) => onType('secondKey', text)}
        />
      )}
    </>
  );
}

function Credential(props: {
  readonly label: string;
  readonly from: KeptFrom;
  readonly kept: string;
  readonly value: string | null;
  readonly fault: string | null;
  readonly showsFault: boolean;
  readonly isSecret: boolean;
  readonly onType: (value: string) => void;
}): VNode {
  const { label, from, kept, value, fault, showsFault, isSecret, onType } = props;
  if (from === 'config') {
    return (
      <Fixed label={label} from={CONFIG_FILE} fault={fault}>
        {kept}
      </Fixed>
    );
  }
  if (value === null) {
    return (
      <div class="kept">
        <Fixed label={label} from={t('saved')} fault={fault}>
          {kept}
        </Fixed>
        <Button of={label} onPress={() => onType('')}>
          {t('Replace')}
        </Button>
      </div>
    );
  }
  return (
    <Field
      label={label}
      value={value}
      fault={fault}
      showsFault={showsFault}
      isSecret={isSecret}
      onInput={onType}
    />
  );
}
