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
  const news = await nextNews(desk);
  if (news.kind === 'linked') {
    return finished(desk, tool);
  }
  if (news.kind === 'taken-over') {
    speech.complain(
      'The plugin took the account over meanwhile. Run "latchkey link" again: it goes through it now.',
    );
    return EXIT_STATUS.linkNeeded;
  }
  if (news.redirectedUrl.trim() !== '') {
    return finish(desk, tool, news.redirectedUrl);
  }
  speech.complain(
    tool.through === 'owner'
      ? 'Nothing was pasted. Finish with: latchkey link --url <address>'
      : 'Nothing was pasted, so nothing was linked. Run "latchkey link" again.',
  );
  return EXIT_STATUS.linkNeeded;
}

type LinkNews =
  /** Empty at the end of the input. */
  | { readonly kind: 'pasted'; readonly redirectedUrl: string }
  /** It needs no pasting: the listener of the plugin is where the browser was sent to. */
  | { readonly kind: 'linked' }
  /** The owner that began the linking is gone, and what it knew of it. */
  | { readonly kind: 'taken-over' };

async function nextNews({ session, terminal }: Desk): Promise<LinkNews> {
  const reading = new AbortController();
  const { promise: heard, resolve } = Promise.withResolvers<LinkNews>();
  const forget = session.listen({
    hear: (event) => {
      if (event.type === 'link' && event.link === 'linked') {
        resolve({ kind: 'linked' });
      }
    },
    resumed: () => {
      resolve({ kind: 'taken-over' });
    },
    lost: () => {
      resolve({ kind: 'taken-over' });
    },
  });
  try {
    const signal = AbortSignal.any([terminal.stopped, reading.signal]);
    const pasted = terminal
      .readLine(signal)
      .then((line): LinkNews => ({ kind: 'pasted', redirectedUrl: line ?? '' }));
    return await Promise.race([pasted, heard]);
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
