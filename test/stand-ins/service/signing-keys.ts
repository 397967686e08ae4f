// The keys that the service publishes for its signatures, changed by hand.
import type { SigningKeys } from '../../../src/domain/webhooks/ports.ts';

/** Keys that a test changes, and a count of how often they were asked for. */
export class StandInKeys implements SigningKeys {
  held: readonly string[];
  refreshed = 0;
  onRefresh: () => Promise<'current' | 'recent' | 'unavailable'>;

  constructor(held: readonly string[]) {
    this.held = held;
    this.onRefresh = async () => Promise.resolve('current');
  }

  keys(): readonly string[] {
    return this.held;
  }

  async refresh(): Promise<'current' | 'recent' | 'unavailable'> {
    this.refreshed += 1;
    return this.onRefresh();
  }
}
