// A terminal under a test's control: its output, and a command line that runs in it over the folder of a home.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { freePort } from '../../harness/free-port.ts';
import { openPushedHome, pushOptions } from '../../homes/pushed-home.ts';
import { platformBlock, SimulatedHome } from '../../homes/simulated-home.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The findings of `latchkey doctor --json`. */
export const FINDINGS = z.array(
  z.object({ check: z.string(), grade: z.string(), what: z.string(), advice: z.string().nullable() }),
);

/** Writes the home's config.json, so that a command line finds it. */
export function writeConfig(
  home: Pick<SimulatedHome, 'folder' | 'simulator'>,
  options: Readonly<Record<string, unknown>>,
): void {
  writePlatforms(home, { ...platformBlock(home.simulator), ...options });
}

/** Writes a config.json with these platforms. */
export function writePlatforms({ folder }: Pick<SimulatedHome, 'folder'>, ...platforms: unknown[]): void {
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ platforms }));
}

/** A linked home that a command line finds. */
export async function linkedHome(): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked();
  writeConfig(home, {});
  return home;
}

/** A port of 127.0.0.1 that another program has until the test ends. */
export async function takenPort(): Promise<number> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return port;
}

/** A linked home that is registered for webhooks, with these members of `webhooks` beside the usual ones. */
export async function pushedHome(
  webhooks: Readonly<Record<string, unknown>> = {},
  port?: number,
): Promise<SimulatedHome> {
  const at = port ?? (await freePort());
  const home = await openPushedHome({ port: at, webhooks });
  writeConfig(home, pushOptions(at, webhooks));
  return home;
}

/** Runs `latchkey` with these words, as a process beside the home's would, with an input that is at its end. */
export async function latchkey(home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  return begin(home, words, systemClock).ended;
}

/** What may be otherwise with a terminal. */
export interface Circumstances extends Partial<Omit<Terminal, 'print' | 'printError' | 'home' | 'clock'>> {
  /** The lines that are typed before the input is at its end. */
  readonly typed?: readonly string[];
}

const NEVER = new AbortController().signal;

/** What a file may cost at least, for all who open it. The usual cost is proven beside its form. */
export const LEAST_COST = { log2N: 14, r: 8, p: 1 } as const;

/** Such a terminal, and its output so far. */
export function terminalIn(folder: string, clock: Clock, { typed = [], ...others }: Circumstances = {}) {
  const said = { out: '', err: '' };
  const lines = [...typed];
  const terminal: Terminal = {
    print: (text) => {
      said.out += text;
    },
    printError: (text) => {
      said.err += text;
    },
    readLine: async () => Promise.resolve(lines.shift() ?? null),
    stopped: NEVER,
    unwritable: NEVER,
    environment: {},
    home: folder,
    clock,
    random: () => 0,
    keyCost: LEAST_COST,
    ...others,
  };
  return { terminal, said };
}

/** The same while the command runs: its output so far, and its end. */
export function begin(
  home: Pick<SimulatedHome, 'folder'>,
  words: readonly string[],
  clock: Clock,
  circumstances?: Circumstances,
): { readonly said: Omit<Ran, 'status'>; readonly ended: Promise<Ran> } {
  const { terminal, said } = terminalIn(home.folder, clock, circumstances);
  const isAlone = ['completion', 'simulate', 'relay', undefined].includes(words[0]);
  const place = isAlone ? [] : ['--storage', home.folder];
  const ended = runCommandLine([...words, ...place], terminal).then((status) => ({ status, ...said }));
  return { said, ended };
}

/** Runs it, with a clock of its own, while the home's time goes on. */
export async function inTime(
  home: SimulatedHome,
  words: readonly string[],
  circumstances?: Circumstances,
): Promise<Ran> {
  return during(home, begin(home, words, systemClock, circumstances).ended);
}

/** The home's time goes on in such steps until the work has ended. */
export async function during<T>(home: SimulatedHome, work: Promise<T>, stepMs = () => 250): Promise<T> {
  const state = { isOver: false };
  const over = (): void => {
    state.isOver = true;
  };
  work.then(over, over);
  while (!state.isOver) {
    await home.clock.advance(stepMs());
  }
  return work;
}

/** The end of a command with this status, and with these words in its error stream. */
export function endedWith(status: number, words: RegExp | string) {
  return { status, err: containing(words) };
}

/** Any text with these words in it. */
export function containing(words: RegExp | string): string {
  return (words instanceof RegExp ? expect.stringMatching(words) : expect.stringContaining(words)) as string;
}
