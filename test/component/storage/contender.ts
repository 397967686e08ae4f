// A process that contends for the lease on request: `acquire` and `release` on its input, the results on its output.
import { createInterface } from 'node:readline';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';

const [path = '', ownerId = ''] = process.argv.slice(2);
const storage = openStorage({ path, clock: systemClock, log: silentLog, ownerId });

const answers: Readonly<Record<string, () => string>> = {
  acquire: () => storage.lease.acquire(`/run/${ownerId}.sock`).kind,
  release: () => {
    storage.lease.release();
    return 'released';
  },
};

console.log('ready');
for await (const order of createInterface({ input: process.stdin })) {
  console.log(answers[order]?.() ?? 'unknown order');
}
storage.close();
