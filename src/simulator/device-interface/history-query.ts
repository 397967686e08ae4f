// Reads the query of the history endpoint (wire contract 5).

/** Entries when no `limit` is given. */
const DEFAULT_LIMIT = 50;

export interface HistoryQuery {
  /** NaN when any parameter is unreadable: the world refuses that with 20, after it has checked access. */
  readonly limit: number;
  readonly deviceLocalTime: boolean;
}

/** The parameters as Fastify parses them: a repeated one is an array, which is as bad as any other value. */
export interface RawHistoryQuery {
  readonly limit?: unknown;
  readonly deviceLocalTime?: unknown;
}

/** Reads a parsed query string. */
export function readHistoryQuery({ limit, deviceLocalTime }: RawHistoryQuery): HistoryQuery {
  const local = readFlag(deviceLocalTime);
  return { limit: local === undefined ? Number.NaN : readLimit(limit), deviceLocalTime: local ?? false };
}

function readLimit(text: unknown): number {
  if (text === undefined) {
    return DEFAULT_LIMIT;
  }
  return typeof text === 'string' && /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
}

function readFlag(text: unknown): boolean | undefined {
  switch (typeof text === 'string' ? text.toLowerCase() : text) {
    case undefined:
    case 'false':
      return false;
    case 'true':
      return true;
    default:
      return undefined;
  }
}
