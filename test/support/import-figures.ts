// What the service saw of an import: refusals for its rate, and how long each window stood idle after the one before was over.

import type { ImportRow } from '../../src/features/credentials/policy/import-plan-policy.ts';
import { RATE_WINDOW_MS } from '../../src/features/credentials/policy/rate-window-policy.ts';
import type { SentRequest } from '../stand-ins/service/simulated.ts';
import { cardOf } from './credentialing-process.ts';

export interface ImportFigures {
  readonly refused: number;
  readonly windows: number;
  /** Between the end of each window and the first call after it, in milliseconds. */
  readonly idleMs: readonly number[];
  /** The most calls that one window counted. */
  readonly fullest: number;
}

export function rowsOf(count: number): readonly ImportRow[] {
  return Array.from({ length: count }, (_, index) => ({ line: index + 2, draft: cardOf(index + 1) }));
}

/** Of Create Credential alone: the operation that an import is made of. */
export function figuresOf(calls: readonly SentRequest[]): ImportFigures {
  const creates = calls.filter(({ method, url }) => method === 'POST' && url.endsWith('/credentials/mobile'));
  const counts: number[] = [];
  const idleMs: number[] = [];
  let endsAt = Number.NEGATIVE_INFINITY;
  for (const at of creates.map((call) => Date.parse(call.at))) {
    if (at >= endsAt) {
      idleMs.push(...(counts.length === 0 ? [] : [at - endsAt]));
      endsAt = at + RATE_WINDOW_MS;
      counts.push(0);
    }
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  const refused = calls.filter(({ status }) => status === 429).length;
  return { refused, windows: counts.length, idleMs, fullest: Math.max(0, ...counts) };
}
