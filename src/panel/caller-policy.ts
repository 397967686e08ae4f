// Whether a request may reach the pages at all, by its head alone: called by our name, by our own page, on a straight way.
import { isHostOf, type PanelPlace } from './panel-place.ts';

export type CallerRefusal = 'foreign-host' | 'foreign-origin' | 'foreign-page' | 'tunnel';

/** What the head of a request tells. Names of headers are in lower case. */
export interface Caller {
  readonly method: string;
  /** `api`: for our page's script. `page`: what a person may open, or a file of it. */
  readonly wants: 'api' | 'page';
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Every Host header; more than one means to be read in two ways. */
  readonly hosts: readonly string[];
  /** The end of the connection that is ours. */
  readonly arrived: { readonly address: string | undefined; readonly port: number | undefined };
}

/**
 * What proxies and tunnels write into a request. A panel on loopback is meant for this machine alone, so a request that
 * came from elsewhere is a mistake in the set-up. The login guards the panel where a proxy adds no headers.
 */
const WRITTEN_BY_PROXIES =
  /^(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cdn-loop|x-forwarded(?:-.*)?|(?:cf|fly|ngrok|tailscale|fastly|x-envoy|x-amzn|x-original|x-azure)-.*)$/u;

/** Null: it may. */
export function judgeCaller(place: PanelPlace, caller: Caller): CallerRefusal | null {
  const [host = ''] = caller.hosts;
  if (caller.hosts.length !== 1 || !isHostOf(place, host, caller.arrived)) {
    return 'foreign-host';
  }
  if (place.isLoopback && Object.keys(caller.headers).some((name) => WRITTEN_BY_PROXIES.test(name))) {
    return 'tunnel';
  }
  if (!isOwnOrigin(caller, host)) {
    return 'foreign-origin';
  }
  return isOwnPage(caller) ? null : 'foreign-page';
}

/** Browsers name the origin of whatever is not a mere look; a look that names one must name ours, too. */
function isOwnOrigin({ method, headers: { origin } }: Caller, host: string): boolean {
  if (origin === undefined) {
    return method === 'GET';
  }
  return origin === new URL(`http://${host}`).origin;
}

/** Browsers also say who asks. A person may come from anywhere and open the page; its files and data are for itself. */
function isOwnPage({ method, wants, headers }: Caller): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') {
    return true;
  }
  const isOpening = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && wants === 'page' && isOpening;
}
