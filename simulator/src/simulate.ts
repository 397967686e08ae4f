// The command `latchkey simulate`: a simulator on this machine until it is ended, and its output at the start.
import { readFileSync } from 'node:fs';
import { introductionJson, introductionText } from './introduction.ts';
import { type Simulator, startSimulator } from './partner-server.ts';
import { replay } from './replay.ts';
import { EXAMPLES } from './scenario/examples.ts';
import { readRecording } from './scenario/recording.ts';
import { parseScenario, parseScenarioText, type Scenario, ScenarioError } from './scenario/scenario.ts';

export interface SimulateOptions {
  /** The port; 0 or left out: a free one. */
  readonly port?: number;
  /** A scenario file, or the name of an example. */
  readonly scenario?: string;
  readonly seed?: string;
  /** Gives consent by itself, in the name of this user, instead of showing the page. */
  readonly autoApprove?: string;
  /** Ends with standard input as well: the system closes it when the process that started this one ends, however it does. */
  readonly untilInputEnds?: boolean;
  /** One line of JSON at a terminal, too. */
  readonly json?: boolean;
}

/** The command's output and its end. */
export interface SimulateTerminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** A person reads the output; left out: a program does. */
  readonly isTty?: boolean;
  /** Resolves when the person, or the system, wants an end. */
  readonly stopped: Promise<void>;
  /** Resolves when standard input ends, which is read from now on. */
  readonly inputEnded: () => Promise<void>;
}

/** This process's own terminal: ends on SIGINT and SIGTERM. */
function processTerminal(): SimulateTerminal {
  return {
    print: (line) => {
      process.stdout.write(`${line}\n`);
    },
    printError: (line) => {
      process.stderr.write(`${line}\n`);
    },
    isTty: process.stdout.isTTY,
    stopped: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => resolve());
      }
    }),
    inputEnded: async () => {
      process.stdin.resume();
      await new Promise<void>((resolve) => {
        for (const event of ['end', 'close', 'error'] as const) {
          process.stdin.once(event, () => resolve());
        }
      });
    },
  };
}

/**
 * Runs a simulator until `stopped`, then ends it cleanly. At a terminal it prints labelled lines, else one line of JSON
 * with addresses, clients with their secrets and keys, users, calendars and the public key: all simulated. Resolves with the exit status.
 */
export async function simulate(
  options: SimulateOptions,
  terminal: SimulateTerminal = processTerminal(),
): Promise<0 | 1> {
  let simulator: Simulator;
  try {
    simulator = await startSimulator({
      port: options.port ?? 0,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.scenario === undefined ? {} : { scenario: readScenario(options.scenario) }),
      ...(options.autoApprove === undefined
        ? {}
        : { authorization: { autoApproveUserId: options.autoApprove } }),
    });
  } catch (error) {
    terminal.printError(explain(error, options));
    return 1;
  }
  const forPerson = terminal.isTty === true && options.json !== true;
  terminal.print(forPerson ? introductionText(simulator) : introductionJson(simulator));
  await Promise.race([terminal.stopped, ...(options.untilInputEnds === true ? [terminal.inputEnded()] : [])]);
  await simulator.close();
  return 0;
}

/**
 * Lives the recorded log in `path` through again and prints one line of JSON: how many requests were replayed or
 * skipped, and which were answered otherwise. Resolves with 0 when none was, else with 1.
 */
export async function replayLog(
  path: string,
  terminal: Pick<SimulateTerminal, 'print' | 'printError'> = processTerminal(),
): Promise<0 | 1> {
  try {
    const { replayed, skipped, differences } = await replay(readRecording(readFileSync(path, 'utf8'), path));
    terminal.print(JSON.stringify({ replayed, skipped, different: differences }));
    return differences.length === 0 ? 0 : 1;
  } catch (error) {
    terminal.printError(explain(error, { scenario: path }));
    return 1;
  }
}

/** Reads a scenario by an example's name or from a file. Throws a `ScenarioError` or the file system's error. */
export function readScenario(nameOrPath: string): Scenario {
  const example = EXAMPLES.get(nameOrPath);
  return example === undefined
    ? parseScenarioText(readFileSync(nameOrPath, 'utf8'), nameOrPath)
    : parseScenario(example, nameOrPath);
}

function explain(error: unknown, { port = 0, scenario = '' }: SimulateOptions): string {
  if (error instanceof ScenarioError) {
    return error.message;
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${String(port)} is taken. Choose another one with --port, or leave it out for a free one.`;
    case 'EACCES':
      return `Port ${String(port)} is not allowed to this user. Choose one above 1023 with --port.`;
    case 'ENOENT':
      return `There is no file "${scenario}". Scenarios that come along: ${[...EXAMPLES.keys()].join(', ')}.`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
