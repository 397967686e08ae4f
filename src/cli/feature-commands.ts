// Commands that features bring to the terminal, and the simulator.
import type { Command } from 'commander';
import { Additions } from '../support/additions.ts';
import type { End } from './account/account-command.ts';
import type { Terminal } from './terminal/terminal.ts';

export const featureCommands = new Additions<(terminal: Terminal, end: End) => Command>();
