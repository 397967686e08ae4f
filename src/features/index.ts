// The features that a home can do without. Each process adds them before it reads a configuration.
import { addCredentials } from './credentials/index.ts';

export function addFeatures(): void {
  addCredentials();
}
