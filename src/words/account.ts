// What is said of the account: whether it is connected, what to do when it is not, and what is missing for it.
import type { LinkState, RuntimeLinkState } from '../domain/account/account.ts';
import { type Message, message } from '../domain/language/message.ts';
import { listWords } from './sentence.ts';
import { t } from './translate.ts';

/** After "The account is", or beside "Account". */
export const LINK_WORDS: Readonly<Record<RuntimeLinkState, Message>> = {
  linked: message('connected'),
  unlinked: message('not connected'),
  revoked: message('disconnected by the service'),
  expired: message('disconnected: the connection has expired'),
  'signed-out': message('signed out everywhere'),
  'used-elsewhere': message('disconnected: the service no longer renews the connection'),
  moved: message('moved to another computer'),
  'other-process': message('in use by another process'),
};

/** The same in two or three words, where there is room for no more. */
export const LINK_BRIEF: Readonly<Record<Exclude<RuntimeLinkState, 'linked'>, Message>> = {
  unlinked: message('No account connected'),
  revoked: message('Account disconnected'),
  expired: message('Account disconnected'),
  'signed-out': message('Account disconnected'),
  'used-elsewhere': message('Account disconnected'),
  moved: message('Moved to another computer'),
  'other-process': message('In use by another process'),
};

type Loss = Exclude<LinkState, 'linked'>;

const USED_ELSEWHERE = message(
  'The lock service no longer renews this connection. Another computer may be using the account, such as one with a restored backup: stop Latchkey there, then connect the account again.',
);

const MOVED = message(
  'This account was moved to another computer with "{command}", so nothing runs here. Connect it here again only when the other one no longer uses it.',
  { command: 'latchkey backup --and-stop' },
);

/** Why nothing can be asked, and what helps. */
export const LOSSES: Readonly<Record<Loss, Message>> = {
  unlinked: message('No lock account is connected.'),
  revoked: message('The lock service disconnected this account. Connect it again.'),
  expired: message('The connection to the lock account has expired. Connect it again.'),
  'signed-out': message('The account was signed out everywhere. Connect it again.'),
  'used-elsewhere': USED_ELSEWHERE,
  moved: MOVED,
};

export function lossWords(link: Loss): string {
  return t(LOSSES[link]);
}

const LOSSES_IN_HOME: Readonly<Record<Loss, Message>> = {
  unlinked: message('No lock account is connected, so Home can’t show or operate any lock.'),
  revoked: message(
    'The lock service disconnected this account. Home shows “No Response” until you connect again.',
  ),
  expired: message(
    'The connection to the lock account has expired. Home shows “No Response” until you connect again.',
  ),
  'signed-out': message(
    'The account was signed out everywhere. Home shows “No Response” until you connect again.',
  ),
  'used-elsewhere': USED_ELSEWHERE,
  moved: MOVED,
};

/** The same with what it means in Home. */
export function lossInHome(link: Loss): string {
  return t(LOSSES_IN_HOME[link]);
}

/** The same sentence where an earlier process has spent the refresh token and never received its successor. */
export const INTERRUPTED = message(
  'The lock account no longer accepts the connection: the plugin was stopped while it was being renewed. Connect the account again.',
);

const CREDENTIALS: Readonly<Record<string, Message>> = {
  'partner.clientId': message('client ID'),
  'partner.clientSecret': message('client secret'),
  'partner.subscriptionKeys': message('subscription key'),
};

/** Credentials that are needed, by the paths of their options: "The client ID and client secret are missing, so ...". */
export function missingWords(missing: readonly string[]): string {
  const names = missing.map((path) => {
    const name = CREDENTIALS[path];
    return name === undefined ? path : t(name);
  });
  return t(
    '{count, plural, one {The {names} is missing, so the service can’t be reached.} other {The {names} are missing, so the service can’t be reached.}}',
    { count: names.length, names: listWords(names) },
  );
}

/** The same for a log, where the options of config.json are what a person looks for. */
export function waitingForCredentials(missing: readonly string[]): Message {
  return message("Waiting for credentials: {options}. Add them on the plugin's pages or in config.json.", {
    options: missing,
  });
}

/** Addresses that are missing in config.json, of the account of that name. */
export function waitingForAddresses(name: string, missing: readonly string[]): Message {
  return message(
    '"{name}" is waiting for service details: {options}. Add them in the plugin\'s settings or config.json.',
    { name, options: missing },
  );
}
