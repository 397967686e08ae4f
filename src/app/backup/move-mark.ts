// Reads how an account was moved or restored from its file, whoever owns it.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type MoveMark, moveMarkIn } from '../../storage/account-copy.ts';
import { openStorage } from '../../storage/storage.ts';
import { accountPlace } from '../account/place.ts';
import type { OwnerSearchParts } from '../ownership/owner-search.ts';

/** Null without one, and for an account that was never opened. Throws as `openStorage` does. */
export function moveMarkOf({ config, homebridgeFolder, clock, log }: OwnerSearchParts): MoveMark | null {
  const { databaseFile } = accountPlace(homebridgeFolder, config);
  if (!existsSync(databaseFile)) {
    return null;
  }
  const storage = openStorage({ path: databaseFile, clock, log, ownerId: randomUUID() });
  try {
    return moveMarkIn(storage.settings);
  } finally {
    storage.close();
  }
}
