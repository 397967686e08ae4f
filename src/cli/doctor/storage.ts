// Checks that the account's folder is private to its user and writable.
import { existsSync } from 'node:fs';
import type { Account } from '../../installation/installation.ts';
import { inspectStorage, type StorageFault } from '../../installation/storage-inspection.ts';
import { outsideWarning } from '../../installation/storage-place.ts';
import { setAsideRows, storageTrouble } from '../../installation/storage-probe.ts';
import { t } from '../../words/translate.ts';
import { CHECKS, type Finding, fault, fine, warning } from './finding.ts';

/** `isOpenable`: no finding prevents opening the account. */
export function examineStorage({ config, folder }: Pick<Account, 'folder' | 'config'>): {
  readonly isOpenable: boolean;
  readonly findings: readonly Finding[];
} {
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
  const outside = outsideWarning(config, folder);
  const findings = [
    ...(outside === null
      ? []
      : [
          warning(
            CHECKS.storage,
            outside,
            t('Back it up yourself, or stop Homebridge, move the folder inside and correct {option}.', {
              option: 'storage.path',
            }),
          ),
        ]),
    ...faults.map(storageFinding),
    ...(trouble === null ? [] : [fault(CHECKS.storage, trouble.what, trouble.remedy)]),
    ...(isOurs ? setAsideFindings(setAsideRows(config, folder)) : []),
  ];
  return {
    isOpenable: isOurs && trouble === null,
    findings:
      findings.length === 0
        ? [fine(CHECKS.storage, t('For its owner alone, and it takes what is written.'))]
        : findings,
  };
}

/** Rows that no version of the plugin writes, which were put out of the way. */
function setAsideFindings(tables: readonly string[]): readonly Finding[] {
  if (tables.length === 0) {
    return [];
  }
  const what = t(
    '{count, plural, one {A damaged row is} other {# damaged rows are}} set aside: {tables}. Everything else is used.',
    { count: tables.length, tables: [...new Set(tables)].join(', ') },
  );
  const advice = t(
    'What it held is missing until you enter it again or restore a backup. Look into the system’s log for errors of the disk.',
  );
  return [warning(CHECKS.storage, what, advice)];
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
