// What features say of themselves in the status of an account.

/** Each feature declares its members here. */
export interface FeatureStatus {}
