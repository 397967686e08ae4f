// Checks the version of Node against the plugin's supported range.
import { t } from '../../words/translate.ts';
import { type Finding, fault, fine } from './finding.ts';

/** `version` such as "v24.1.0"; `range` as in package.json: "^22.19.0 || ^24.0.0". */
export function nodeFinding(version: string, range: string): Finding {
  return isInRange(version, range)
    ? fine('node', `Node ${version}.`)
    : fault(
        'node',
        t('Node {version} is not supported.', { version }),
        t('Install one of {versions}.', { versions: range }),
      );
}

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

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
