// `latchkey link` and `latchkey unlink`: an address for the browser, and the address it was sent back to.
import { Command } from 'commander';
import type { AccountTool } from '../app/account-tool.ts';
import { atDesk, type CommonFlags, type Desk, type End, withCommonOptions } from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { nameOf } from './lock-words.ts';
import type { Terminal } from './terminal.ts';

interface LinkFlags extends CommonFlags {
  readonly url?: string;
}

const MS_PER_MINUTE = 60_000;

const AFTERWORD = `
Prints the address of the service's page. Open it in any browser and allow access; whether the page you are sent to
answers does not matter. Then paste its whole address here. What is typed stays out of the list of processes and of the
shell's history; an address given with --url does not, but it is good only once and only for a few minutes.`;

export function linkCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('link'))
    .description('link the account: open an address, paste the one you are sent to')
    .option('--url <address>', 'finish a linking that the running plugin began: the address you were sent to')
    .addHelpText('after', AFTERWORD)
    .action(async (flags: LinkFlags) => {
      end(await atDesk(terminal, flags, async (desk) => linkAccount(desk, flags.url)));
    });
}

export function unlinkCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('unlink'))
    .description('forget the tokens of the account')
    .action(async (flags: CommonFlags) => {
      end(await atDesk(terminal, flags, unlinkAccount));
    });
}

async function linkAccount(desk: Desk, url: string | undefined): Promise<ExitStatus> {
  const tool = await desk.session.tool();
  if (url !== undefined) {
    return finish(desk, tool, url);
  }
  const { speech } = desk;
  const start = await tool.call('link.start');
  speech.answer(start, [start.authorizeUrl]);
  speech.prompt(
    `Open this address, allow access, and paste the whole address that you are sent to (it begins with ${start.redirectUri}). ` +
      `It is waited for ${Math.round(start.expiresInMs / MS_PER_MINUTE)} minutes.`,
  );
  const redirectedUrl = await pastedOrLinked(desk);
  if (redirectedUrl === 'linked') {
    return finished(desk, tool);
  }
  if (redirectedUrl !== null && redirectedUrl.trim() !== '') {
    return finish(desk, tool, redirectedUrl);
  }
  speech.complain(
    tool.through === 'owner'
      ? 'Nothing was pasted. Finish with: latchkey link --url <address>'
      : 'Nothing was pasted, so nothing was linked. Run "latchkey link" again.',
  );
  return EXIT_STATUS.linkNeeded;
}

/** What was pasted, or that it needs no pasting: the listener of the plugin may be where the browser was sent to. */
async function pastedOrLinked({ session, terminal }: Desk): Promise<string | null> {
  const reading = new AbortController();
  const { promise: linked, resolve } = Promise.withResolvers<'linked'>();
  const forget = session.listen({
    hear: (event) => {
      if (event.type === 'link' && event.link === 'linked') {
        resolve('linked');
      }
    },
    resumed: () => {},
    lost: () => {},
  });
  try {
    const signal = AbortSignal.any([terminal.stopped, reading.signal]);
    return await Promise.race([terminal.readLine(signal), linked]);
  } finally {
    forget();
    reading.abort();
  }
}

async function finish(desk: Desk, tool: AccountTool, redirectedUrl: string): Promise<ExitStatus> {
  await tool.call('link.finish', { redirectedUrl });
  return finished(desk, tool);
}

async function finished({ speech }: Desk, tool: AccountTool): Promise<ExitStatus> {
  const locks = await tool.call('refresh');
  const names = locks.map(nameOf).join(', ');
  speech.answer(
    { link: 'linked', locks: locks.map(({ id, description }) => ({ id, name: description.name })) },
    [locks.length === 0 ? 'Linked. No locks are listed yet.' : `Linked. Locks: ${names}.`],
  );
  return EXIT_STATUS.ok;
}

async function unlinkAccount({ session, speech }: Desk): Promise<ExitStatus> {
  const tool = await session.tool();
  const { link } = await tool.call('unlink');
  speech.answer({ link }, [
    'The tokens are forgotten here. To end the access itself, revoke it in the app of the lock, too.',
  ]);
  return EXIT_STATUS.ok;
}
