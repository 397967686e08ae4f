// Keeps the files of the dashboard, so that an installed page can say that it is offline: it holds nothing of any lock.

/** What of a service worker's surroundings is used: the types of workers and of pages exclude each other. */
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

const CACHE = 'latchkey-pages';

/** The page and its files; calls of the account are never kept. */
const KEPT = /^\/$|\.(?:js|css|svg|png|webmanifest)$/u;

function isScope(value: unknown): value is Scope {
  return typeof value === 'object' && value !== null && 'skipWaiting' in value && 'clients' in value;
}

addEventListener('install', (event) => {
  const scope: unknown = globalThis;
  if (isScope(scope)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of a service worker
    (event as Lasting).waitUntil(keepPage().then(async () => scope.skipWaiting()));
  }
});

addEventListener('activate', (event) => {
  const scope: unknown = globalThis;
  if (isScope(scope)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of a service worker
    (event as Lasting).waitUntil(scope.clients.claim());
  }
});

addEventListener('fetch', (event) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of a service worker
  const fetching = event as Fetching;
  const { request } = fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'GET' && origin === location.origin && KEPT.test(pathname)) {
    fetching.respondWith(freshOrKept(request));
  }
});

/** The page with the files that it names, before it is shown for the first time without a network. */
async function keepPage(): Promise<void> {
  const cache = await caches.open(CACHE);
  const page = await ask('./');
  const files = (await page.clone().text()).matchAll(/(?:src|href)="(\.\/[^"]+)"/gu);
  await cache.put('./', page);
  await Promise.all([...files].map(async ([, file = './']) => cache.add(file)));
}

/** The network first: what is kept is older. Of another version of the page, its files are no longer wanted. */
async function freshOrKept(request: Request): Promise<Response> {
  try {
    // Asked by its address: as a visit from another page's link the panel refuses what a worker passes on.
    const answer = await ask(request.mode === 'navigate' ? request.url : request);
    if (answer.ok) {
      const cache = await caches.open(CACHE);
      const known = await cache.match(request);
      if (request.mode === 'navigate' && known?.headers.get('etag') !== answer.headers.get('etag')) {
        await caches.delete(CACHE);
        await (await caches.open(CACHE)).put(request, answer.clone());
      } else {
        await cache.put(request, answer.clone());
      }
    }
    return answer;
  } catch {
    return (await caches.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}

async function ask(request: RequestInfo): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the browser's own, on the page's own origin
  return fetch(request);
}
