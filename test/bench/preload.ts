// Loaded into a Homebridge process before anything else (`--import`): an HTTP server through which the bench reads the
// process and changes what surrounds a plugin, never the plugin. Both contestants have it.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What hap-nodejs has for the hold of events; it is internal, and read anew for every event. */
interface EventedHttp {
  HAPConnection: { EVENT_COALESCING_DELAY: number };
}

/** What `report` answers: the process as it is, and its heap after a collection. */
export interface ProcessReport {
  readonly rssBytes: number;
  /** Live heap with buffers, after a collection. */
  readonly heapBytes: number;
  /** User and system time of all threads, before the collection and after it, in milliseconds. */
  readonly cpuMs: number;
  readonly cpuAfterMs: number;
  /** Commits of all databases since the start of the process. */
  readonly commits: number;
}

/** What `memory` answers: the process as it is, and nothing collected. */
export interface ProcessMemory {
  readonly rssBytes: number;
  /** User and system time of the thread that runs JavaScript, in milliseconds: others work beside it. */
  readonly mainCpuMs: number;
}

// An import would load the client behind `fetch` into both contestants, and hide that one of them does so itself.
const { createServer } = process.getBuiltinModule('node:http');

const { LATCHKEY_BENCH_PORT: port } = process.env;
// Processes that Homebridge starts must not listen on the same port.
delete process.env['NODE_OPTIONS'];

/** Added to every commit, in milliseconds. */
let slowCommitMs = 0;
let commits = 0;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

function commitSlowly(): void {
  commits += 1;
  if (slowCommitMs > 0) {
    Atomics.wait(sleeper, 0, 0, slowCommitMs);
  }
}

/** Does something more after every call of a method, whoever calls it. */
function afterEach<T extends object>(
  prototype: T,
  method: keyof T,
  act: (self: T, args: readonly unknown[], result: unknown) => void,
): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown;
  Reflect.set(prototype, method, function wrapped(this: T, ...args: unknown[]) {
    const result = Reflect.apply(original, this, args);
    act(this, args, result);
    return result;
  });
}

/** A disk that takes its time: `COMMIT`, and every statement that runs outside a transaction and commits by itself. */
function slowDownCommits(): void {
  const databases = new WeakMap<object, DatabaseSync>();
  afterEach(DatabaseSync.prototype, 'exec', (_database, [sql]) => {
    if (sql === 'COMMIT') {
      commitSlowly();
    }
  });
  afterEach(DatabaseSync.prototype, 'prepare', (database, _args, statement) => {
    databases.set(statement as StatementSync, database);
  });
  afterEach(StatementSync.prototype, 'run', (statement) => {
    if (databases.get(statement)?.isTransaction === false) {
      commitSlowly();
    }
  });
}

function holdEvents(ms: number): void {
  const load = createRequire(process.argv[1] ?? import.meta.url);
  const { HAPConnection } = load('@homebridge/hap-nodejs/dist/lib/util/eventedhttp.js') as EventedHttp;
  HAPConnection.EVENT_COALESCING_DELAY = ms;
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function memory(): ProcessMemory {
  return { rssBytes: process.memoryUsage.rss(), mainCpuMs: inMs(process.threadCpuUsage()) };
}

function report(): ProcessReport {
  const before = { rssBytes: process.memoryUsage.rss(), cpuMs: inMs(process.cpuUsage()) };
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The first leaves up to 4 MB behind; a third finds no more.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { ...before, heapBytes: heapUsed + external, cpuAfterMs: inMs(process.cpuUsage()), commits };
}

function enter(path: string, ms: number): unknown {
  switch (path) {
    case '/report':
      return report();
    case '/memory':
      return memory();
    case '/hold':
      holdEvents(ms);
      return {};
    case '/slow-commits':
      slowCommitMs = ms;
      return {};
    default:
      throw new Error(`There is no ${path} here`);
  }
}

if (port !== undefined) {
  slowDownCommits();
  const inspector = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://inspector');
    try {
      response.end(JSON.stringify(enter(pathname, Number(searchParams.get('ms')))));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  inspector.listen(Number(port), '127.0.0.1');
  await once(inspector, 'listening');
  inspector.unref();
}
