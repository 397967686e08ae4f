// Checks which process owns the account, and opens it: through that owner, or directly.

import type { Account } from '../../installation/installation.ts';
import { ownerOf } from '../../ownership/owner-search.ts';
import { LatchkeyError, messageOf } from '../../support/errors.ts';
import { silentLog } from '../../support/log.ts';
import { type AccountTool, openAsTool } from '../../tools/account-tool.ts';
import { t } from '../../words/translate.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CHECKS, type Finding, fault, fine, note, warning } from './finding.ts';

/** A healthy owner answers at once; after this a hung owner is skipped, in milliseconds (our choice). */
const OWNER_WITHIN_MS = 10_000;

/** Null, with the finding emitted, when the account cannot be opened. Rejects only when stopped. */
export async function openedTool(
  { config, folder }: Pick<Account, 'folder' | 'config'>,
  { clock, random, stopped }: Terminal,
  emit: (finding: Finding) => void,
): Promise<AccountTool | null> {
  const place = { config, homebridgeFolder: folder, clock, log: silentLog };
  const timeout = new AbortController();
  const cancel = clock.after(OWNER_WITHIN_MS, () => timeout.abort(new Error('No answer in time')));
  try {
    const holder = ownerOf(place);
    const signal = AbortSignal.any([stopped, timeout.signal]);
    const tool = await openAsTool({ ...place, random, signal }).catch((error: unknown) => {
      if (holder === null || !timeout.signal.aborted) {
        throw error;
      }
      return null;
    });
    emit(ownerFinding(tool, holder?.pid ?? null));
    return tool;
  } catch (error) {
    stopped.throwIfAborted();
    emit(openingFault(error));
    return null;
  } finally {
    cancel();
  }
}

function openingFault(error: unknown): Finding {
  const isOfDisk = error instanceof LatchkeyError && error.code === 'storage-failed';
  return fault(CHECKS[isOfDisk ? 'storage' : 'owner'], messageOf(error), t('Correct this, then ask again.'));
}

/** `holderPid`: the owner before this process opened the account. */
function ownerFinding(tool: AccountTool | null, holderPid: number | null): Finding {
  if (tool === null) {
    return fault(
      CHECKS.owner,
      t('Process {pid} owns the account and does not answer.', { pid: String(holderPid) }),
      t('Restart Homebridge; what depends on the account was not examined.'),
    );
  }
  if (tool.through === 'owner') {
    return fine(CHECKS.owner, t('Process {pid} owns the account and answers.', { pid: String(holderPid) }));
  }
  return holderPid === null
    ? note(
        CHECKS.owner,
        t('Nobody owns the account: the plugin does not run.'),
        t('Start Homebridge for Apple Home.'),
      )
    : warning(
        CHECKS.owner,
        t('Process {pid} owned the account and ended without giving it back.', { pid: holderPid }),
        t('It was taken over; start Homebridge again, and look into its log if it crashes.'),
      );
}
