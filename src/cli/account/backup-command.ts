// `latchkey backup` and `latchkey restore`: an account in one encrypted file, for a rainy day or for another computer.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { accountOf, type Installation } from '../../app/account/installation.ts';
import { assertOurs } from '../../app/account/storage-inspection.ts';
import { outsideWithoutReason } from '../../app/account/storage-place.ts';
import { backUp } from '../../app/backup/backup.ts';
import type { BackupManifest } from '../../app/backup/manifest.ts';
import { OpenBackup, restore } from '../../app/backup/restore.ts';
import { checkedPassphrase } from '../../app/backup/sealed-file.ts';
import type { SoleOwnerParts } from '../../app/ownership/sole-owner.ts';
import type { AccountBlock } from '../../config/account-blocks.ts';
import { FinalError } from '../../support/errors.ts';
import { writePrivately } from '../../support/files/private-output.ts';
import { inServiceWords, sayForService } from '../../words/host.ts';
import { locale, t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { ask } from '../terminal/hidden-typing.ts';
import { jsonText } from '../terminal/json-text.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { type CommonFlags, type End, inWords, noLog, withCommonOptions } from './account-command.ts';
import { chosenAccount, findInstallation } from './homebridge-config.ts';

interface BackupFlags extends CommonFlags {
  readonly force?: boolean;
  readonly andStop?: boolean;
}

interface RestoreFlags extends CommonFlags {
  readonly force?: boolean;
  readonly block?: string;
}

/** The environment keeps a passphrase out of lists of processes and of a shell's history. */
const PASSPHRASE_VARIABLE = 'LATCHKEY_PASSPHRASE';

function backupAfterword(): string {
  const passphrase = t(
    'The passphrase is asked for twice, or comes from {variable}. Nobody can read the file without it, you included.',
    { variable: PASSPHRASE_VARIABLE },
  );
  const stop = t(
    'Without {option} the plugin may go on running, and renews its sign-in within the hour: restore such a file later, and\neverything is there but the sign-in. With {option} the sign-in goes into the file, and nothing runs here any more.',
    { option: '--and-stop' },
  );
  return `\n${passphrase}\n\n${stop}`;
}

function restoreAfterword(): string {
  const words = t(
    "The passphrase is asked for, or comes from {variable}. The account has to be in config.json by the name that it had; {option}\nwrites its old block to a file, for the Homebridge UI's editor.",
    { variable: PASSPHRASE_VARIABLE, option: '--block' },
  );
  return `\n${words}`;
}

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

export function movingCommands(terminal: Terminal, end: End): readonly Command[] {
  return [backupCommand(terminal, end), restoreCommand(terminal, end)];
}

function backupCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('backup'))
    .description(t('write the account to an encrypted file: sign-in, settings, codes and history'))
    .argument('<file>', t('the file to write, for your eyes only (0600)'))
    .option('--force', t('replace the file if it is there'))
    .option('--and-stop', t('move to another computer: this one gives the account up'))
    .addHelpText('after', backupAfterword())
    .action(async (file: string, flags: BackupFlags) => {
      const work = async (output: Output): Promise<ExitStatus> => backup(terminal, output, file, flags);
      end(await inWords(terminal, flags, work, { seenThrough: true }));
    });
}

function restoreCommand(terminal: Terminal, end: End): Command {
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

async function backup(
  terminal: Terminal,
  output: Output,
  name: string,
  { force = false, andStop = false, ...where }: BackupFlags,
): Promise<ExitStatus> {
  const file = resolve(name);
  const installation = await findInstallation(where, terminal);
  const { block, parts } = opened(installation, chosenAccount(installation, where.account), terminal, output);
  const passphrase = async (): Promise<string> => newPassphrase(terminal, output);
  const bytes = await backUp({ ...parts, block, file, force, stop: andStop, passphrase }).catch(
    (error: unknown) => {
      throw installation.isService ? sayForService(error) : error;
    },
  );
  const account = parts.config.name;
  const next = andStop
    ? t('This computer has given the account up. Put it back on the other one: {command}', {
        command: `npx homebridge-latchkey restore ${name}`,
      })
    : t('This computer goes on using the account. To move it to another one, use {option}.', {
        option: '--and-stop',
      });
  output.answer({ file, account, bytes, stopped: andStop }, [
    t('"{account}" is in {file} ({size}). Keep the passphrase: without it the file is lost.', {
      account,
      file,
      size: sizeWords(bytes),
    }),
    next,
  ]);
  return EXIT_STATUS.ok;
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
    const { block, parts } = opened(installation, target, terminal, output);
    await restore({ ...parts, backup: opening, force }).catch((error: unknown) => {
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

function opened(
  installation: Installation,
  target: AccountBlock,
  terminal: Terminal,
  output: Output,
): { readonly block: AccountBlock['block']; readonly parts: Omit<SoleOwnerParts, 'accountFolder'> } {
  const account = accountOf(installation, target);
  const { config, folder } = account;
  const outside = outsideWithoutReason(config, folder);
  if (outside !== null) {
    throw new FinalError('bad-configuration', `${outside.what} ${outside.remedy}`);
  }
  assertOurs(account);
  const { clock, stopped: signal } = terminal;
  const emit = (line: string): void => output.progress(line);
  return {
    block: target.block,
    parts: { config, homebridgeFolder: folder, clock, log: noLog(), signal, emit },
  };
}

async function newPassphrase(terminal: Terminal, output: Output): Promise<string> {
  const given = terminal.environment[PASSPHRASE_VARIABLE];
  if (given !== undefined) {
    return checkedPassphrase(given);
  }
  const first = checkedPassphrase(
    await ask(terminal, output, t('Passphrase (12 characters or more):'), true),
  );
  const second = await ask(terminal, output, t('The same once more:'), true);
  if (checkedPassphrase(second) !== first) {
    throw new FinalError('bad-request', t('Nothing was written: the two are not the same. Try again.'));
  }
  return first;
}

async function knownPassphrase(terminal: Terminal, output: Output): Promise<string> {
  const given = terminal.environment[PASSPHRASE_VARIABLE];
  return checkedPassphrase(given ?? (await ask(terminal, output, t('Passphrase:'), true)));
}

function sizeWords(bytes: number): string {
  return bytes < MEGABYTE
    ? `${String(Math.ceil(bytes / KILOBYTE))} kB`
    : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function dateWords(at: number): string {
  return new Date(at).toLocaleString(locale() ?? 'en-GB', { dateStyle: 'long', timeStyle: 'short' });
}
