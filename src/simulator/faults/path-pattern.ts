// Patterns of paths: `*` for one segment, `**` for any number of them.

/** Whether a text can match any path at all. */
export function isPathPattern(text: string): boolean {
  return text.startsWith('/') || text.startsWith('**');
}

/** Whether a pattern fits a whole path; the path has no query. */
export function fitsPath(pattern: string, path: string): boolean {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => {
      if (part === '**') {
        return '.*';
      }
      return part === '*' ? '[^/]+' : escape(part);
    })
    .join('');
  return new RegExp(`^${source}$`, 's').test(path);
}

/** `RegExp.escape` is not in every Node this project runs on. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
}
