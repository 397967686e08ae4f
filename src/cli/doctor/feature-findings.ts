// Findings that features bring to the doctor: of config.json, of the account, and of the check of the service.

import type { AccountBlock } from '../../config/account-blocks.ts';
import type { Config } from '../../config/config.ts';
import type { ServiceCheck } from '../../domain/account/service-check.ts';
import type { Message } from '../../domain/language/message.ts';
import type { StatusView } from '../../panel/operations/panel-api.ts';
import { Additions } from '../../support/additions.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import type { Finding } from './finding.ts';

export interface ExaminedAccount {
  readonly config: Config;
  readonly tool: AccountTool | null;
  readonly status: StatusView | null;
}

export interface FeatureFindings {
  /** Their names. */
  readonly checks: readonly Message[];
  readonly ofBlock?: (block: AccountBlock['block']) => readonly Finding[];
  /** `tool` and `status` are null where the account was not opened. */
  readonly ofAccount?: (account: ExaminedAccount) => Promise<readonly Finding[]>;
  readonly of?: (check: ServiceCheck) => readonly Finding[];
}

export const featureFindings = new Additions<FeatureFindings>();
