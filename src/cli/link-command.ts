// `latchkey link` and `latchkey unlink`: an address for the browser, the way back from it, and whose account it was.
import { Command, Option } from 'commander';
import type { AccountTool } from '../app/account-tool.ts';
import { assertSameService } from '../app/same-service.ts';
import type { LinkStartView, LinkView } from '../panel/link-view.ts';
import { messageOf } from '../support/errors.ts';
import { atDesk, type CommonFlags, type Desk, type End, withCommonOptions } from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { type Decision, decide, finished } from './link-end.ts';
import type { Terminal } from './terminal.ts';

interface LinkFlags extends CommonFlags {
  readonly url?: string;
  readonly confirm?: Decision;
}

const MS_PER_MINUTE = 60_000;

const AFTERWORD = `
Prints the address of the service's page. Open it in any browser and allow access. When nothing here answers the page you
are sent to, paste its whole address; whether it shows anything does not matter. What is typed stays out of the list of
processes and of the shell's history; an address given with --url does not, but it is good only once and for ten minutes.

When it is another account than before, nothing is removed until you have decided: keep it, or undo.`;

export function linkCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('link'))
    .description('link the account: open an address, come back by itself or paste the one you are sent to')
    .option('--url <address>', 'finish a linking that the running plugin began: the address you were sent to')
    .addOption(
      new Option(
        '--confirm <decision>',
        'after another account was linked: keep it and remove the locks it does not list, or undo and unlink it',
      )
        .choices(['keep', 'undo'] satisfies Decision[])
        .conflicts('url'),
    )
    .addHelpText('after', AFTERWORD)
    .action(async (flags: LinkFlags) => {
      end(await atDesk(terminal, flags, async (desk) => linkAccount(desk, flags)));
    });
}

export function unlinkCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('unlink'))
    .description('forget the tokens of the account')
    .action(async (flags: CommonFlags) => {
      end(await atDesk(terminal, flags, unlinkAccount));
    });
}

async function linkAccount(desk: Desk, { url, confirm }: LinkFlags): Promise<ExitStatus> {
  const tool = await desk.session.tool();
  if (confirm !== undefined) {
    return decide(desk, tool, confirm);
  }
  assertSameService(await tool.call('partner.show'), desk.session.config.partner);
  return url === undefined ? link(desk, tool) : finish(desk, tool, url);
}

async function link(desk: Desk, tool: AccountTool): Promise<ExitStatus> {
  const { speech } = desk;
  const start = await tool.call('link.start');
  speech.answer(start, [start.authorizeUrl]);
  speech.prompt(invitation(start));
  let news = await nextNews(desk, tool, start);
  while (news.kind === 'pasted' && news.redirectedUrl.trim() !== '') {
    const restMs = await refusedWithRest(desk, tool, news.redirectedUrl);
    if (restMs === null) {
      return finished(desk, tool);
    }
    // Whoever piped in something else has nothing more to say: the end of the input is an end now.
    news = await nextNews(desk, tool, { wayBack: 'paste', expiresInMs: restMs });
  }
  return unfinished(desk, tool, news);
}

/**
 * Tries what was pasted: null when the account is linked by it. When it is not the address, and that is still waited
 * for, the person is told and has so many milliseconds left; a program that pasted gets the error, and begins anew.
 */
async function refusedWithRest(
  { speech }: Desk,
  tool: AccountTool,
  redirectedUrl: string,
): Promise<number | null> {
  try {
    await tool.call('link.finish', { redirectedUrl });
    return null;
  } catch (error) {
    const { waiting } = await tool.call('link.show');
    if (waiting === null || speech.json) {
      throw error;
    }
    speech.complain(`${messageOf(error)} It is still waited for: paste it, or stop with Ctrl-C.`);
    return waiting.expiresInMs;
  }
}

/** The linking ended without a pasted address, or none was pasted. */
async function unfinished(desk: Desk, tool: AccountTool, news: LinkNews): Promise<ExitStatus> {
  const { speech } = desk;
  switch (news.kind) {
    case 'ended':
      return ended(desk, tool, news.end);
    case 'taken-over':
      speech.complain(
        'The plugin took the account over meanwhile. It waits for the browser now; or finish with: latchkey link --url <address>',
      );
      return EXIT_STATUS.linkNeeded;
    case 'pasted':
      speech.complain(
        tool.through === 'owner'
          ? 'No address was pasted. Finish with: latchkey link --url <address>'
          : 'No address was pasted, so nothing was linked. Run "latchkey link" again.',
      );
      return EXIT_STATUS.linkNeeded;
  }
}

function invitation({ wayBack, redirectUri, expiresInMs }: LinkStartView): string {
  const wait = `It is waited for ${Math.round(expiresInMs / MS_PER_MINUTE)} minutes.`;
  const paste = `paste the whole address that you are sent to (it begins with ${redirectUri}).`;
  return wayBack === 'paste'
    ? `Open this address, allow access, and ${paste} ${wait}`
    : `Open this address and allow access; the rest goes by itself. If the page you are sent to shows nothing, ${paste} ${wait}`;
}

type LinkNews =
  /** Empty at the end of the input. */
  | { readonly kind: 'pasted'; readonly redirectedUrl: string }
  /** It needed no pasting: something answered the page where the browser was sent to. */
  | { readonly kind: 'ended'; readonly end: NonNullable<LinkView['ended']> }
  /** Another process owns the account now, and has taken up the linking with it. */
  | { readonly kind: 'taken-over' };

/** The owner's wait ends by its own clock, in milliseconds: ours is asked a little later (our choice). */
const GRACE_MS = 1_000;

async function nextNews(
  { session, terminal }: Desk,
  tool: AccountTool,
  { wayBack, expiresInMs }: Pick<LinkStartView, 'wayBack' | 'expiresInMs'>,
): Promise<LinkNews> {
  const reading = new AbortController();
  const { promise: heard, resolve, reject } = Promise.withResolvers<LinkNews>();
  const look = async (): Promise<void> => {
    const { ended: end } = await tool.call('link.show');
    if (end !== null) {
      resolve({ kind: 'ended', end });
    }
  };
  const tooLate = terminal.clock.after(expiresInMs + GRACE_MS, () => {
    look().catch(reject);
  });
  const forget = session.listen({
    hear: (event) => {
      if (event.type === 'linking') {
        look().catch(reject);
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
    const signal = AbortSignal.any([terminal.stopped, terminal.unwritable, reading.signal]);
    const pasted = terminal.readLine(signal).then(async (line): Promise<LinkNews> => {
      // Without an input (cron, a container) nobody can paste, and where the browser comes back by itself nobody has to.
      const isNoAnswer = line === null && wayBack === 'by-itself';
      return isNoAnswer ? heard : { kind: 'pasted', redirectedUrl: line ?? '' };
    });
    return await Promise.race([pasted, heard]);
  } finally {
    forget();
    tooLate();
    reading.abort();
  }
}

async function ended(
  desk: Desk,
  tool: AccountTool,
  { outcome, message }: NonNullable<LinkView['ended']>,
): Promise<ExitStatus> {
  if (outcome === 'linked') {
    return finished(desk, tool);
  }
  desk.speech.complain(message);
  return EXIT_STATUS.failed;
}

async function finish(desk: Desk, tool: AccountTool, redirectedUrl: string): Promise<ExitStatus> {
  await tool.call('link.finish', { redirectedUrl });
  return finished(desk, tool);
}

async function unlinkAccount({ session, speech }: Desk): Promise<ExitStatus> {
  const tool = await session.tool();
  const wasLinked = await mayBeLinked(tool);
  const { link: state } = await tool.call('unlink');
  speech.answer({ link: state }, [
    wasLinked
      ? 'The tokens are forgotten here. To end the access itself, revoke it in the app of the lock, too.'
      : 'No account was linked, so there was nothing to forget.',
  ]);
  return EXIT_STATUS.ok;
}

/** A link that cannot be used, for want of credentials or because another service made it, is one as well. */
async function mayBeLinked(tool: AccountTool): Promise<boolean> {
  const [{ state, setAside }, { missing }] = await Promise.all([
    tool.call('link.show'),
    tool.call('partner.show'),
  ]);
  return state !== 'unlinked' || setAside || missing.length > 0;
}
