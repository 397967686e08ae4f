// Reads how an account was moved or restored from its file, whoever owns it.

import { type AccountOnDisk, readStored } from '../ownership/owner-search.ts';
import { type MoveMark, moveMarkIn } from '../storage/account/move-mark.ts';

/** Null without one, and for an account that was never opened. Throws as `openStorage` does. */
export function moveMarkOf(parts: AccountOnDisk): MoveMark | null {
  return readStored(parts, ({ settings }) => moveMarkIn(settings));
}
