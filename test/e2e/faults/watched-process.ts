// Loaded into a process before anything else (`--import`): prints a line about every uncaught exception or rejection.
import { writeSync } from 'node:fs';

/** What a test looks for. */
export const UNCAUGHT = 'NOBODY CAUGHT';

/** A monitor changes nothing of what the process does next; rejections without a listener pass here, too. */
process.on('uncaughtExceptionMonitor', (error, origin) => {
  writeSync(2, `${UNCAUGHT} ${origin}: ${String(error).replaceAll('\n', ' ')}\n`);
});
