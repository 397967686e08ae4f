// A disk that takes no writes until it is repaired: seen from the one that writes, another process that never lets go.
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';

/** From now on every write to the database fails with `storage-failed`; the returned function repairs it. */
export function breakDisk(path: string): () => void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN IMMEDIATE');
  const repair = (): void => {
    if (database.isOpen) {
      database.close();
    }
  };
  onTestFinished(repair);
  return repair;
}
