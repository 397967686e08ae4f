// The pages of the features that a home can do without, one line each.
import { CREDENTIALS } from './credentials/feature.ts';
import { HOME_ASSISTANT } from './home-assistant/feature.ts';
import { MATTER } from './matter/feature.tsx';
import type { FeatureGuests, FeaturePage, FeatureTab } from './parts/feature-page.ts';
import { STAYS } from './stays/feature.ts';

export const FEATURE_PAGES: readonly FeaturePage[] = [STAYS, CREDENTIALS, MATTER, HOME_ASSISTANT];

export const FEATURE_TABS: readonly FeatureTab[] = FEATURE_PAGES.flatMap(({ tab }) => tab ?? []);

export const FEATURE_GUESTS: readonly FeatureGuests[] = FEATURE_PAGES.flatMap(({ guests }) => guests ?? []);
