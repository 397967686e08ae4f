// What the feature brings to the terminal, apart from the rest: the plugin does not load it.
import { guestKinds } from '../../../cli/codes/guest-kinds.ts';
import { featureCommands } from '../../../cli/feature-commands.ts';
import { FEATURE } from '../panel/operations.ts';
import { BETWEEN_STAYS } from './between-stays.ts';
import { staysCommand } from './command.ts';

export function addStayCommands(): void {
  featureCommands.add(FEATURE, { after: 'guests', of: staysCommand });
  guestKinds.add(FEATURE, BETWEEN_STAYS);
}
