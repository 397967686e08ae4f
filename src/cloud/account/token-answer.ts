// Judges an answer of the token endpoint: tokens, or an error with the remedy.
import { type Message, message } from '../../domain/language/message.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { FinalError, type LatchkeyError, RelinkError, RetryError, WaitError } from '../../support/errors.ts';
import { decodeError } from '../../wire/error-codec.ts';
import {
  type DecodedTokens,
  decodeOAuthError,
  decodeTokens,
  type OAuthError,
} from '../../wire/oauth-codec.ts';
import { LOSSES } from '../../words/account.ts';
import { LINKING_WORDS } from '../../words/linking.ts';
import { type HttpAnswer, jsonOf } from '../http/exchange.ts';
import { askedWaitMs, waitCodeOf } from '../http/limits.ts';
import { UnexplainedRefusal } from './unexplained-refusals.ts';

export function tokensOf({ status, text }: HttpAnswer): DecodedTokens | null {
  return status >= 200 && status < 300 ? decodeTokens(jsonOf(text)) : null;
}

/** Whether a text is a token answer with both tokens: nothing that may follow can change it. */
export function holdsPair(text: string): boolean {
  return (decodeTokens(jsonOf(text))?.refreshToken ?? null) !== null;
}

export function exchangeRefusal(answer: HttpAnswer, now: Instant): LatchkeyError {
  const tokens = tokensOf(answer);
  if (tokens !== null) {
    return new FinalError(
      'refused',
      tokens.isBearer ? LINKING_WORDS['refresh-token-missing'] : LINKING_WORDS['other-token-type'],
      { reason: tokens.isBearer ? 'refresh-token-missing' : 'other-token-type' },
    );
  }
  const error = oauthErrorOf(answer);
  if (error === 'invalid_grant') {
    return new FinalError('refused', message('The code was used already, or it is too old. Start again.'));
  }
  if (error === null && leadsElsewhere(answer)) {
    return new FinalError('bad-configuration', addressWords(answer.status));
  }
  return clientFault(error) ?? passingFault(answer, now);
}

export function refreshRefusal(answer: HttpAnswer, now: Instant): LatchkeyError {
  const error = oauthErrorOf(answer);
  const fault = clientFault(error);
  if (fault !== null) {
    return fault;
  }
  if (error === 'invalid_grant') {
    // Specification, Flow 7: 401 where the refresh token is past its life.
    const code = answer.status === 401 ? 'expired' : 'revoked';
    return new RelinkError(code, LOSSES[code]);
  }
  return answer.status === 401 ? new UnexplainedRefusal() : passingFault(answer, now);
}

/** An OAuth error comes with 400 or 401 (RFC 6749, 5.2): the same words with another status are those of a gateway. */
function oauthErrorOf({ status, text }: HttpAnswer): OAuthError | null {
  return status === 400 || status === 401 ? decodeOAuthError(jsonOf(text)) : null;
}

function clientFault(error: OAuthError | null): FinalError | null {
  if (error === null || error === 'invalid_grant') {
    return null;
  }
  const isUnknown = error === 'invalid_client' || error === 'unauthorized_client';
  return new FinalError(
    'bad-configuration',
    isUnknown
      ? message(
          "The service does not know this client ({error}); check client id and client secret on the plugin's pages or in config.json.",
          { error },
        )
      : message(
          "The service does not accept the request ({error}); check client id and client secret on the plugin's pages or in config.json, and the redirect URI in config.json.",
          { error },
        ),
  );
}

/** A page of a gateway: neither empty nor JSON, so the service did not write it. */
function isPage({ text }: HttpAnswer): boolean {
  return text.trim() !== '' && jsonOf(text) === undefined;
}

/** No authorization server is known to write these. */
export function isStrange(answer: HttpAnswer): boolean {
  const isEmptySuccess = answer.status < 300 && tokensOf(answer) === null;
  return isEmptySuccess || leadsElsewhere(answer) || isPage(answer);
}

function leadsElsewhere({ status }: HttpAnswer): boolean {
  return status === 404 || (status >= 300 && status < 400);
}

function addressWords(status: number): Message {
  return message(
    'The address of the authorization server leads elsewhere (HTTP {status}); check it in the configuration.',
    { status: String(status) },
  );
}

/** All other answers pass: a proxy's page, a fault, an unreadable success, a gateway's single 404 or redirect. */
function passingFault(answer: HttpAnswer, now: Instant): LatchkeyError {
  const { text } = answer;
  const status = String(answer.status);
  const waitMs = askedWaitMs(answer, decodeError(jsonOf(text)).sentence, now);
  if (waitMs !== null) {
    return new WaitError(
      waitCodeOf(answer.status),
      message('The authorization server asked for a pause (HTTP {status}).', { status }),
      waitMs,
    );
  }
  const words = leadsElsewhere(answer)
    ? addressWords(answer.status)
    : message('The authorization server did not answer as it should (HTTP {status}).', { status });
  return new RetryError('server-fault', words);
}
