// Keeps guests among the secrets, because they hold a PIN: a lock that is added later gets it, too.

import type { OldFile } from '../../domain/codes/file-age.ts';
import type { Guest } from '../../domain/codes/guests/guest.ts';
import type { GuestStore } from '../../domain/codes/guests/ports.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { type Values, valuesUnder } from '../account/settings.ts';

const GUEST = 'guest:';
const OLD_FILE = 'old-file';

export class KeptGuestStore implements GuestStore {
  readonly #secrets: Values;
  readonly #settings: Values;

  constructor(secrets: Values, settings: Values) {
    this.#secrets = secrets;
    this.#settings = settings;
  }

  all(): readonly Guest[] {
    return valuesUnder(this.#secrets, GUEST).filter(isGuest);
  }

  save(guest: Guest): void {
    this.#secrets.write(GUEST + guest.id, guest);
  }

  erase(id: string): void {
    this.#secrets.erase(GUEST + id);
  }

  oldFile(): OldFile | null {
    const kept = this.#settings.read(OLD_FILE);
    return isObject(kept) && typeof kept['at'] === 'number' && isReason(kept['because'])
      ? { because: kept['because'], at: kept['at'], madeAt: Number(kept['madeAt'] ?? 0) || null }
      : null;
  }

  saveOldFile(old: OldFile | null): void {
    if (old === null) {
      this.#settings.erase(OLD_FILE);
    } else {
      this.#settings.write(OLD_FILE, old);
    }
  }
}

function isReason(value: unknown): value is OldFile['because'] {
  return value === 'restored' || value === 'sign-in' || value === 'changed';
}

/** Only this class writes these values; it leaves those of another version alone. */
function isGuest(value: unknown): value is Guest {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    isObject(value['draft']) &&
    typeof value['draft']['name'] === 'string' &&
    typeof value['draft']['pin'] === 'string' &&
    isObject(value['draft']['schedule']) &&
    (value['locks'] === 'all' || Array.isArray(value['locks'])) &&
    typeof value['isLeaving'] === 'boolean' &&
    Array.isArray(value['codes'])
  );
}
