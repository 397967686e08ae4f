// Phone credentials of the account behind the pages.
import type { CredentialListView, CredentialsView } from '../../src/features/credentials/panel/views.ts';
import type { StandInAccount } from '../stand-ins/account/operations.ts';

/** The account has the credentialing interface, with this login and these credentials. */
export function configureCredentials(
  account: StandInAccount,
  view: CredentialsView = { loginFrom: 'vault', import: null },
  list: CredentialListView = { credentials: [], unreadable: 0 },
): void {
  account.partner = { ...account.partner, credentialsUrl: 'https://credentials.partner.example' };
  account.answers.set('credentials.show', () => view);
  account.answers.set('credentials.list', () => list);
}
