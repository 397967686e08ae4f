// Runs all checks of the doctor in order, and skips those that depend on something broken.

import { checkServiceAlone } from '../../app/partner/service-alone.ts';
import type { AccountBlock } from '../../config/account-blocks.ts';
import type { Config } from '../../config/config.ts';
import type { Account, Installation } from '../../installation/installation.ts';
import { packageFacts } from '../../installation/package-facts.ts';
import type { StatusView } from '../../panel/operations/panel-api.ts';
import { messageOf } from '../../support/errors.ts';
import { silentLog } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { machineZone } from '../../words/machine-zone.ts';
import { t } from '../../words/translate.ts';
import { chosenAccount, findInstallation, type Whereabouts } from '../account/homebridge-config.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { bridgeFinding } from './bridge.ts';
import { certificateFindings, refusedCertificates } from './certificates.ts';
import { companyFindings, configFindings, wantedPorts } from './configuration.ts';
import { featureFindings } from './feature-findings.ts';
import { CHECKS, type Finding, fault, note } from './finding.ts';
import { lockClockFinding, lockFinding, lockRowsFinding } from './locks.ts';
import { moveFinding } from './move.ts';
import { nodeFinding } from './node-version.ts';
import { openedTool } from './owner.ts';
import { type OwnerPid, portFinding } from './ports.ts';
import { credentialFinding, linkFinding, serviceFindings } from './service.ts';
import { examineStorage } from './storage.ts';
import { webhookFinding } from './webhooks.ts';

/** Null: there is nothing to say. */
type Emit = (...findings: readonly (Finding | null)[]) => void;

/** Runs all checks and emits each finding at once. Rejects only when stopped. */
export async function examine(
  where: Whereabouts,
  terminal: Terminal,
  found: (finding: Finding) => void,
): Promise<void> {
  const emit: Emit = (...findings) => {
    for (const finding of findings.filter((each) => each !== null)) {
      found(finding);
    }
  };
  emit(nodeFinding(process.version, packageFacts().nodeRange));
  const chosen = await read(where, terminal);
  if ('check' in chosen) {
    emit(chosen);
    return;
  }
  const { installation, block } = chosen;
  const { config, findings } = configFindings(block);
  emit(
    ...findings,
    ...companyFindings(installation, block),
    ...featureFindings.all.flatMap(({ ofBlock }) => ofBlock?.(block.block) ?? []),
  );
  // A service has no bridge.
  emit(installation.isService ? null : await bridgeFinding(installation, block, terminal.clock));
  if (config === null) {
    emit(
      note(
        CHECKS.account,
        t('Its storage, ports and service were not examined: that needs options without faults.'),
      ),
    );
  } else {
    await examineAccount({ folder: installation.folder, config }, terminal, emit);
  }
}

async function read(
  where: Whereabouts,
  terminal: Terminal,
): Promise<{ readonly installation: Installation; readonly block: AccountBlock } | Finding> {
  try {
    const installation = await findInstallation(where, terminal);
    return { installation, block: chosenAccount(installation, where.account) };
  } catch (error) {
    return fault(CHECKS.configuration, messageOf(error), t('Nothing else can be examined before.'));
  }
}

async function examineAccount(
  account: Pick<Account, 'folder' | 'config'>,
  terminal: Terminal,
  emit: Emit,
): Promise<void> {
  const { config } = account;
  const { isOpenable, findings } = examineStorage(account);
  emit(...findings, ...certificateFindings(config, terminal.clock));
  const tool = isOpenable && config.missing.length === 0 ? await openedTool(account, terminal, emit) : null;
  try {
    const status = tool === null ? null : await tool.call('status');
    for (const port of wantedPorts(config)) {
      emit(await portFinding(port, ownerPidOf(config, status)));
    }
    emit(...refusedCertificates(status?.certificates ?? []));
    for (const { ofAccount } of featureFindings.all) {
      emit(...((await ofAccount?.({ config, tool, status })) ?? []));
    }
    if (tool === null || status === null) {
      await examineServiceAlone(config, terminal, emit);
    } else {
      const { clock } = terminal;
      emit(moveFinding({ config, homebridgeFolder: account.folder, clock, log: silentLog }));
      await examineReceiver(tool, config, emit);
      await examineService(tool, status, { config, terminal }, emit);
    }
  } finally {
    await tool?.close();
  }
}

/** An account without addresses is never opened, so it has no owner. */
function ownerPidOf({ partner }: Config, status: StatusView | null): OwnerPid {
  if (status === null) {
    return partner === null ? null : 'unknown';
  }
  return status.pid === process.pid ? null : status.pid;
}

/** Checks that need no account: the service is checked with the values of config.json. */
async function examineServiceAlone({ partner }: Config, { clock }: Terminal, emit: Emit): Promise<void> {
  if (partner !== null) {
    const check = await checkServiceAlone(partner, clock);
    emit(
      ...(check === null ? [] : serviceFindings(check, false)),
      note(
        CHECKS.link,
        t('The connection, its token and the locks were not examined: the account was not opened.'),
      ),
    );
  }
}

/** Only the plugin receives webhooks, so without it there is nothing to report. */
async function examineReceiver(tool: AccountTool, { webhooks }: Config, emit: Emit): Promise<void> {
  if (webhooks !== null && tool.through === 'owner') {
    emit(webhookFinding(await tool.call('webhooks.status', {}), webhooks));
  }
}

/** Without credentials the service is not called, and there are no further findings. */
async function examineService(
  tool: AccountTool,
  status: StatusView,
  { config, terminal: { clock } }: { readonly config: Config; readonly terminal: Terminal },
  emit: Emit,
): Promise<void> {
  const partner = await tool.call('partner.show');
  emit(credentialFinding(partner));
  const link = await tool.call('link.show');
  const isComplete = partner.missing.length === 0;
  if (isComplete || link.setAside) {
    emit(linkFinding(status, link));
  }
  if (!isComplete) {
    return;
  }
  const linked = status.link === 'linked';
  emit(...serviceFindings(await tool.call('checkup'), linked));
  if (linked) {
    const locks = await tool.call('locks');
    emit(lockFinding(locks), lockRowsFinding(config.locks.keys(), locks));
    emit(lockClockFinding(await tool.call('locks.settings'), machineZone(), clock.now()));
  }
}
