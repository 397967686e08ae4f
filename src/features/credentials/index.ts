// Phone credentials over the BLE credentialing interface: what the feature brings to each part of the core.
import { features } from '../../app/features.ts';
import { optionsOfFeatures } from '../../config/options/feature-config.ts';
import { featureOptions } from '../../config/options/feature-options.ts';
import { featureOperations } from '../../panel/operations/feature-operations.ts';
import { AccountCredentials } from './account/api.ts';
import { CREDENTIAL_OPTIONS, OF_CREDENTIALS } from './account/options.ts';
import { CREDENTIAL_OPERATIONS, FEATURE } from './panel/operations.ts';

export function addCredentials(): void {
  featureOptions.add(FEATURE, CREDENTIAL_OPTIONS);
  optionsOfFeatures.add(FEATURE, OF_CREDENTIALS);
  featureOperations.add(FEATURE, CREDENTIAL_OPERATIONS);
  features.add(FEATURE, (account) => new AccountCredentials(account));
}
