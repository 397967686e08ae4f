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
    return found[0] === least[0] && compare(found, least) >= 0;
  });
}

function numbers(text: string): readonly number[] {
  return (/\d+(?:\.\d+)*/u.exec(text)?.[0] ?? '').split('.').map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const different = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return different === undefined ? 0 : (a[different] ?? 0) - (b[different] ?? 0);
}
