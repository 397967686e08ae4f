// The pages of the features that a home can do without, one line each.
import { CREDENTIALS } from './credentials/feature.ts';
import { HOME_ASSISTANT } from './home-assistant/feature.ts';
import { MATTER } from './matter/feature.tsx';
import type { FeaturePage, FeatureTab } from './parts/feature-page.ts';

export const FEATURE_PAGES: readonly FeaturePage[] = [CREDENTIALS, MATTER, HOME_ASSISTANT];

export const FEATURE_TABS: readonly FeatureTab[] = FEATURE_PAGES.flatMap(({ tab }) => tab ?? []);
