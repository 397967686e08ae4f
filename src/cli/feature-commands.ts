// Commands that features bring to the terminal, and the simulator.
import type { Command } from 'commander';
import { Additions } from '../support/additions.ts';
import type { End } from './account/account-command.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface FeatureCommand {
  /** The command of the core that stands before it in the help. */
  readonly after: string;
  readonly of: (terminal: Terminal, end: End) => Command;
}

export const featureCommands = new Additions<FeatureCommand>();

/** The commands of the core, each with those of features that stand behind it. */
export function withFeatureCommands(
  own: readonly Command[],
  terminal: Terminal,
  end: End,
): readonly Command[] {
  return own.flatMap((command) => [
    command,
    ...featureCommands.all
      .filter(({ after }) => after === command.name())
      .map((feature) => feature.of(terminal, end)),
  ]);
}
