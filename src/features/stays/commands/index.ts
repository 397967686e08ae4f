// What the feature brings to the terminal, apart from the rest: the plugin does not load it.
import { featureCommands } from '../../../cli/feature-commands.ts';
import { FEATURE } from '../panel/operations.ts';
import { staysCommand } from './command.ts';

export function addStayCommands(): void {
  featureCommands.add(FEATURE, { after: 'guests', of: staysCommand });
}
