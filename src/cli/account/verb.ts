// A command such as `latchkey locks` or `latchkey codes add LOCK NAME`: its names, the common options, and the account it works on.
import { Command } from 'commander';
import type { ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  withAccount,
  withCommonOptions,
} from './account-command.ts';

/** `words`: the arguments for the names, in their order; an optional one may be missing at the end. */
export type Verb<Flags extends CommonFlags> = (
  context: CommandContext,
  flags: Flags,
  words: readonly string[],
) => Promise<ExitStatus>;

export type DefineVerb<Flags extends CommonFlags> = (
  name: string,
  description: string,
  names: readonly string[],
  run: Verb<Flags>,
) => Command;

export function verbs<Flags extends CommonFlags = CommonFlags>(
  terminal: Terminal,
  end: End,
): DefineVerb<Flags> {
  return (name, description, names, run) => {
    const command = withCommonOptions(new Command(name)).description(description);
    for (const argument of names) {
      command.argument(argument);
    }
    return command.action(async (...given: readonly unknown[]) => {
      const words = given.slice(0, names.length).filter((word) => typeof word === 'string');
      const flags = command.opts<Flags>();
      end(await withAccount(terminal, flags, async (context) => run(context, flags, words)));
    });
  };
}
