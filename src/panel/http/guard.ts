// Checks every request to the dashboard first: sets security headers, and refuses requests of other pages.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Message, message } from '../../domain/language/message.ts';
import type { Clock } from '../../support/clock.ts';
import { FinalError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { answerError, isForScript } from './answers.ts';
import { type CallerRefusal, judgeCaller } from './caller-policy.ts';
import type { PanelPlace } from './place.ts';

/** Allows only our own files, nothing inline and no frames, and blocks use by other origins. */
const BINDING_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Misdirected: this server does not speak for that host (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;
const FORBIDDEN = 403;

const REFUSALS: Readonly<Record<CallerRefusal, { readonly status: number; readonly words: Message }>> = {
  'foreign-host': {
    status: MISDIRECTED,
    words: message(
      'The dashboard does not answer to this name. Open it at an address that "{command}" prints.',
      { command: 'npx homebridge-latchkey panel' },
    ),
  },
  'foreign-origin': { status: FORBIDDEN, words: message('Only the pages themselves may ask for this.') },
  'foreign-page': { status: FORBIDDEN, words: message('Only the pages themselves may ask for this.') },
  tunnel: {
    status: FORBIDDEN,
    words: message(
      'The dashboard only accepts connections from this computer, and this request came through a proxy or tunnel. Take the dashboard out of it; {page} says how to reach it from elsewhere.',
      { page: 'docs/panel.md' },
    ),
  },
};

/** The same line is logged again only after this, in milliseconds (our choice): strangers must not be able to fill it. */
const ADVICE_EVERY_MS = 3_600_000;

export function guardPanel(app: FastifyInstance, place: PanelPlace, clock: Clock, log: Log): void {
  const advisedAt = new Map<CallerRefusal, number>();
  const advise = (refusal: CallerRefusal, words: Message): void => {
    const now = clock.monotonic();
    if (now - (advisedAt.get(refusal) ?? Number.NEGATIVE_INFINITY) >= ADVICE_EVERY_MS) {
      advisedAt.set(refusal, now);
      log.warn(t('A request to the dashboard was refused. {why}', { why: words }));
    }
  };
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(BINDING_HEADERS);
    const refusal = judgeCaller(place, callerOf(request));
    if (refusal === null) {
      next();
      return;
    }
    const { status, words } = REFUSALS[refusal];
    advise(refusal, words);
    answerError(request, reply, new FinalError('not-permitted', words), status);
  });
}

function callerOf(request: FastifyRequest): Parameters<typeof judgeCaller>[1] {
  const { rawHeaders, socket, url = '' } = request.raw;
  // Node hands out the first of several.
  const named = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  return {
    method: request.method,
    wants: isForScript(request) ? 'api' : 'page',
    headers: request.headers,
    // An address with a host of its own, as proxies are asked for, names one more.
    hosts: url.startsWith('/') ? named : [...named, url],
    arrived: { address: socket.localAddress, port: socket.localPort },
  };
}
