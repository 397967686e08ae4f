// The error for an id or a name that nothing in the simulated house has.

/** A call named a device, user, role, access code or booking that does not exist. */
export class UnknownIdError extends Error {
  override readonly name = 'UnknownIdError';

  constructor(what: string, id: string) {
    super(`No ${what} with the id "${id}" in this world`);
  }
}
