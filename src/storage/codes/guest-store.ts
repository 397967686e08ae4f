// Keeps guests among the secrets, because they hold a PIN: a lock that is added later gets it, too.

import type { Guest } from '../../domain/codes/guests/guest.ts';
import type { GuestStore } from '../../domain/codes/guests/ports.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { type Values, valuesUnder } from '../account/settings.ts';

const GUEST = 'guest:';

export class KeptGuestStore implements GuestStore {
  readonly #secrets: Values;

  constructor(secrets: Values) {
    this.#secrets = secrets;
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
