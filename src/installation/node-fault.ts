// Says that Node is too old, where that is why something could not be loaded.
import { isInRange } from '../support/versions.ts';
import { t } from '../words/translate.ts';
import { packageFacts } from './package-facts.ts';

/**
 * For what could not be loaded: a sentence where this version of Node is not supported, else null. Which package fails first
 * on an outdated Node changes with their versions, so the version decides, not the error.
 */
export function nodeFault(version: string): string | null {
  const { nodeRange } = packageFacts();
  return isInRange(version, nodeRange)
    ? null
    : t('Node {version} is too old. Install one of {versions}.', { version, versions: nodeRange });
}
