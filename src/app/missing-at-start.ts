// Logs in one line why no lock responds, because a person who restarts Homebridge looks into the log.
import type { Log } from '../support/log.ts';
import { lossWords, waitingForCredentials } from '../words/account.ts';
import { t } from '../words/translate.ts';
import type { Composition } from './compose.ts';

/** `isLinkExpected`: whether a person expects the account to be linked, and has not been told otherwise. */
export function logMissing(
  { credentials, clients, storage }: Pick<Composition, 'credentials' | 'clients' | 'storage'>,
  { isLinkExpected, log }: { readonly isLinkExpected: boolean; readonly log: Log },
): void {
  if (credentials.missing.length > 0) {
    log.warn(t(waitingForCredentials(credentials.missing)));
    return;
  }
  const state = clients.session.link.state();
  // A link of a former service was logged when storage was opened.
  if (state !== 'linked' && isLinkExpected && !storage.holdsAnothersTokens()) {
    // Nothing is wrong with an account that waits to be linked; a link that has ended is a loss.
    const level = state === 'unlinked' ? 'info' : 'warn';
    const next = t("Connect one on the plugin's pages, or with: {command}", {
      command: 'npx homebridge-latchkey link',
    });
    log[level](`${lossWords(state)} ${next}`);
  }
}
