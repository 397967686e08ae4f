// `latchkey restore`: puts an account back from its backup, or writes its block of config.json.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import type { BackupManifest } from '../../backup/manifest.ts';
import { OpenBackup, restore } from '../../backup/restore.ts';
import { checkedPassphrase } from '../../backup/sealed-file.ts';
import type { AccountBlock } from '../../config/account-blocks.ts';
import type { Installation } from '../../installation/installation.ts';
import { FinalError } from '../../support/errors.ts';
import { writePrivately } from '../../support/files/private-output.ts';
import { inServiceWords, sayForService } from '../../words/host.ts';
import { locale, t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { ask } from '../terminal/hidden-typing.ts';
import { jsonText } from '../terminal/json-text.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { type CommonFlags, type End, inWords, withCommonOptions } from './account-command.ts';
import { chosenAccount, findInstallation } from './homebridge-config.ts';
import { opened, PASSPHRASE_VARIABLE } from './moving-account.ts';

interface RestoreFlags extends CommonFlags {
  readonly force?: boolean;
  readonly block?: string;
}

function restoreAfterword(): string {
  const words = t(
    "The passphrase is asked for, or comes from {variable}. The account has to be in config.json by the name that it had; {option}\nwrites its old block to a file, for the Homebridge UI's editor.",
    { variable: PASSPHRASE_VARIABLE, option: '--block' },
  );
  return `\n${words}`;
}

export function restoreCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('restore'))
    .description(t('put an account back from its backup, here or on another computer'))
    .argument('<file>', t('the file that "{command}" wrote', { command: 'backup' }))
    .option('--force', t('replace the account if it is in use here'))
    .option('--block <file>', t('restore nothing: write its block of config.json to this file'))
    .addHelpText('after', restoreAfterword())
    .action(async (file: string, flags: RestoreFlags) => {
      const work = async (output: Output): Promise<ExitStatus> => restored(terminal, output, file, flags);
      end(await inWords(terminal, flags, work, { seenThrough: true }));
    });
}

async function restored(
  terminal: Terminal,
  output: Output,
  file: string,
  { force = false, block: blockFile, ...where }: RestoreFlags,
): Promise<ExitStatus> {
  const opening = await OpenBackup.open(resolve(file), async () => knownPassphrase(terminal, output));
  try {
    if (blockFile !== undefined) {
      return await writeBlock(output, opening.manifest, resolve(blockFile));
    }
    const installation = await findInstallation(where, terminal);
    const target = targetOf(installation, opening.manifest, where.account);
    const { block, parts } = opened(installation, target, terminal);
    await restore(parts, opening, force, terminal.stopped).catch((error: unknown) => {
      throw installation.isService ? sayForService(error) : error;
    });
    const { account, madeAt, stopped } = opening.manifest;
    const lines = restoredLines(opening.manifest, block, file);
    const said = installation.isService ? lines.map(inServiceWords) : lines;
    output.answer({ account, madeAt, otherStopped: stopped }, said);
    return EXIT_STATUS.ok;
  } finally {
    opening.close();
  }
}

function restoredLines(
  { account, madeAt, stopped, block: former }: BackupManifest,
  block: Readonly<Record<string, unknown>>,
  file: string,
): readonly string[] {
  const same = isDeepStrictEqual(plain(block), plain(former));
  return [
    t('"{account}" is back, as it was on {date}. Now start Homebridge.', {
      account,
      date: dateWords(madeAt),
    }),
    ...(stopped
      ? []
      : [
          t(
            'Stop Latchkey for good on the computer that made the backup: two computers with one account disconnect each other.',
          ),
        ]),
    ...(stopped
      ? []
      : [
          t(
            'Guests and stays that it holds let nobody in until you confirm them, because somebody may have been removed since: {command}',
            { command: 'npx homebridge-latchkey codes confirm' },
          ),
        ]),
    ...(same
      ? []
      : [
          t(
            'The options in config.json are not those of the backup, so a lock may be allowed more here. Compare them: {command}',
            { command: `npx homebridge-latchkey restore ${file} --block old-block.json` },
          ),
        ]),
  ];
}

/** Homebridge keeps the child bridge in the block; the rest is the plugin's. */
function plain(block: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify({ ...block, _bridge: undefined }));
}

async function writeBlock(
  output: Output,
  { account, block }: BackupManifest,
  file: string,
): Promise<ExitStatus> {
  await writePrivately({ file, kind: 'new' }, (write) => {
    write(`${jsonText(block, 2)}\n`);
  });
  output.answer({ account, file }, [
    t(
      'The block of "{account}" is in {file}. Add it to "{option}" in config.json, then delete the file: it may hold credentials.',
      { account, file, option: 'platforms' },
    ),
  ]);
  return EXIT_STATUS.ok;
}

/** The account with the name of the backup, so that no other one is replaced by mistake. */
function targetOf(
  installation: Installation,
  { account }: BackupManifest,
  named: string | undefined,
): AccountBlock {
  const target =
    named === undefined
      ? installation.accounts.find(({ name }) => name === account)
      : chosenAccount(installation, named);
  if (target === undefined) {
    throw new FinalError(
      'not-found',
      t(
        'Nothing was restored: {file} has no account "{account}". Add its block, which {blockOption} writes to a file, or name the account to replace with {accountOption}.',
        {
          file: installation.configFile,
          account,
          blockOption: '--block',
          accountOption: '--account',
        },
      ),
    );
  }
  return target;
}

async function knownPassphrase(terminal: Terminal, output: Output): Promise<string> {
  const given = terminal.environment[PASSPHRASE_VARIABLE];
  return checkedPassphrase(given ?? (await ask(terminal, output, t('Passphrase:'), true)));
}

function dateWords(at: number): string {
  return new Date(at).toLocaleString(locale() ?? 'en-GB', { dateStyle: 'long', timeStyle: 'short' });
}
