// Exact fixed windows (specification, Limits; wire contract 9): a window opens with its first counted request, or with the minute.
import type { CredentialingSettings } from './credentialing-settings.ts';

/** The window after one counted request. Instants are epoch milliseconds. */
export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests still allowed in this window after this one; never below 0. */
  readonly remaining: number;
  /** When the window ends and a new one may open. */
  readonly resetAt: number;
}

interface RateWindow {
  readonly endsAt: number;
  counted: number;
}

/** Counts requests per counter key. Windows of different keys know nothing of each other. */
export class RateWindows {
  readonly #lengthMs: number;
  readonly #windows = new Map<string, RateWindow>();

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Counts one request made `now` (epoch ms); refused requests count too, but never prolong the window. */
  count(
    counter: string,
    limit: number,
    now: number,
    { rateWindow }: Pick<CredentialingSettings, 'rateWindow'>,
  ): RateVerdict {
    let window = this.#windows.get(counter);
    if (window === undefined || now >= window.endsAt) {
      const opensAt = rateWindow === 'first-call' ? now : now - (now % this.#lengthMs);
      window = { endsAt: opensAt + this.#lengthMs, counted: 0 };
      this.#windows.set(counter, window);
    }
    window.counted += 1;
    return {
      allowed: window.counted <= limit,
      limit,
      remaining: Math.max(limit - window.counted, 0),
      resetAt: window.endsAt,
    };
  }

  clear(): void {
    this.#windows.clear();
  }
}
