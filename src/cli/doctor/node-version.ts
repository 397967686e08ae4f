// Checks the version of Node against the plugin's supported range.
import { isInRange } from '../../support/versions.ts';
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
