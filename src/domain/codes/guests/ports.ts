// The interface that guests need from the storage.
import type { OldFile } from '../file-age.ts';
import type { Guest } from './guest.ts';

/** Guests across restarts. Every call throws retry (`storage-failed`). */
export interface GuestStore {
  all(): readonly Guest[];
  /** On the disk when it returns. */
  save(guest: Guest): void;
  erase(id: string): void;
  /** Why the guests of the file are proposals; null: they are not. */
  oldFile(): OldFile | null;
  saveOldFile(old: OldFile | null): void;
}
