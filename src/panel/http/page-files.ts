// Reads the built pages once: their files, types, and validators for the browser's cache.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { filesIn } from '../../support/files/files-in.ts';
import { packageRoot } from '../../support/files/package-root.ts';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, compressed by the build with gzip: the one coding that browsers take over plain HTTP, too. */
  readonly gzipped: Buffer | null;
  /** Changes with the content. */
  readonly etag: string;
  /** Its name changes with the content, so that a browser may keep it for good. */
  readonly isNamedByContent: boolean;
}

/** The pattern of file names from the build: `panel-DxO3k2_a.js`. */
const NAMED_BY_CONTENT = /-[\w-]{8}\.\w+$/u;

/** Where the build puts them, shared with the window of the Homebridge UI, whose `index.html` is a fragment. */
export const BUILT_PAGES = join(packageRoot(), 'dist', 'homebridge-ui', 'public');

const FRAGMENT = 'index.html';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** Files by the path that serves each, such as `/panel.js`; dashboard.html is `/`. Empty without a build. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  return new Map(
    filesIn(folder).flatMap((file) => {
      const type = MEDIA_TYPES[extname(file)];
      return type === undefined || relative(folder, file) === FRAGMENT
        ? []
        : [[pathOf(relative(folder, file)), pageFile(file, type)]];
    }),
  );
}

function pageFile(file: string, type: string): PageFile {
  const bytes = readFileSync(file);
  return {
    type,
    bytes,
    gzipped: existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : null,
    // Weak: it is the same for both forms.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"`,
    isNamedByContent: NAMED_BY_CONTENT.test(file),
  };
}

function pathOf(file: string): string {
  const path = `/${file.split(sep).join('/')}`;
  return path === '/dashboard.html' ? '/' : path;
}
