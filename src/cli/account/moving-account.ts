// What `latchkey backup` and `latchkey restore` share: the account, and where the passphrase comes from.

import type { AccountBlock } from '../../config/account-blocks.ts';
import { accountOf, type Installation } from '../../installation/installation.ts';
import { assertOurs } from '../../installation/storage-inspection.ts';
import type { AccountOnDisk } from '../../ownership/owner-search.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { noLog } from './account-command.ts';

/** The environment keeps a passphrase out of lists of processes and of a shell's history. */
export const PASSPHRASE_VARIABLE = 'LATCHKEY_PASSPHRASE';

export function opened(
  installation: Installation,
  target: AccountBlock,
  terminal: Terminal,
): { readonly block: AccountBlock['block']; readonly parts: AccountOnDisk } {
  const account = accountOf(installation, target);
  const { config, folder } = account;
  assertOurs(account);
  return {
    block: target.block,
    parts: { config, homebridgeFolder: folder, clock: terminal.clock, log: noLog() },
  };
}
