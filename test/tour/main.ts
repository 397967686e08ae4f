// `npm start`: the whole thing at work. Plays the tour; with a terminal it then stays up to be looked at.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../harness/free-port.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { Stage } from '../harness/stage.ts';
import { POLL_SECONDS } from './acts.ts';
import { tunnel } from './push-steps.ts';
import { playSteps } from './step.ts';
import { EVIDENCE_AGE_SECONDS, steps } from './steps.ts';

/** Where a person finds the simulated doors; without a terminal any free port will do. */
const DOORS_PORT = 4790;

const USAGE = `npm start -- [--once] [--port N]

  --once    end after the tour, with status 0 when every step passed, else 1 (the default without a terminal)
  --port N  port of the simulated service and its doors (default: ${DOORS_PORT} with a terminal, else a free one)
  --help    this text`;

/** The conventional status of a program that was interrupted. */
const INTERRUPTED_STATUS = 130;

interface TourOptions {
  readonly once: boolean;
  readonly port: number;
}

/** Undefined when only the usage was asked for. Throws an error in words for whatever cannot be understood. */
async function readTourOptions(): Promise<TourOptions | undefined> {
  const hasTerminal = process.stdout.isTTY;
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: !hasTerminal },
      port: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return undefined;
  }
  const port = Number(values.port ?? (hasTerminal ? DOORS_PORT : await freePort()));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port needs a number from 1 to 65535, not "${values.port}".`);
  }
  return { once: values.once, port };
}

/** Opens the stage, plays, and closes it in any case. Resolves with the exit status. */
async function tour(tourOptions: TourOptions, folder: string): Promise<number> {
  const stop = new AbortController();
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
    stop.abort();
    return INTERRUPTED_STATUS;
  });
  console.log('Packing the plugin, starting the simulated service and Homebridge ...');
  const stage = await Stage.open({
    folder,
    pluginsFolder: packPlugin(folder).pluginsFolder,
    simulatorPort: tourOptions.port,
    options: { polling: { idleSeconds: POLL_SECONDS }, evidenceAgeSeconds: EVIDENCE_AGE_SECONDS },
  });
  try {
    console.log(`The plugin runs in a real Homebridge and asks the service every ${POLL_SECONDS} s.`);
    console.log(addresses(stage));
    const status = await Promise.race([play(stage, stop.signal), interrupted]);
    if (!stop.signal.aborted && !tourOptions.once) {
      console.log('Everything stays up until Ctrl-C.');
      await interrupted;
    }
    return status;
  } finally {
    await stage.close();
    await tunnel.close();
  }
}

async function play(stage: Stage, stop: AbortSignal): Promise<number> {
  const passed = await playSteps(stage, steps, console.log, stop);
  if (!stop.aborted) {
    console.log(`\n${passed} of ${steps.length} steps passed`);
  }
  return passed === steps.length ? 0 : 1;
}

function addresses({ simulator, installation }: Stage): string {
  return `  The simulated doors, to turn by hand:  ${simulator.url}
  Homebridge's folder (settings, data):  ${installation.storeFolder}
`;
}

/** The failure before or beside the tour, and the next step. */
function advice(error: unknown, port: number): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('EADDRINUSE')
    ? `Port ${port} is taken. Stop what uses it, or choose another: npm start -- --port ${port + 1}`
    : `The tour could not be played. ${message}`;
}

/** Resolves with the exit status. */
async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-tour-'));
  let tourOptions: TourOptions | undefined;
  try {
    tourOptions = await readTourOptions();
    if (!tourOptions) {
      console.log(USAGE);
      return 0;
    }
    return await tour(tourOptions, folder);
  } catch (error) {
    console.error(advice(error, tourOptions?.port ?? 0));
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A step that was interrupted may still be waiting for something: nobody waits for it.
process.exit(await main());
