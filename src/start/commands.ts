// Commands of the terminal that its own modules do not have: those of features, and the simulator.
import { featureCommands } from '../cli/feature-commands.ts';
import { addFeatureCommands } from '../features/terminal.ts';
import { simulateCommand } from './simulate-command.ts';

export function addCommands(): void {
  addFeatureCommands();
  featureCommands.add('simulator', { after: 'panel', of: (_terminal, end) => simulateCommand(end) });
}
