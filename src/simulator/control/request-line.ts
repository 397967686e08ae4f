// One line about a request for whoever watches: what was asked and how it was answered, and never a secret.
import type { RecordedRequest } from '../scenario/request-log.ts';

/** A request as the doors page lists it. Headers, bodies and the query stay in the log: secrets stand there. */
export interface RequestLine extends Pick<RecordedRequest, 'sequence' | 'at' | 'method' | 'status'> {
  readonly path: string;
  /** How long the answer took, in milliseconds of the machine, whatever the simulator's own time did. */
  readonly tookMs: number;
}

/** The line about a request that was answered, or cut off. */
export function requestLine(
  { sequence, at, method, url, status }: RecordedRequest,
  tookMs: number,
): RequestLine {
  return { sequence, at, method, path: url.split('?', 1)[0] ?? '', status, tookMs: Math.round(tookMs) };
}
