// The interface that guests need from the storage.
import type { Guest } from './guest.ts';

/** Guests across restarts. Every call throws retry (`storage-failed`). */
export interface GuestStore {
  all(): readonly Guest[];
  /** On the disk when it returns. */
  save(guest: Guest): void;
  erase(id: string): void;
}
