// `latchkey backup`: an account in one encrypted file, for a rainy day or for another computer.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '../../backup/backup.ts';
import { checkedPassphrase } from '../../backup/sealed-file.ts';
import { FinalError } from '../../support/errors.ts';
import { sayForService } from '../../words/host.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { ask } from '../terminal/hidden-typing.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { type CommonFlags, type End, inWords, withCommonOptions } from './account-command.ts';
import { chosenAccount, findInstallation } from './homebridge-config.ts';
import { opened, PASSPHRASE_VARIABLE } from './moving-account.ts';

interface BackupFlags extends CommonFlags {
  readonly force?: boolean;
  readonly andStop?: boolean;
}

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

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

export function backupCommand(terminal: Terminal, end: End): Command {
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

async function backup(
  terminal: Terminal,
  output: Output,
  name: string,
  { force = false, andStop = false, ...where }: BackupFlags,
): Promise<ExitStatus> {
  const file = resolve(name);
  const installation = await findInstallation(where, terminal);
  const { block, parts } = opened(installation, chosenAccount(installation, where.account), terminal);
  const passphrase = async (): Promise<string> => newPassphrase(terminal, output);
  const bytes = await backUp(parts, {
    block,
    file,
    force,
    stop: andStop,
    passphrase,
    signal: terminal.stopped,
    ...(terminal.keyCost === undefined ? {} : { cost: terminal.keyCost }),
  }).catch((error: unknown) => {
    throw installation.isService ? sayForService(error) : error;
  });
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

function sizeWords(bytes: number): string {
  return bytes < MEGABYTE
    ? `${String(Math.ceil(bytes / KILOBYTE))} kB`
    : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
