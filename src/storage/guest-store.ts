// Keeps guests among the secrets, because they hold a PIN: a lock that is added later gets it, too.
import type { GuestStore } from '../domain/code-ports.ts';
import type { Guest } from '../domain/guest.ts';
import { isObject } from '../support/foreign-json.ts';
import type { KeptValues } from './settings.ts';

const GUEST = 'guest:';

export class KeptGuestStore implements GuestStore {
  readonly #secrets: KeptValues;

  constructor(secrets: KeptValues) {
    this.#secrets = secrets;
  }

  all(): readonly Guest[] {
    return [...this.#secrets.all()]
      .filter(([key]) => key.startsWith(GUEST))
      .map(([, value]) => value)
      .filter(isGuest);
  }

  save(guest: Guest): void {
    this.#secrets.write(GUEST + guest.id, guest);
  }

  erase(id: string): void {
    this.#secrets.erase(GUEST + id);
  }
}

/** Only this class writes these values; what another version wrote is left alone. */
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
