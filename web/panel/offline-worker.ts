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

interface WorkerEvents {
  readonly install: Lasting;
  readonly activate: Lasting;
  readonly fetch: Fetching;
}

function on<Type extends keyof WorkerEvents>(type: Type, handle: (event: WorkerEvents[Type]) => void): void {
  addEventListener(type, (event) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of pages know no events of workers
    handle(event as WorkerEvents[Type]);
  });
}

const scope: unknown = globalThis;
if (isScope(scope)) {
  on('install', (event) => event.waitUntil(keepPage().then(async () => scope.skipWaiting())));
  on('activate', (event) => event.waitUntil(scope.clients.claim()));
  on('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method === 'GET' && origin === location.origin && KEPT.test(pathname)) {
      event.respondWith(freshOrKept(request));
    }
  });
}

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
    // Asked by its address: as a visit from another page's link the dashboard refuses what a worker passes on.
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
