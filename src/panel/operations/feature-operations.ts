// Operations that features bring to the panel's list, and members of the status.
import type { FeatureStatus } from '../../domain/account/feature-status.ts';
import { Additions } from '../../support/additions.ts';
import type { MessagesApi } from '../views/messages.ts';
import type { DashboardApi } from './dashboard-api.ts';
import type { Operation } from './operation.ts';

/** What they act on: the open features of the account, by name, and what the core does for them. */
export interface FeatureParts {
  readonly features: ReadonlyMap<string, unknown>;
  readonly messages: MessagesApi;
  readonly panel: DashboardApi;
}

/** Each feature declares its operations here, so that they are called by name as all others. */
export interface FeatureOperations {}

export const featureOperations = new Additions<Readonly<Record<string, Operation<FeatureParts, unknown>>>>();

/** The status where nothing of the feature runs. */
export const featureStatus = new Additions<Partial<FeatureStatus>>();
