// `npm start`: the whole thing at work. Plays the parts of the tour side by side; with a terminal the first home then stays
// up to be looked at.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../harness/free-port.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import type { Stage } from '../harness/stage.ts';
import { POLL_SECONDS } from './acts.ts';
import { openHome, type Part, playPart } from './part.ts';
import { parts } from './parts.ts';
import type { Played, Step } from './step.ts';

/** Where a person finds the simulated doors; without a terminal any free port will do. */
const DOORS_PORT = 4790;

const USAGE = `npm start -- [--once] [--real-clock] [--port N]

  --once        end after the tour, with status 0 when every step passed, else 1 (the default without a terminal)
  --real-clock  one step after the other, about four minutes; also for a machine that has little memory
  --port N      port of the simulated service and its doors (default: ${DOORS_PORT} with a terminal, else a free one)
  --help        this text`;

/** The conventional status of a program that was interrupted. */
const INTERRUPTED_STATUS = 130;

interface TourOptions {
  readonly once: boolean;
  readonly inTurn: boolean;
  readonly port: number;
}

/** Undefined when only the usage was asked for. Throws an error in words for whatever cannot be understood. */
async function readTourOptions(): Promise<TourOptions | undefined> {
  const hasTerminal = process.stdout.isTTY;
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: !hasTerminal },
      'real-clock': { type: 'boolean', default: false },
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
  return { once: values.once, inTurn: values['real-clock'], port };
}

/**
 * Homes at a time: they wait for the most part, and more would wait for each other on two cores. Where other work fills the
 * machine already, all of them would wait longer than a home may.
 */
const HOMES_AT_ONCE = (loadavg()[0] ?? 0) > 2 * availableParallelism() ? 2 : 6;

/** All parts on their stages. */
class Tour {
  readonly #options: TourOptions;
  readonly #folder: string;
  readonly #pluginsFolder: string;
  readonly #stop: AbortSignal;
  readonly #steps = parts.flatMap(({ steps }) => steps);
  readonly #open = new Set<Stage>();
  #passed = 0;

  constructor(options: TourOptions, folder: string, stop: AbortSignal) {
    this.#options = options;
    this.#folder = folder;
    this.#pluginsFolder = packPlugin(folder).pluginsFolder;
    this.#stop = stop;
  }

  /** Resolves with the exit status. */
  async play(): Promise<number> {
    const waiting = [...parts.entries()];
    const home = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !this.#stop.aborted; next = waiting.shift()) {
        await this.#playOne(...next);
      }
    };
    await Promise.all(Array.from({ length: this.#options.inTurn ? 1 : HOMES_AT_ONCE }, home));
    if (!this.#stop.aborted) {
      console.log(`\n${this.#passed} of ${this.#steps.length} steps passed`);
    }
    return this.#passed === this.#steps.length ? 0 : 1;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, async (stage) => this.#closeOne(stage)));
    await Promise.all(parts.map(async ({ end }) => end?.()));
  }

  async #playOne(index: number, part: Part): Promise<void> {
    const isShown = index === 0;
    let left = part.steps;
    try {
      const stage = await openHome(part, {
        folder: join(this.#folder, `home-${String(index + 1)}`),
        pluginsFolder: this.#pluginsFolder,
        ...(isShown ? { port: this.#options.port } : {}),
      });
      this.#open.add(stage);
      if (isShown) {
        console.log(`The plugin runs in a real Homebridge and asks the service every ${POLL_SECONDS} s.`);
        console.log(addresses(stage));
      }
      const report = (step: Step, outcome: Played): void => {
        left = left.slice(1);
        this.#report(step, outcome);
      };
      await playPart(part, stage, report, this.#stop);
      // The first home stays up to be looked at.
      await (isShown ? null : this.#closeOne(stage));
    } catch (error) {
      if (isShown && left === part.steps) {
        throw error;
      }
      const words = error instanceof Error ? error.message : String(error);
      for (const step of this.#stop.aborted ? [] : left) {
        this.#report(step, { passed: false, words, tookMs: 0 });
      }
    }
  }

  async #closeOne(stage: Stage): Promise<void> {
    this.#open.delete(stage);
    await stage.close();
  }

  #report(step: Step, { passed, words, tookMs }: Played): void {
    const number = this.#steps.indexOf(step) + 1;
    console.log(
      `${passed ? '✓' : '✗'} ${String(number)}. ${step.title}\n     ${words} (${String(tookMs)} ms)`,
    );
    this.#passed += passed ? 1 : 0;
  }
}

/** Plays, and closes everything in any case. Resolves with the exit status. */
async function tour(tourOptions: TourOptions, folder: string): Promise<number> {
  const stop = new AbortController();
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
    stop.abort();
    return INTERRUPTED_STATUS;
  });
  console.log('Packing the plugin, starting the simulated service and Homebridge ...');
  const played = new Tour(tourOptions, folder, stop.signal);
  try {
    const status = await Promise.race([played.play(), interrupted]);
    if (!stop.signal.aborted && !tourOptions.once) {
      console.log('The first home stays up until Ctrl-C.');
      await interrupted;
    }
    return status;
  } finally {
    await played.close();
  }
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
