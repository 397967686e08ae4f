// The OAuth callback for a browser: hands code and state to the link attempt, and shows how it ended.
import { type CallbackAnswer, OUTCOME_MEMBER, outcomePage, sentOn } from './callback-page.ts';
import { isLinkOutcome, type LinkOutcome, outcomeOf } from './link-outcome.ts';

/** The server of the registered redirect URI passes on requests to its path, and no others. */
export interface LinkCallback {
  /** The registered redirect URI; its path is served. */
  readonly redirectUri: string;
  /** Answers one GET of that path. `target`: path and query of the request. Never rejects. */
  answer(target: string): Promise<CallbackAnswer>;
}

/** `finish`: ends the linking with a whole redirected address; rejects as `LinkSession.finish` does. */
export function linkCallback(
  redirectUri: string,
  finish: (redirectedUrl: string) => Promise<void>,
): LinkCallback {
  const { origin } = new URL(redirectUri);
  return {
    redirectUri,
    answer: async (target) => {
      // Only path and query are taken from the request, because its Host header is not trusted.
      const url = URL.parse(origin + target);
      const shown = url === null ? null : outcomeIn(url);
      return shown === null ? sentOn(await outcomeFrom(finish(origin + target))) : outcomePage(shown);
    },
  };
}

/** The outcome that the page's own address names; null for every other address. */
function outcomeIn({ searchParams }: URL): LinkOutcome | null {
  const word = searchParams.get(OUTCOME_MEMBER);
  return searchParams.size === 1 && isLinkOutcome(word) ? word : null;
}

async function outcomeFrom(linking: Promise<void>): Promise<LinkOutcome> {
  return linking.then(() => 'linked' as const, outcomeOf);
}
