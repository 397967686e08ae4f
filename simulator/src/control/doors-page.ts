// Serves the built doors page from a folder, read once; without a build, a page that explains how to make one.
import { readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { filesIn } from '../../../src/support/files/files-in.ts';
import { packageRoot } from '../../../src/support/files/package-root.ts';
import { loopbackGuard } from '../auth/loopback-guard.ts';

/** Where the build puts the page. */
const BUILT_PAGE = join(packageRoot(), 'dist', 'web', 'doors');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
} as const;

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Doors</title></head>
<body><main><h1>The doors page is not built</h1>
<p>Run <code>npm run build</code> and start the simulator again. Everything the page can do, the control API can do too:
<a href="/_control/state">state</a>, <a href="/_control/actions">actions</a>.</p></main></body></html>
`;

/** Registers `/` and every file of the page. */
export function doorsPage(
  app: FastifyInstance,
  { directory = BUILT_PAGE }: { readonly directory?: string },
): void {
  const files = readPage(directory);
  app.addHook('onRequest', loopbackGuard);
  for (const [path, { type, bytes }] of files) {
    app.get(path, (_request, reply) => reply.headers(PAGE_HEADERS).header('content-type', type).send(bytes));
  }
}

function readPage(directory: string): Map<string, { type: string; bytes: Buffer }> {
  const page = new Map<string, { type: string; bytes: Buffer }>();
  for (const file of filesIn(directory)) {
    const path = `/${relative(directory, file).split(sep).join('/')}`;
    const type = MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
    page.set(path === '/index.html' ? '/' : path, { type, bytes: readFileSync(file) });
  }
  if (!page.has('/')) {
    page.set('/', { type: 'text/html; charset=utf-8', bytes: Buffer.from(NOT_BUILT) });
  }
  return page;
}
