// What is said of the account: whether it is connected, what to do when it is not, and what is missing for it.
import type { LinkState, RuntimeLinkState } from '../domain/account/account.ts';

/** After "The account is", or beside "Account". */
export const LINK_WORDS: Readonly<Record<RuntimeLinkState, string>> = {
  linked: 'connected',
  unlinked: 'not connected',
  revoked: 'disconnected by the service',
  expired: 'disconnected: the connection has expired',
  'signed-out': 'signed out everywhere',
  'used-elsewhere': 'disconnected: the service no longer renews the connection',
  moved: 'moved to another computer',
  'other-process': 'in use by another process',
};

/** The same in two or three words, where there is room for no more. */
export const LINK_BRIEF: Readonly<Record<Exclude<RuntimeLinkState, 'linked'>, string>> = {
  unlinked: 'No account connected',
  revoked: 'Account disconnected',
  expired: 'Account disconnected',
  'signed-out': 'Account disconnected',
  'used-elsewhere': 'Account disconnected',
  moved: 'Moved to another computer',
  'other-process': 'In use by another process',
};

type Loss = Exclude<LinkState, 'linked'>;

const LOSSES: Readonly<Record<Loss, readonly [what: string, advice: string]>> = {
  unlinked: ['No lock account is connected.', ''],
  revoked: ['The lock service disconnected this account.', 'Connect it again.'],
  expired: ['The connection to the lock account has expired.', 'Connect it again.'],
  'signed-out': ['The account was signed out everywhere.', 'Connect it again.'],
  'used-elsewhere': [
    'The lock service no longer renews this connection.',
    'Another computer may be using the account, such as one with a restored backup: stop Latchkey there, then connect the account again.',
  ],
  moved: [
    'This account was moved to another computer with "latchkey backup --and-stop", so nothing runs here.',
    'Connect it here again only when the other one no longer uses it.',
  ],
};

/** Why nothing can be asked, and what helps. */
export function lossWords(link: Loss): string {
  return LOSSES[link].join(' ').trim();
}

/** The same with what it means in Home. */
export function lossInHome(link: Loss): string {
  const [what, advice] = LOSSES[link];
  if (link === 'unlinked') {
    return 'No lock account is connected, so Home can’t show or operate any lock.';
  }
  return `${what} ${advice === 'Connect it again.' ? 'Home shows “No Response” until you connect again.' : advice}`;
}

/** The same sentence where an earlier process has spent the refresh token and never received its successor. */
export const INTERRUPTED_WORDS =
  'The lock account no longer accepts the connection: the plugin was stopped while it was being renewed. Connect the account again.';

const CREDENTIALS: Readonly<Record<string, string>> = {
  'partner.clientId': 'client ID',
  'partner.clientSecret': 'client secret',
  'partner.subscriptionKeys': 'subscription key',
};

/** Credentials that are needed, by the paths of their options: "The client ID and client secret are missing, so ...". */
export function missingWords(missing: readonly string[]): string {
  const names = missing.map((path) => CREDENTIALS[path] ?? path);
  const list = new Intl.ListFormat('en').format(names);
  return `The ${list} ${names.length === 1 ? 'is' : 'are'} missing, so the service can’t be reached.`;
}

/** The same for a log, where the options of config.json are what a person looks for. */
export function waitingForCredentials(missing: readonly string[]): string {
  return `Waiting for credentials: ${missing.join(', ')}. Add them on the plugin's pages or in config.json.`;
}

/** Addresses that are missing in config.json, of the account of that name. */
export function waitingForAddresses(name: string, missing: readonly string[]): string {
  return `"${name}" is waiting for service details: ${missing.join(', ')}. Add them in the plugin's settings or config.json.`;
}
