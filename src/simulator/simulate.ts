// The command `latchkey simulate`: a simulator on this machine until it is ended, and one line of JSON about it.
import { readFileSync } from 'node:fs';
import { type Simulator, startSimulator } from './partner-server.ts';
import { replay } from './replay.ts';
import { EXAMPLES } from './scenario/examples.ts';
import { readRecording } from './scenario/recording.ts';
import { parseScenario, parseScenarioText, type Scenario, ScenarioError } from './scenario/scenario.ts';

/** The options of the command line. */
export interface SimulateOptions {
  /** 0 or left out: a free one. */
  readonly port?: number;
  /** A scenario file, or the name of an example. */
  readonly scenario?: string;
  readonly seed?: string;
  /** Gives consent by itself, in the name of this user, instead of showing the page. */
  readonly autoApprove?: string;
  /** Ends with standard input as well: the system closes it when the process that started this one ends, however it does. */
  readonly untilInputEnds?: boolean;
}

/** The command's output and its end. */
export interface SimulateTerminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Resolves when the person, or the system, wants an end. */
  readonly stopped: Promise<void>;
  /** Resolves when standard input ends, which is read from now on. */
  readonly inputEnded: () => Promise<void>;
}

/** This process's own terminal: ends on SIGINT and SIGTERM. */
export function processTerminal(): SimulateTerminal {
  return {
    print: (line) => {
      process.stdout.write(`${line}\n`);
    },
    printError: (line) => {
      process.stderr.write(`${line}\n`);
    },
    stopped: new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => {
          resolve();
        });
      }
    }),
    inputEnded: async () => {
      process.stdin.resume();
      await new Promise<void>((resolve) => {
        for (const event of ['end', 'close', 'error'] as const) {
          process.stdin.once(event, () => {
            resolve();
          });
        }
      });
    },
  };
}

/**
 * Runs a simulator until `stopped`, then ends it cleanly. The one line it prints holds addresses, clients with their
 * secrets and keys, users and the public key: all of them simulated. Resolves with the exit status.
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
  terminal.print(JSON.stringify(introduction(simulator)));
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
    const different = differences.map(({ recorded, status, answer }) => ({ recorded, status, answer }));
    terminal.print(JSON.stringify({ replayed, skipped, different }));
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

function introduction(simulator: Simulator): Record<string, unknown> {
  const { url, authUrl, baseUrl, credentialsBaseUrl, controlUrl, productSegment } = simulator;
  const { clients, users, credentialingUsers, publicKeyPem } = simulator;
  return {
    url,
    authUrl,
    baseUrl,
    credentialsBaseUrl,
    controlUrl,
    productSegment,
    clients,
    users,
    credentialingUsers,
    publicKeyPem,
  };
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
