// A process of its own that uses an account: as the plugin does, or as a tool beside it. It takes its orders line by line.
//
// `node runtime-process.ts plugin|tool <folder> <platform block as JSON>`; each line on its input is
// `{"id": 1, "operation": "move", "input": {...}}`, each line of its output `{"id": 1, "result": ...}` or
// `{"id": 1, "error": "..."}`. The first line is `{"ready": true}`.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { App } from '../../../src/app/app.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { messageOf } from '../../../src/support/errors.ts';
import type { Log } from '../../../src/support/log.ts';
import { systemRandom } from '../../../src/support/random.ts';
import { openAsTool } from '../../../src/tools/account-tool.ts';
import { configOf } from '../../support/checked-config.ts';

const [role, homebridgeFolder = '', block = ''] = process.argv.slice(2);

/** At once and whole, since the process may be killed in the next moment. */
function say(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

const complain = (line: string): void => {
  say({ log: line });
};
const log: Log = { debug() {}, info: complain, warn: complain, error: complain };

for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (reason: unknown) => {
    say({ uncaught: messageOf(reason) });
  });
}

type Call = (operation: string, input: unknown) => Promise<unknown>;

async function begin(): Promise<Call> {
  const config = configOf(JSON.parse(block));
  const parts = { config, homebridgeFolder, clock: systemClock, log, random: systemRandom };
  if (role === 'tool') {
    // A tool opens the account anew whenever it is asked for something, as a command line does.
    return async (operation, input) => {
      const tool = await openAsTool({ ...parts, signal: new AbortController().signal });
      try {
        return await tool.call(operation as 'status', input);
      } finally {
        await tool.close();
      }
    };
  }
  const app = new App({ ...parts, resident: true, onAskedToStepBack: () => false });
  process.once('SIGTERM', () => {
    void app.dispose().then(() => process.exit(0));
  });
  await app.start();
  return async (operation, input) => app.operations[operation as 'status'](input);
}

interface Order {
  readonly id: number;
  readonly operation: string;
  readonly input: unknown;
}

async function answer({ id, operation, input }: Order): Promise<void> {
  try {
    say({ id, result: await call(operation, input) });
  } catch (error) {
    say({ id, error: messageOf(error) });
  }
}

// An account alone keeps no process alive: Homebridge does, and here this.
setInterval(() => {}, 60_000);
const call = await begin();
say({ ready: true });
// Most of these processes are killed, and would leave the next one nothing.
flushCompileCache();
for await (const line of createInterface({ input: process.stdin })) {
  void answer(JSON.parse(line) as Order);
}
