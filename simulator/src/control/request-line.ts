// One log line per request and answer, without secrets.
import { CALENDAR_PREFIX } from '../calendars/calendar-service.ts';
import type { RecordedRequest } from '../scenario/request-log.ts';

/** A request as the doors page lists it. Headers, bodies and the query stay in the log: secrets stand there. */
export interface RequestLine extends Pick<RecordedRequest, 'sequence' | 'at' | 'method' | 'status'> {
  readonly path: string;
  /** How long the answer took, in milliseconds of the machine's clock, not of the simulator's. */
  readonly tookMs: number;
}

/** The line about a request that was answered, or cut off. */
export function requestLine(
  { sequence, at, method, url, status }: RecordedRequest,
  tookMs: number,
): RequestLine {
  return { sequence, at, method, path: shownPath(url), status, tookMs: Math.round(tookMs) };
}

/** The address of a calendar is a secret as a whole. */
function shownPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.startsWith(`${CALENDAR_PREFIX}/`) ? `${CALENDAR_PREFIX}/…` : path;
}
