// A terminal under a test's control: its output, and a command line that runs in it over the folder of a home.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { platformBlock, type SimulatedHome } from '../../homes/simulated-home.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Writes the home's config.json, so that a command line finds it. */
export function writeConfig(
  home: Pick<SimulatedHome, 'folder' | 'simulator'>,
  options: Readonly<Record<string, unknown>>,
): void {
  const block = { ...platformBlock(home.simulator), ...options };
  writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ platforms: [block] }));
}

/** Runs `latchkey` with these words, as a process beside the home's would, with an input that is at its end. */
export async function latchkey(home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  return begin(home, words, systemClock).ended;
}

/** What may be otherwise with a terminal. */
export interface Circumstances {
  readonly unwritable?: AbortSignal;
  readonly stopped?: AbortSignal;
  /** The typed input; left out, the input is at its end. */
  readonly readLine?: Terminal['readLine'];
  readonly environment?: Terminal['environment'];
}

const AT_ITS_END: Terminal['readLine'] = async () => Promise.resolve(null);

const NEVER = new AbortController().signal;

/** The same while the command runs: its output so far, and its end. */
export function begin(
  home: Pick<SimulatedHome, 'folder'>,
  words: readonly string[],
  clock: Clock,
  { unwritable = NEVER, stopped = NEVER, readLine = AT_ITS_END, environment = {} }: Circumstances = {},
): { readonly said: Omit<Ran, 'status'>; readonly ended: Promise<Ran> } {
  const said = { out: '', err: '' };
  const terminal: Terminal = {
    print: (text) => {
      said.out += text;
    },
    printError: (text) => {
      said.err += text;
    },
    readLine,
    stopped,
    unwritable,
    environment,
    home: home.folder,
    clock,
    random: () => 0,
  };
  const place = ['completion', 'simulate', undefined].includes(words[0]) ? [] : ['--storage', home.folder];
  const ended = runCommandLine([...words, ...place], terminal).then((status) => ({ status, ...said }));
  return { said, ended };
}
