// Finds spans of time that overlap, in sorted order instead of pair by pair.
import type { Instant } from '../../../domain/time/instant.ts';

export interface Span {
  readonly opensAt: Instant;
  readonly closesAt: Instant;
}

/** More spans over one span are hostile, and are not all looked at. */
const MOST_TRIED = 50;

export class SpanIndex<T extends Span> {
  readonly #spans: readonly T[];
  /** The latest end among the spans up to each place. */
  readonly #latest: readonly Instant[];

  constructor(spans: readonly T[]) {
    this.#spans = spans.toSorted((a, b) => a.opensAt - b.opensAt);
    let latest = -Infinity;
    this.#latest = this.#spans.map(({ closesAt }) => {
      latest = Math.max(latest, closesAt);
      return latest;
    });
  }

  /** The overlapping span that begins first; `but` leaves some out. */
  overlapping({ opensAt, closesAt }: Span, but: (one: T) => boolean): T | undefined {
    let found: T | undefined;
    const last = this.#firstFrom(closesAt) - 1;
    for (let at = last; at >= 0 && last - at < MOST_TRIED && (this.#latest[at] ?? 0) > opensAt; at -= 1) {
      const one = this.#spans[at];
      if (one !== undefined && one.closesAt > opensAt && !but(one)) {
        found = one;
      }
    }
    return found;
  }

  #firstFrom(at: Instant): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.opensAt ?? Infinity) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
