// What the pages of stays read of an account.
import type { STAY_OPERATIONS } from '../../../src/features/stays/panel/operations.ts';
import type { FeatureReading } from '../state/views.ts';

type Operations = typeof STAY_OPERATIONS;

declare module '../state/views.ts' {
  interface FeatureReadings extends Pick<Operations, 'stays.list'> {}
}

export const STAYS_READING: FeatureReading = { reading: 'stays.list', after: 'stays' };
