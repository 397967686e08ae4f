// A command such as `latchkey locks` or `latchkey codes add LOCK NAME`: its names, the common options, and the account it works on.
import { Command } from 'commander';
import type { ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type CommandContext,
  type CommandOptions,
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

/** `names`: the arguments, with what they are where the name does not say it. */
export type DefineVerb<Flags extends CommonFlags> = (
  name: string,
  description: string,
  names: readonly (string | readonly [name: string, description: string])[],
  run: Verb<Flags>,
  optionsOf?: (flags: Flags) => CommandOptions,
) => Command;

export function verbs<Flags extends CommonFlags = CommonFlags>(
  terminal: Terminal,
  end: End,
): DefineVerb<Flags> {
  return (name, description, names, run, optionsOf) => {
    const command = withCommonOptions(new Command(name)).description(description);
    for (const argument of names) {
      const [label, what] = typeof argument === 'string' ? [argument] : argument;
      command.argument(label, what);
    }
    return command.action(async (...given: readonly unknown[]) => {
      const words = given
        .slice(0, names.length)
        .flat()
        .filter((word) => typeof word === 'string');
      const flags = command.optsWithGlobals<Flags>();
      const work = async (context: CommandContext): Promise<ExitStatus> => run(context, flags, words);
      end(await withAccount(terminal, flags, work, optionsOf?.(flags)));
    });
  };
}

/** A command that others belong to. */
export function grouped(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) {
    group.addCommand(command);
  }
  return group;
}
