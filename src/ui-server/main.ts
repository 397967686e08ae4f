// Launches the process behind a window of the Homebridge UI. On a Node that is too old for its packages, one line says so.
import { nodeFault } from '../installation/node-fault.ts';

try {
  await import('./window-process.ts');
} catch (error) {
  const fault = nodeFault(process.version);
  if (fault === null) {
    throw error;
  }
  process.stderr.write(`[Latchkey] ${fault}\n`);
  process.exitCode = 1;
}
