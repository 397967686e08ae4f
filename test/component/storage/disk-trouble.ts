// A process that writes until its disk takes no more, and says what it saw then. With `mounted` the folder is a disk of
// its own, which is made larger and then read-only.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { LatchkeyError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { tokensOf } from './crash-values.ts';

const [disk = '', mounted] = process.argv.slice(2);

function open(name: string): Storage {
  return openStorage({
    path: join(disk, name, 'house.db'),
    clock: systemClock,
    log: silentLog,
  });
}

function attempt(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    // Everything a log could show of the error, its causes included.
    if (inspect(error, { depth: 10 }).includes(`${written + 1};${written + 1};`)) {
      return 'a token leaked into the error';
    }
    return error instanceof LatchkeyError ? `${error.disposition}: ${error.code}` : String(error);
  }
}

function remount(options: string): void {
  const { status } = spawnSync('mount', ['-o', `remount,${options}`, disk], { stdio: 'inherit' });
  if (status !== 0) {
    throw new Error(`The disk could not be changed: ${options}`);
  }
}

/** Far more than fits on the disk. */
const LIMIT = 10_000;
let written = 0;
const storage = open('house');
const { vault } = storage;
let write = 'done';
while (write === 'done' && written < LIMIT) {
  write = attempt(() => vault.write('linked', tokensOf(written + 1)));
  written += write === 'done' ? 1 : 0;
}
const { generation, tokens } = vault.read();
const full = {
  write,
  probeWrite: attempt(() => {
    vault.beginRenewal('r-1');
  }),
  isLastWrite: generation === written,
  isWhole: JSON.stringify(tokens) === JSON.stringify(tokensOf(written)),
};
if (mounted === undefined) {
  console.log(JSON.stringify({ full }));
} else {
  const openNew = attempt(() => open('another'));
  remount('size=16m');
  const afterRepair = attempt(() => {
    vault.beginRenewal('r-1');
    vault.write('linked', tokensOf(written + 1));
  });
  storage.close();
  remount('ro');
  const openReadOnly = attempt(() => open('house'));
  console.log(JSON.stringify({ full, openNew, afterRepair, openReadOnly }));
}
