// Decides by a request's head whether it may reach the pages: by our host name, from our own page, without a proxy.
import { isBehindProxy, isHostOf, originAt, type PanelPlace } from './place.ts';

export type CallerRefusal = 'foreign-host' | 'foreign-origin' | 'foreign-page' | 'tunnel';

/** The head of a request. Names of headers are in lower case. */
export interface Caller {
  readonly method: string;
  /** `api`: for our page's script. `page`: a page that a person may open, or a file of it. */
  readonly wants: 'api' | 'page';
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Every Host header; more than one is ambiguous, and refused. */
  readonly hosts: readonly string[];
  /** The end of the connection that is ours. */
  readonly arrived: { readonly address: string | undefined; readonly port: number | undefined };
}

/**
 * Headers that proxies and tunnels add to a request. A panel on loopback is meant for this machine alone, so a request that
 * came from elsewhere is a mistake in the set-up, unless it came under the configured address of a proxy. The login guards
 * the dashboard there, and where a proxy adds no headers.
 */
const WRITTEN_BY_PROXIES =
  /^(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cdn-loop|x-forwarded(?:-.*)?|(?:cf|fly|ngrok|tailscale|fastly|x-envoy|x-amzn|x-original|x-azure)-.*)$/u;

/** Null: it may. */
export function judgeCaller(place: PanelPlace, caller: Caller): CallerRefusal | null {
  const [host = ''] = caller.hosts;
  if (caller.hosts.length !== 1 || !isHostOf(place, host, caller.arrived)) {
    return 'foreign-host';
  }
  const isMarked = Object.keys(caller.headers).some((name) => WRITTEN_BY_PROXIES.test(name));
  if (place.isLoopback && isMarked && !isBehindProxy(place, host)) {
    return 'tunnel';
  }
  if (!isOwnOrigin(place, caller, host)) {
    return 'foreign-origin';
  }
  return isOwnPage(caller) ? null : 'foreign-page';
}

/** Browsers name the origin of every write; a read that names one must name ours, too. */
function isOwnOrigin(place: PanelPlace, { method, headers: { origin } }: Caller, host: string): boolean {
  if (origin === undefined) {
    return isReading(method);
  }
  return origin === originAt(place, host);
}

/** Browsers also name the requesting site. Any site may link to the page; its files and data are for the page itself. */
function isOwnPage({ method, wants, headers }: Caller): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') {
    return true;
  }
  const isOpening = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isReading(method) && wants === 'page' && isOpening;
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
