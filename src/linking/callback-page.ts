// Builds the page at the OAuth callback: fixed words for each outcome of a fixed list.
import { createHash } from 'node:crypto';
import { LINKING_WORDS } from '../words/linking.ts';
import { inLanguage, languageCode, readerLanguage, t } from '../words/translate.ts';
import type { LinkOutcome } from './link-outcome.ts';

/** Everything about an answer but how it is sent. */
export interface CallbackAnswer {
  /** The server counts by this, and limits `not-linked`. `page`: a page that shows how a linking ended. */
  readonly kind: 'linked' | 'not-linked' | 'page';
  /** 303: redirects to the page's address, which contains only the outcome. */
  readonly status: 200 | 303 | 400;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The only member of the query of the page's own address. */
export const OUTCOME_MEMBER = 'outcome';

const STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:15vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.25}';

/** No script, no foreign content, no frame; the one style by its hash. The page is not cached and sends no referrer. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/**
 * Sends the browser on from the address that holds the code to one that does not, which is all that its history keeps.
 * The new address is relative, so that it is right behind every proxy.
 */
export function sentOn(outcome: LinkOutcome): CallbackAnswer {
  return {
    kind: outcome === 'linked' ? 'linked' : 'not-linked',
    status: 303,
    headers: { ...HEADERS, location: `?${OUTCOME_MEMBER}=${outcome}` },
    body: '',
  };
}

/** In the reader's language. */
export function outcomePage(outcome: LinkOutcome): CallbackAnswer {
  return inLanguage(readerLanguage(), () => pageOf(outcome));
}

function pageOf(outcome: LinkOutcome): CallbackAnswer {
  const linked = outcome === 'linked';
  const title = linked ? t('Connected') : t('Not connected');
  const words = linked ? t('You can close this tab and return to Homebridge.') : t(LINKING_WORDS[outcome]);
  return {
    kind: 'page',
    status: linked ? 200 : 400,
    headers: HEADERS,
    body: `<!doctype html>
<html lang="${languageCode()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - Latchkey</title>
<style>${STYLE}</style>
<h1>${linked ? t('Account connected.') : t('Account not connected.')}</h1>
<p>${words}</p>
</html>
`,
  };
}
