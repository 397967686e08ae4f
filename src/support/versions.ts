// Compares versions, and says whether one of Node lies in a range as package.json writes it.

/** Supports carets joined by ||, as used in package.json: same major version, not older. */
export function isInRange(version: string, range: string): boolean {
  const found = numbers(version);
  return range.split('||').some((part) => {
    const least = numbers(part);
    return Number.parseInt(found, 10) === Number.parseInt(least, 10) && !isOlder(found, least);
  });
}

function numbers(text: string): string {
  return /\d+(?:\.\d+)*/u.exec(text)?.[0] ?? '';
}

/** Of numbers joined by dots. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
