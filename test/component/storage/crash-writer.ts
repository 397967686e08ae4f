// A process that writes as fast as it can until it is killed; it prints a number once everything of that number is written.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { descriptionOf, tokensOf } from './crash-values.ts';

// It ends by being killed, and would leave the next one nothing of what it has compiled.
flushCompileCache();
const [path = ''] = process.argv.slice(2);
const storage = openStorage({ path, clock: systemClock, log: silentLog });

for (;;) {
  const next = storage.vault.read().generation + 1;
  const begun = storage.journal.begin([{ lockId: lockId('front'), target: 'secured', issuedAt: next }]);
  storage.vault.beginRenewal('r-1');
  storage.vault.write('linked', tokensOf(next));
  storage.knownLocks.save([
    { id: lockId('front'), description: descriptionOf(next), misses: next, missingSince: next },
  ]);
  storage.journal.note(begun.map((journalId) => ({ journalId, outcome: 'moved' })));
  // Synchronous, so that a number is heard exactly when its writes are done.
  writeSync(1, `${next}\n`);
}
