// Checks that the account's folder is private to its user and writable.
import { existsSync } from 'node:fs';
import type { Account } from '../../app/account/installation.ts';
import { inspectStorage, type StorageFault } from '../../app/account/storage-inspection.ts';
import { outsideWithoutReason } from '../../app/account/storage-place.ts';
import { storageTrouble } from '../../app/account/storage-probe.ts';
import { t } from '../../words/translate.ts';
import { CHECKS, type Finding, fault, fine, warning } from './finding.ts';

/** `isOpenable`: no finding prevents opening the account. */
export function examineStorage({ config, folder }: Pick<Account, 'folder' | 'config'>): {
  readonly isOpenable: boolean;
  readonly findings: readonly Finding[];
} {
  const outside = outsideWithoutReason(config, folder);
  if (outside !== null) {
    return { isOpenable: false, findings: [fault(CHECKS.storage, outside.what, outside.remedy)] };
  }
  const missing = config.storagePath;
  if (missing !== null && !existsSync(missing)) {
    // The check creates nothing: a mistyped path would otherwise produce an empty account.
    const advice = t('The plugin makes it when it starts. If it should be there, correct {option}.', {
      option: 'storage.path',
    });
    const what = t('{path} does not exist.', { path: missing });
    return { isOpenable: false, findings: [warning(CHECKS.storage, what, advice)] };
  }
  const faults = inspectStorage(config, folder);
  const isOurs = faults.every(({ repairsItself }) => repairsItself);
  const trouble = isOurs ? storageTrouble(config, folder) : null;
  const findings = [
    ...faults.map(storageFinding),
    ...(trouble === null ? [] : [fault(CHECKS.storage, trouble.what, trouble.remedy)]),
  ];
  return {
    isOpenable: isOurs && trouble === null,
    findings:
      findings.length === 0
        ? [fine(CHECKS.storage, t('For its owner alone, and it takes what is written.'))]
        : findings,
  };
}

function storageFinding({ path, what, remedy, repairsItself }: StorageFault): Finding {
  return repairsItself
    ? warning(
        CHECKS.storage,
        `${path} ${what}.`,
        t('It is put right whenever the account is opened: {remedy}', { remedy }),
      )
    : fault(CHECKS.storage, `${path} ${what}.`, t('Put it right: {remedy}', { remedy }));
}
