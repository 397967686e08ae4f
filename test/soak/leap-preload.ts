// Loaded into a Homebridge process before anything else (`--import`): its clocks leap over every time in which nothing is
// under way, and run truly while something is.
//
// It changes what surrounds the plugin, never the plugin. Deadlines of requests are those of a real machine, because no leap
// happens between a request and the end of its answer.
import { subscribe } from 'node:diagnostics_channel';
import { openSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveReports } from './home-report.ts';
import { LEAP_FILE, LeapFile } from './leap-file.ts';
import { leapingFunctions } from './leap-functions.ts';
import { LeapTimers } from './leap-timers.ts';
import { Leaper } from './leaper.ts';

const { [LEAP_FILE]: path = '', LATCHKEY_SOAK_PORT: port = '' } = process.env;
// Processes that Homebridge starts have clocks of their own.
delete process.env['NODE_OPTIONS'];

const LOOK_EVERY_MS = 1;
/** What runs on a thread or in the system: a look-up, a connection that is being opened, a file that is read. */
const ON_ITS_WAY = /Req|Zlib/;

const file = new LeapFile(openSync(path, 'r+'));
const trueMonotonic = performance.now.bind(performance);
const { timeOrigin } = performance;
let leaptMs = file.leaptMs;
const shared = {
  get leaptMs() {
    return leaptMs;
  },
  set leaptMs(value) {
    leaptMs = value;
    file.leaptMs = value;
  },
  get limitAt() {
    return file.limitAt;
  },
};

function now(): number {
  return timeOrigin + trueMonotonic() + leaptMs;
}

const requests = new Set<unknown>();
const timers = new LeapTimers(now);
const leaper = new Leaper({
  now,
  timers,
  file: shared,
  underWay: () =>
    requests.size + process.getActiveResourcesInfo().filter((kind) => ON_ITS_WAY.test(kind)).length,
});

function begin(request: unknown): void {
  requests.add(request);
  leaper.noteWork();
}

function end(request: unknown): void {
  requests.delete(request);
  leaper.noteWork();
}

for (const [channel, act] of [
  ['undici:request:create', begin],
  ['undici:request:trailers', end],
  ['undici:request:error', end],
] as const) {
  subscribe(channel, (message) => {
    act((message as { readonly request: unknown }).request);
  });
}
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  begin(request);
  response.once('close', () => {
    end(request);
  });
});

function look(): void {
  if (timers.someAreHeld) {
    looking.ref();
  } else {
    looking.unref();
  }
  if (leaper.look()) {
    setImmediate(look);
  }
}

const trueInterval = setInterval;
const functions = leapingFunctions(timers);
functions.install({ wall: () => Math.floor(now()), monotonic: () => trueMonotonic() + leaptMs });
const looking = trueInterval(look, LOOK_EVERY_MS);
await serveReports(Number(port), () => timers.size);
