// Outcomes of a linking as a fixed list, so that a page never shows text from a request.
import { LatchkeyError } from '../support/errors.ts';
import type { LinkRefusal } from './link-machine.ts';

/** The refusals of the machine, and the outcomes of the exchange. */
export type LinkOutcome =
  | LinkRefusal
  | 'linked'
  | 'not-the-address'
  /** The code was used, or it is too old. */
  | 'code-refused'
  | 'misconfigured'
  | 'unreachable'
  | 'paused'
  | 'answer-lost'
  /** A newer linking began during the exchange, or the account was unlinked. */
  | 'overtaken'
  | 'not-owner'
  | 'failed';

/** The outcome and the next step. The redirected address is never repeated: it holds the code. */
export const OUTCOME_WORDS: Readonly<Record<LinkOutcome, string>> = {
  linked: 'The account is linked.',
  'nothing-waits':
    'No linking is under way. Start it, open the address it gives, then paste where you were sent.',
  'state-missing':
    'The address has no "state". Paste the whole address from the browser, up to its last character.',
  'state-foreign':
    'The address belongs to another linking. Use the newest authorize address, then paste where you were sent.',
  'too-old': 'That took longer than 10 minutes. Start linking again.',
  used: 'This address was used already. If linking did not succeed, start again.',
  denied: 'Access was denied on the page of the lock service. Start again and choose to allow it.',
  'client-refused':
    'The lock service does not let this client link accounts. Compare the client id with the partner agreement, then start linking again.',
  'scope-refused':
    'The lock service does not grant what was asked for (openid and email). Ask the partner to allow both for this client, then start linking again.',
  'request-refused':
    'The lock service refused the request. Compare client id and redirect URI with the partner agreement, then start linking again.',
  'service-stumbled': 'The lock service failed on its own page. Wait a moment, then start linking again.',
  'code-missing': 'The address holds no code. Start linking again.',
  'not-the-address':
    'This is not the address of the redirect URI. Paste the whole address that the browser shows after you allowed access.',
  'code-refused': 'The code was used already, or it is too old. Start linking again.',
  misconfigured:
    'The lock service does not accept what proves the plugin to it. Check client id, client secret, redirect URI and addresses, then start linking again.',
  unreachable:
    'The lock service could not be reached, or did not answer as it should. Check the network, then start linking again.',
  paused: 'The lock service asked for a pause. Wait a few minutes, then start linking again.',
  'answer-lost': 'The answer of the lock service was lost. Start linking again.',
  overtaken:
    'Linking was started again meanwhile, or the account was unlinked, so this answer was not taken. Use the newest authorize address, or start linking again.',
  'not-owner': 'Another process owns the account at the moment. Start linking again.',
  failed: 'Linking failed. Start it again; the log of the plugin says more.',
};

export function isLinkOutcome(word: unknown): word is LinkOutcome {
  return typeof word === 'string' && Object.hasOwn(OUTCOME_WORDS, word);
}

/** The outcome for an error from any source. */
export function outcomeOf(error: unknown): Exclude<LinkOutcome, 'linked'> {
  if (!(error instanceof LatchkeyError)) {
    return 'failed';
  }
  const reason: unknown = Reflect.get(error, 'reason');
  if (isLinkOutcome(reason) && reason !== 'linked') {
    return reason;
  }
  switch (error.code) {
    case 'refused':
      return 'code-refused';
    case 'bad-configuration':
      return 'misconfigured';
    case 'unreachable':
    case 'timed-out':
    case 'server-fault':
      return 'unreachable';
    case 'rate-limited':
      return 'paused';
    case 'reply-lost':
      return 'answer-lost';
    case 'not-owner':
      return 'not-owner';
    default:
      return 'failed';
  }
}
