// The features that a home can do without. Each process adds them before it reads a configuration.
import { addCredentials } from './credentials/index.ts';
import { addHomeAssistant } from './home-assistant/index.ts';
import { addMatter } from './matter/index.ts';
import { addStays } from './stays/index.ts';

export function addFeatures(): void {
  addCredentials();
  addMatter();
  addHomeAssistant();
  addStays();
}
