// How connecting an account ended, one sentence for each outcome, with the next step.
import { message } from '../domain/language/message.ts';

/** The outcome and the next step. The redirected address is never repeated: it holds the code. */
export const LINKING_WORDS = {
  linked: message('Account connected.'),
  'nothing-waits': message(
    'No sign-in is in progress. Start one, open the address it gives, then paste the address you were sent to.',
  ),
  'state-missing': message(
    'The address has no "state". Paste the whole address from the browser, up to its last character.',
  ),
  'state-foreign': message(
    'The address belongs to another sign-in. Open the newest sign-in address, then paste the address you were sent to.',
  ),
  'too-old': message('That took longer than 10 minutes. Start again.'),
  used: message('This address was used already. If the account is not connected, start again.'),
  denied: message('You denied access. Try again and choose Allow.'),
  'client-refused': message(
    'The lock service does not let this client connect accounts. Compare the client ID with the partner agreement, then start again.',
  ),
  'scope-refused': message(
    'The lock service does not grant what was asked for (openid and email). Ask the partner to allow both for this client, then start again.',
  ),
  'request-refused': message(
    'The lock service refused the request. Compare the client ID and the redirect URI with the partner agreement, then start again.',
  ),
  'service-stumbled': message('The lock service failed on its own page. Wait a moment, then start again.'),
  'code-missing': message('The address holds no code. Start again.'),
  'sign-in-required': message(
    'The lock service wants you to sign in first. Start again, sign in on its page, and allow access.',
  ),
  'refresh-token-missing': message(
    'The lock service gave access for an hour only: its answer holds no refresh token. Ask the partner to allow refresh tokens for this client, then start again.',
  ),
  'other-token-type': message(
    'The lock service gave a token of another type than Bearer, which can’t be used here. Ask the partner to issue Bearer tokens to this client, then start again.',
  ),
  'not-the-address': message(
    'This is not the address of the redirect URI. Paste the whole address that the browser shows after you allowed access.',
  ),
  'code-refused': message('The code was used already, or it is too old. Start again.'),
  misconfigured: message(
    "The lock service rejected this plugin's credentials. Check the client ID, client secret, redirect URI and addresses, then start again.",
  ),
  unreachable: message(
    'The lock service could not be reached, or did not answer as it should. Check the network, then start again.',
  ),
  paused: message('The lock service asked for a pause. Wait a few minutes, then start again.'),
  'answer-lost': message('The answer of the lock service was lost. Start again.'),
  overtaken: message(
    'A newer sign-in was started, or the account was disconnected, so this answer was not used. Open the newest sign-in address, or start again.',
  ),
  'not-owner': message('Another process owns the account at the moment. Start again.'),
  failed: message('Connecting failed. Start again; the log of the plugin says more.'),
} as const;
