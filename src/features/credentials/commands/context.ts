// Shared frame of every `latchkey credentials` command: opens the interface and closes it afterwards.

import { type CommonFlags, type End, inWords } from '../../../cli/account/account-command.ts';
import { readAccount } from '../../../cli/account/homebridge-config.ts';
import { type DefineVerb, framed, type Verb } from '../../../cli/account/verb.ts';
import type { ExitStatus } from '../../../cli/terminal/exit-status.ts';
import type { Output, Terminal } from '../../../cli/terminal/terminal.ts';
import { assertOurs } from '../../../installation/storage-inspection.ts';
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

export type CredentialingRun<Flags extends CommonFlags = CommonFlags> = Verb<Flags, CredentialingContext>;

/** Commands on the interface. On Ctrl-C they end by themselves, so that no answer of the service is lost. */
export function credentialingVerbs(
  terminal: Terminal,
  end: End,
): DefineVerb<CommonFlags, CredentialingContext> {
  return framed(end, async (flags, run) => {
    const work = async (output: Output): Promise<ExitStatus> => {
      const account = await readAccount(flags, terminal);
      assertOurs(account);
      const opened = openCredentialing(account, terminal.clock, output.log());
      const options: CallOptions = {
        signal: terminal.stopped,
        onWait: (wait) => output.progress(waitLine(wait)),
      };
      try {
        return await run({ credentialing: opened.credentialing, output, terminal, options });
      } finally {
        await opened.close();
      }
    };
    return inWords(terminal, flags, work, { seenThrough: true });
  });
}

/** Collects the values of an option that may be repeated. */
export function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
