// A process that contends for an account on request: `open`, `take` and `release` on its input, the results on its output.
import { createInterface } from 'node:readline';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { messageOf } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';

const [path = '', name = ''] = process.argv.slice(2);

const opened: Storage[] = [];

/** Opened by the first order, as all that race do at once. */
function account(): Storage['owner'] {
  const [storage = openStorage({ path, clock: systemClock, log: silentLog })] = opened.splice(0);
  opened.push(storage);
  return storage.owner;
}

const answers: Readonly<Record<string, () => string>> = {
  open: () => {
    account();
    return 'opened';
  },
  take: () => {
    const isOurs = account().take();
    if (isOurs) {
      account().announce(`/run/${name}.sock`);
    }
    return String(isOurs);
  },
  release: () => {
    account().release();
    return 'released';
  },
};

console.log('ready');
for await (const order of createInterface({ input: process.stdin })) {
  try {
    console.log(answers[order]?.() ?? 'unknown order');
  } catch (error) {
    console.log(messageOf(error));
  }
}
opened[0]?.close();
