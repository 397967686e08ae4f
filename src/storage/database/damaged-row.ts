// The error of a row that no version of the plugin writes.
import { FinalError } from '../../support/errors.ts';

/** Prefix of the names under which such rows are kept among the secrets; their table and a digest of the row follow. */
export const SET_ASIDE = 'set-aside:';

/** A row holds what no version of the plugin writes. It is set aside, and the call is made again (damaged-rows.ts). */
export class DamagedRow extends FinalError {
  constructor(what: string) {
    super(
      'bad-configuration',
      `The stored account is damaged (${what}); restore a backup, or connect the account again.`,
    );
    this.name = 'DamagedRow';
  }
}
