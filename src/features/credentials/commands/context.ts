// Shared frame of every `latchkey credentials` command: opens the interface and closes it afterwards.
import type { Command } from 'commander';
import { assertOurs } from '../../../app/account/storage-inspection.ts';
import {
  type CommonFlags,
  type End,
  inWords,
  withCommonOptions,
} from '../../../cli/account/account-command.ts';
import { readAccount } from '../../../cli/account/homebridge-config.ts';
import type { ExitStatus } from '../../../cli/terminal/exit-status.ts';
import type { Output, Terminal } from '../../../cli/terminal/terminal.ts';
import { type Credentialing, openCredentialing } from '../account/credentialing.ts';
import type { CallOptions } from '../client/credential-gateway.ts';
import { waitLine } from './lines.ts';

export interface CredentialingContext {
  readonly credentialing: Credentialing;
  readonly output: Output;
  readonly terminal: Terminal;
  /** Options of every call: aborted by Ctrl-C, and reporting each wait. */
  readonly options: CallOptions;
}

export type CredentialingRun<Flags> = (
  context: CredentialingContext,
  flags: Flags,
  ...words: readonly string[]
) => Promise<ExitStatus>;

/** A subcommand with the common options. On Ctrl-C it ends by itself, so that no answer of the service is lost. */
export function credentialingCommand<Flags extends CommonFlags>(
  terminal: Terminal,
  end: End,
  command: Command,
  run: CredentialingRun<Flags>,
): Command {
  return withCommonOptions(command).action(async (...given: readonly unknown[]) => {
    const words = given.filter((word) => typeof word === 'string');
    const flags = command.opts<Flags>();
    const work = async (output: Output): Promise<ExitStatus> => {
      const account = await readAccount(flags, terminal);
      assertOurs(account);
      const opened = openCredentialing(account, terminal.clock, output.log());
      const options: CallOptions = {
        signal: terminal.stopped,
        onWait: (wait) => output.progress(waitLine(wait)),
      };
      try {
        return await run({ credentialing: opened.credentialing, output, terminal, options }, flags, ...words);
      } finally {
        await opened.close();
      }
    };
    end(await inWords(terminal, flags, work, { seenThrough: true }));
  });
}

/** Collects the values of an option that may be repeated. */
export function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
