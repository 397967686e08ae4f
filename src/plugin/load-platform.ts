// Loads the platform. On a Node that is too old for its packages, one line says so, and Homebridge goes on.
import type { API } from 'homebridge';
import { packageFacts } from '../installation/package-facts.ts';
import { isInRange } from '../support/versions.ts';

export async function loadPlatform(api: API): Promise<void> {
  const register = await platform();
  register?.(api);
}

async function platform(): Promise<((api: API) => void) | null> {
  try {
    const { register } = await import('./platform.ts');
    return register;
  } catch (error) {
    const { nodeRange } = packageFacts();
    if (isInRange(process.version, nodeRange)) {
      throw error;
    }
    // In English, as other lines of Homebridge's log: the translations would be a file more to load at each start.
    process.stderr.write(`[Latchkey] Node ${process.version} is too old. Install one of ${nodeRange}.\n`);
    return null;
  }
}
