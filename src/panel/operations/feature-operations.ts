// Operations that features bring to the panel's list.
import { Additions } from '../../support/additions.ts';
import type { Operation } from './operation.ts';

/** What they act on: the open features of the account, by name. */
export interface FeatureParts {
  readonly features: ReadonlyMap<string, unknown>;
}

/** Each feature declares its operations here, so that they are called by name as all others. */
export interface FeatureOperations {}

export const featureOperations = new Additions<Readonly<Record<string, Operation<FeatureParts, unknown>>>>();
