// The options of the credentialing interface: its address, and a login for it.
import { z } from 'zod';
import type { OptionsOfFeature } from '../../../config/options/feature-config.ts';
import {
  type FeatureOptions,
  type FeatureValues,
  featureValues,
} from '../../../config/options/feature-options.ts';
import { SECRET, text } from '../../../config/options/option-forms.ts';
import { problem } from '../../../config/options/problem-line.ts';
import { message } from '../../../domain/language/message.ts';

const rows = () => ({
  credentialsUrl: text().optional().meta({
    description:
      'Where phone credentials are issued, if your agreement includes the BLE credentialing interface. `https:` only.',
  }),
  credentialsUsername: text().optional().meta({
    description:
      'User name of the credentialing interface. Leave empty to use the one that `latchkey credentials login` keeps.',
  }),
  credentialsPassword: text()
    .optional()
    .meta({ ...SECRET, description: 'Password of that user of the credentialing interface.' }),
});

export const CREDENTIAL_OPTIONS: FeatureOptions = { partnerRows: rows, addresses: ['credentialsUrl'] };

export const OF_CREDENTIALS: OptionsOfFeature = {
  problems: ({ partner }) => {
    const { credentialsUsername, credentialsPassword } = featureValues(partner);
    const isHalf = (credentialsUsername === undefined) !== (credentialsPassword === undefined);
    const missing = credentialsUsername === undefined ? 'credentialsUsername' : 'credentialsPassword';
    return problem(
      `partner.${missing}`,
      isHalf ? message('is missing; set both user name and password, or neither') : null,
    );
  },
};

/** The interface as config.json names it. */
export interface InterfaceConfig {
  readonly url: string;
  /** Null where the vault may hold one. */
  readonly login: { readonly username: string; readonly password: string } | null;
}

/** Null where config.json names no interface. */
export function interfaceIn(values: FeatureValues): InterfaceConfig | null {
  const { credentialsUrl, credentialsUsername, credentialsPassword } = z.object(rows()).parse(values);
  if (credentialsUrl === undefined) {
    return null;
  }
  return {
    url: credentialsUrl,
    login:
      credentialsUsername === undefined || credentialsPassword === undefined
        ? null
        : { username: credentialsUsername, password: credentialsPassword },
  };
}
