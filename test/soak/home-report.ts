// How a Homebridge process is: heap after a collection, resident set, handles. Asked over HTTP on loopback.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

export const homeReport = z.object({
  rssBytes: z.number(),
  /** Live heap with buffers, after a collection. */
  heapBytes: z.number(),
  /** The part of it that V8 fills with what it compiles: for weeks, whenever something rare becomes frequent. */
  codeBytes: z.number(),
  timers: z.number(),
  /** Descriptors of the process; null where the system does not list them. */
  openFiles: z.number().nullable(),
  /** Handles and requests of Node, by kind. */
  handles: z.record(z.string(), z.number()),
});

/** Bytecode and its tables lie in the trusted space. */
const OF_CODE = /^(?:code|trusted)_/;

export type HomeReport = z.output<typeof homeReport>;

/** The server does not keep the process alive. */
export async function serveReports(port: number, timers: () => number): Promise<void> {
  const server = createServer(({ url }, response) => {
    const snapshot = new URL(url ?? '/', 'http://home').searchParams.get('snapshot');
    const report = reportOf(timers());
    if (snapshot !== null) {
      writeHeapSnapshot(snapshot);
    }
    response.setHeader('connection', 'close').end(JSON.stringify(report));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
}

function reportOf(timers: number): HomeReport {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    handles[kind] = (handles[kind] ?? 0) + 1;
  }
  return {
    rssBytes: process.memoryUsage.rss(),
    heapBytes: heapUsed + external,
    codeBytes: codeBytes(),
    timers,
    openFiles: openFiles(),
    handles,
  };
}

function codeBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => OF_CODE.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
