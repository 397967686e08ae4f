// A command such as `latchkey locks` or `latchkey codes add LOCK NAME`: one row of names, options, and what it calls and prints.
import { Command } from 'commander';
import type { PanelResults } from '../../panel/socket/panel-client.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
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
export type Verb<Flags extends CommonFlags, Context = CommandContext> = (
  context: Context,
  flags: Flags,
  words: readonly string[],
) => Promise<ExitStatus>;

/** `names`: the arguments, with what they are where the name does not say it. */
export type DefineVerb<Flags extends CommonFlags, Context = CommandContext> = <F extends Flags = Flags>(
  name: string,
  description: string,
  names: readonly (string | readonly [name: string, description: string])[],
  run: Verb<F, Context>,
  optionsOf?: (flags: F) => CommandOptions,
) => Command;

/** Commands within a frame that opens what they work on, and closes it afterwards. */
export function framed<Flags extends CommonFlags, Context>(
  end: End,
  frame: (
    flags: CommonFlags,
    run: (context: Context) => Promise<ExitStatus>,
    options?: CommandOptions,
  ) => Promise<ExitStatus>,
): DefineVerb<Flags, Context> {
  return <F extends Flags>(...row: Parameters<DefineVerb<F, Context>>): Command => {
    const [name, description, names, run, optionsOf] = row;
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
      const flags = command.optsWithGlobals<F>();
      end(await frame(flags, async (context) => run(context, flags, words), optionsOf?.(flags)));
    });
  };
}

/** Commands on an account. */
export function verbs<Flags extends CommonFlags = CommonFlags>(
  terminal: Terminal,
  end: End,
): DefineVerb<Flags> {
  return framed(end, async (flags, run, options) => withAccount(terminal, flags, run, options));
}

/** What a command of one operation sends and says. */
interface Call<Result, Flags> {
  /** What the operation takes; left out, it takes nothing. */
  readonly input?: (words: readonly string[], flags: Flags, tool: AccountTool) => unknown;
  /** The answer for people; `--json` prints it as it is. */
  readonly lines: (result: Result, now: number) => readonly string[];
  /** A line beside the answer; null without one. */
  readonly remark?: (result: Result, tool: AccountTool) => string | null;
  /** Ok if left out. */
  readonly status?: (result: Result) => ExitStatus;
}

/** What a command of one operation does: calls it, prints its answer, and ends. */
export function calling<Name extends keyof PanelResults, Flags extends CommonFlags = CommonFlags>(
  operation: Name,
  { input, lines, remark, status }: Call<PanelResults[Name], Flags>,
): Verb<Flags> {
  return async ({ session, output, terminal }, flags, words) => {
    const tool = await session.tool();
    const result = await tool.call(operation, await input?.(words, flags, tool));
    output.answer(result, lines(result, terminal.clock.now()));
    const said = remark?.(result, tool) ?? null;
    if (said !== null) {
      output.progress(said);
    }
    return status?.(result) ?? EXIT_STATUS.ok;
  };
}

/** A command that others belong to. */
export function grouped(group: Command, commands: readonly Command[]): Command {
  for (const command of commands) {
    group.addCommand(command);
  }
  return group;
}
