// The pages of the features that a home can do without, one line each.
import { CREDENTIALS } from './credentials/feature.ts';
import type { FeaturePage } from './parts/feature-page.ts';

export const FEATURE_PAGES: readonly FeaturePage[] = [CREDENTIALS];
