// The same features with their commands, for the terminal alone: the plugin loads none of these.
import { addCredentialCommands } from './credentials/commands/index.ts';
import { addHomeAssistantCommands } from './home-assistant/commands/index.ts';
import { addFeatures } from './index.ts';
import { addMatterCommands } from './matter/commands/index.ts';
import { addStayCommands } from './stays/commands/index.ts';

export function addFeatureCommands(): void {
  addFeatures();
  addCredentialCommands();
  addMatterCommands();
  addHomeAssistantCommands();
  addStayCommands();
}
