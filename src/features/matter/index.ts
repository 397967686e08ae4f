// Matter beside HomeKit: what the feature brings to each part of the core.
import { optionsOfFeatures } from '../../config/options/feature-config.ts';
import { featureOptions } from '../../config/options/feature-options.ts';
import { bridgeFeatures } from '../../homekit/bridge-features.ts';
import { featureStatus } from '../../panel/operations/feature-operations.ts';
import { openMatter } from './host/open.ts';
import { lockMatterRow, matterRow, OF_MATTER } from './options/rows.ts';

/** The name of the feature. */
export const FEATURE = 'matter';

export function addMatter(): void {
  featureOptions.add(FEATURE, {
    rows: () => ({ matter: matterRow() }),
    lockRows: () => ({ matter: lockMatterRow() }),
  });
  optionsOfFeatures.add(FEATURE, OF_MATTER);
  featureStatus.add(FEATURE, { matter: 'off' });
  bridgeFeatures.add(FEATURE, openMatter);
}
