// The packed command line beside the plugin of a stage, as a person runs it on the same machine.
import { join } from 'node:path';
import { Running } from './cli/household.ts';
import type { OpenedStage } from './stage.ts';

export class CommandLine {
  readonly #stage: OpenedStage;
  readonly #ran: Running[] = [];

  constructor(stage: OpenedStage) {
    this.#stage = stage;
  }

  /** All output so far, for a search for secrets. */
  get said(): string {
    return this.#ran.map(({ out, err }) => out + err).join('\n');
  }

  /** Runs it to its end, which has to be this one; resolves with its output. */
  async run(args: readonly string[], environment: NodeJS.ProcessEnv = {}, status = 0): Promise<string> {
    const { pluginsFolder, storeFolder } = this.#stage.installation;
    const program = join(pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js');
    const command = ['--disable-warning=ExperimentalWarning', program, ...args, '--storage', storeFolder];
    const running = new Running(process.execPath, command, { ...process.env, ...environment });
    this.#ran.push(running);
    const ended = await running.status();
    if (ended !== status) {
      throw new Error(`latchkey ${args.join(' ')} ended with ${String(ended)}: ${running.out}${running.err}`);
    }
    return running.out;
  }

  /** Ends the programs that still run. */
  end(): void {
    for (const { child } of this.#ran) {
      child.kill('SIGKILL');
    }
  }
}
