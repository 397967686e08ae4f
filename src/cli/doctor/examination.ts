// Everything the doctor looks at, one after the other; what depends on something broken is left out.

import { type AccountTool, openAsTool } from '../../app/account-tool.ts';
import type { Account, Installation } from '../../app/installation.ts';
import { ownerOf } from '../../app/owner-search.ts';
import { packageFacts } from '../../app/package-facts.ts';
import type { StorageFault } from '../../app/storage-inspection.ts';
import { inspectStorage } from '../../app/storage-inspection.ts';
import type { AccountBlock } from '../../config/account-blocks.ts';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/read-config.ts';
import type { StatusView } from '../../panel/panel-api.ts';
import { messageOf } from '../../support/errors.ts';
import { silentLog } from '../../support/log.ts';
import { chosenAccount, findInstallation, type Whereabouts } from '../homebridge-config.ts';
import type { Terminal } from '../terminal.ts';
import { bridgeFinding } from './bridge.ts';
import { type Finding, fault, fine, note, warning } from './finding.ts';
import { nodeFinding } from './node-version.ts';
import { portFinding, type WantedPort } from './ports.ts';
import { credentialFinding, linkFinding, lockFinding, serviceFindings } from './service.ts';
import { listenerFault, webhookFinding } from './webhooks.ts';

/** An owner that lives answers at once; one that does not may be hung, and the rest can be examined without it. */
const OWNER_WITHIN_MS = 10_000;

/** Looks at everything, telling each finding as it comes. Rejects only when it is stopped. */
export async function examine(
  where: Whereabouts,
  terminal: Terminal,
  tell: (finding: Finding) => void,
): Promise<void> {
  tell(nodeFinding(process.version, packageFacts().nodeRange));
  const found = read(where, terminal);
  if ('check' in found) {
    tell(found);
    return;
  }
  const { installation, block } = found;
  const { config, findings } = configFindings(block);
  for (const finding of [...findings, ...companyFindings(installation)]) {
    tell(finding);
  }
  tell(await bridgeFinding(installation, block, terminal.clock));
  if (config !== null) {
    await examineAccount({ folder: installation.folder, config }, terminal, tell);
  }
}

function read(
  where: Whereabouts,
  terminal: Terminal,
): { readonly installation: Installation; readonly block: AccountBlock } | Finding {
  try {
    const installation = findInstallation(where, terminal);
    return { installation, block: chosenAccount(installation, where.account) };
  } catch (error) {
    return fault('configuration', messageOf(error), 'Nothing else can be examined before.');
  }
}

/** The configuration, when it can be used, and what is to be said of it. */
function configFindings({ name, block }: AccountBlock): {
  readonly config: Config | null;
  readonly findings: readonly Finding[];
} {
  const reading = readConfig(block);
  if (!reading.ok) {
    const advice = 'Do so in config.json or in the Homebridge UI, then restart Homebridge.';
    return {
      config: null,
      findings: reading.problems.map((line) => fault('configuration', ended(line), advice)),
    };
  }
  const { config, warnings } = reading;
  return {
    config,
    findings: [
      config.missing.length === 0
        ? fine('configuration', `"${name}" names the addresses of the service.`)
        : fault(
            'configuration',
            `Missing: ${config.missing.join(', ')}.`,
            'Write what the partner agreement says.',
          ),
      ...warnings.map((line) => warning('configuration', ended(line), 'The plugin runs nevertheless.')),
      ...[config.webhooks === null ? null : listenerFault(config.webhooks)].filter(
        (finding) => finding !== null,
      ),
    ],
  };
}

/** The log lists such lines; here another sentence follows. */
function ended(line: string): string {
  return /[.!?]$/u.test(line) ? line : `${line}.`;
}

/** Homebridge gives cached accessories to one platform of a bridge only: each account needs a bridge of its own. */
function companyFindings({ accounts }: Installation): readonly Finding[] {
  const onMainBridge = accounts.filter(({ block }) => block['_bridge'] === undefined);
  return onMainBridge.length < 2
    ? []
    : [
        fault(
          'accounts',
          `${onMainBridge.length} accounts share the main bridge, and only one of them is started.`,
          'Give each a child bridge of its own (Homebridge UI, Bridge Settings of the plugin).',
        ),
      ];
}

async function examineAccount(
  account: Account,
  terminal: Terminal,
  tell: (finding: Finding) => void,
): Promise<void> {
  const { config, folder } = account;
  const faults = inspectStorage(config, folder);
  for (const finding of faults.length === 0
    ? [fine('storage', 'For its owner alone.')]
    : faults.map(storageFinding)) {
    tell(finding);
  }
  const isOpenable = config.partner !== null && faults.every(({ repairsItself }) => repairsItself);
  const tool = isOpenable ? await openedTool(account, terminal, tell) : null;
  try {
    const status = await tool?.call('status');
    const ownerPid = status === undefined || status.pid === process.pid ? null : status.pid;
    for (const port of wantedPorts(config)) {
      tell(await portFinding(port, ownerPid));
    }
    if (tool !== null && status !== undefined) {
      await examineReception(tool, config, tell);
      await examineService(tool, status, tell);
    }
  } finally {
    await tool?.close();
  }
}

/** Webhooks are received by the plugin alone: a tool that runs on its own has nothing to tell of them. */
async function examineReception(
  tool: AccountTool,
  { webhooks }: Config,
  tell: (finding: Finding) => void,
): Promise<void> {
  if (webhooks !== null && tool.through === 'owner') {
    tell(webhookFinding(await tool.call('webhooks.status', {}), webhooks.port));
  }
}

/** Without credentials nobody is called, and there is nothing more to be found. */
async function examineService(
  tool: AccountTool,
  status: StatusView,
  tell: (finding: Finding) => void,
): Promise<void> {
  const partner = await tool.call('partner.show');
  tell(credentialFinding(partner));
  const link = await tool.call('link.show');
  const isComplete = partner.missing.length === 0;
  if (isComplete || link.setAside) {
    tell(linkFinding(status, link));
  }
  if (!isComplete) {
    return;
  }
  const linked = status.link === 'linked';
  for (const finding of serviceFindings(await tool.call('checkup'), linked)) {
    tell(finding);
  }
  if (linked) {
    tell(lockFinding(await tool.call('locks')));
  }
}

function storageFinding({ path, what, remedy, repairsItself }: StorageFault): Finding {
  return repairsItself
    ? warning('storage', `${path} ${what}.`, `It is put right whenever the account is opened: ${remedy}`)
    : fault('storage', `${path} ${what}.`, `Put it right: ${remedy}`);
}

async function openedTool(
  { config, folder }: Account,
  { clock, chance, stopped }: Terminal,
  tell: (finding: Finding) => void,
): Promise<AccountTool | null> {
  const place = { config, homebridgeFolder: folder, clock, log: silentLog };
  const patience = new AbortController();
  const cancel = clock.after(OWNER_WITHIN_MS, () => {
    patience.abort(new Error('No answer in time'));
  });
  try {
    const holder = ownerOf(place);
    const signal = AbortSignal.any([stopped, patience.signal]);
    const tool = await openAsTool({ ...place, chance, signal }).catch((error: unknown) => {
      if (holder === null || !patience.signal.aborted) {
        throw error;
      }
      return null;
    });
    tell(ownerFinding(tool, holder?.process.pid ?? null));
    return tool;
  } catch (error) {
    stopped.throwIfAborted();
    tell(fault('owner', messageOf(error), 'Put that right, then ask again.'));
    return null;
  } finally {
    cancel();
  }
}

/** `holderPid`: who held the account before we opened it. */
function ownerFinding(tool: AccountTool | null, holderPid: number | null): Finding {
  if (tool === null) {
    return fault(
      'owner',
      `Process ${String(holderPid)} owns the account and does not answer.`,
      'Restart Homebridge; what depends on the account was not examined.',
    );
  }
  if (tool.through === 'owner') {
    return fine('owner', `Process ${String(holderPid)} owns the account and answers.`);
  }
  return holderPid === null
    ? note('owner', 'Nobody owns the account: the plugin does not run.', 'Start Homebridge for Apple Home.')
    : warning(
        'owner',
        `Process ${holderPid} owned the account and ended without giving it back.`,
        'It was taken over; start Homebridge again, and look into its log if it crashes.',
      );
}

function wantedPorts({ webhooks, panel }: Config): readonly WantedPort[] {
  return [
    ...(webhooks === null ? [] : [{ option: 'webhooks.port', host: webhooks.host, port: webhooks.port }]),
    ...(panel === null ? [] : [{ option: 'panel.port', host: panel.host, port: panel.port }]),
  ];
}
