// `latchkey link` and `latchkey unlink`: open the browser address, take the callback and confirm the account.
import { type Command, Option } from 'commander';
import type { LinkStartView, LinkView } from '../../linking/link-api.ts';
import { messageOf } from '../../support/errors.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { assertSameService } from '../../tools/same-service.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext, CommonFlags, End } from './account-command.ts';
import { type Decision, decide, finished } from './link-end.ts';
import { verbs } from './verb.ts';

interface LinkFlags extends CommonFlags {
  readonly url?: string;
  readonly confirm?: Decision;
}

const MS_PER_MINUTE = 60_000;

function afterword(): string {
  const address = t(
    "Prints the address of the service's page. Open it in any browser and allow access. When nothing here answers the page you\nare sent to, paste its whole address; whether it shows anything does not matter. What is typed stays out of the list of\nprocesses and of the shell's history; an address given with {option} does not, but it is good only once and for ten minutes.",
    { option: '--url' },
  );
  const other = t(
    'When it is another account than before, nothing is removed until you have decided: keep it, or undo.',
  );
  return `\n${address}\n\n${other}`;
}

export function linkCommand(terminal: Terminal, end: End): Command {
  return verbs<LinkFlags>(terminal, end)(
    'link',
    t('connect the account: open an address, come back by itself or paste the one you are sent to'),
    [],
    linkAccount,
    () => ({ afterUnknown: null }),
  )
    .option(
      '--url <address>',
      t('finish a sign-in that the running plugin began: the address you were sent to'),
    )
    .addOption(
      new Option(
        '--confirm <decision>',
        t(
          'after another account was connected: keep it and remove the locks it does not list, or undo and disconnect it',
        ),
      )
        .choices(['keep', 'undo'] satisfies Decision[])
        .conflicts('url'),
    )
    .addHelpText('after', afterword());
}

export function unlinkCommand(terminal: Terminal, end: End): Command {
  return verbs(terminal, end)('unlink', t('forget the tokens of the account'), [], unlinkAccount);
}

async function linkAccount(context: CommandContext, { url, confirm }: LinkFlags): Promise<ExitStatus> {
  const tool = await context.session.tool();
  if (confirm !== undefined) {
    return decide(context, tool, confirm);
  }
  assertSameService(await tool.call('partner.show'), context.session.config.partner);
  if (url === undefined) {
    return link(context, tool);
  }
  await tool.call('link.finish', { redirectedUrl: url });
  return finished(context, tool);
}

async function link(context: CommandContext, tool: AccountTool): Promise<ExitStatus> {
  const { output } = context;
  const start = await tool.call('link.start');
  output.answer(start, [start.authorizeUrl]);
  output.prompt(invitation(start));
  let event = await nextEvent(context, tool, start);
  while (event.kind === 'pasted' && event.redirectedUrl.trim() !== '') {
    const restMs = await refusedWithRest(context, tool, event.redirectedUrl);
    if (restMs === null) {
      return finished(context, tool);
    }
    // Piped input holds nothing else, so its end means the end here.
    event = await nextEvent(context, tool, { callbackMode: 'paste', expiresInMs: restMs });
  }
  return unfinished(context, tool, event);
}

/**
 * Tries the pasted address; null when it links the account. If it is no such address while one is expected, a person
 * sees the reason and gets the remaining milliseconds. A program gets the error and must start again.
 */
async function refusedWithRest(
  { output }: CommandContext,
  tool: AccountTool,
  redirectedUrl: string,
): Promise<number | null> {
  try {
    await tool.call('link.finish', { redirectedUrl });
    return null;
  } catch (error) {
    const { waiting } = await tool.call('link.show');
    if (waiting === null || output.json) {
      throw error;
    }
    output.error(`${messageOf(error)} ${t('Still waiting: paste it again, or stop with Ctrl-C.')}`);
    return waiting.expiresInMs;
  }
}

/** Linking ended without a pasted address, or the input was empty. */
async function unfinished(context: CommandContext, tool: AccountTool, event: LinkEvent): Promise<ExitStatus> {
  const { output } = context;
  switch (event.kind) {
    case 'ended':
      if (event.end.outcome === 'linked') {
        return finished(context, tool);
      }
      output.error(t(event.end.message));
      return EXIT_STATUS.failed;
    case 'taken-over':
      output.error(
        t(
          'The plugin took the account over meanwhile. It waits for the browser now; or finish with: {command}',
          { command: FINISH },
        ),
      );
      return EXIT_STATUS.linkNeeded;
    case 'pasted':
      output.error(
        tool.through === 'owner'
          ? t('No address was pasted. Finish with: {command}', { command: FINISH })
          : t('No address was pasted, so nothing was connected. Run "{command}" again.', {
              command: 'npx homebridge-latchkey link',
            }),
      );
      return EXIT_STATUS.linkNeeded;
  }
}

/** As a person types it. */
const FINISH = 'npx homebridge-latchkey link --url <address>';

function invitation({ callbackMode, redirectUri: address, expiresInMs }: LinkStartView): string {
  const minutes = String(Math.round(expiresInMs / MS_PER_MINUTE));
  return t(
    callbackMode === 'paste'
      ? 'Open this address, allow access, and paste the whole address that you are sent to (it begins with {address}). You have {minutes} minutes.'
      : 'Open this address and allow access; the rest is automatic. If the page you are sent to stays empty, paste the whole address that you are sent to (it begins with {address}). You have {minutes} minutes.',
    { address, minutes },
  );
}

type LinkEvent =
  /** Empty at the end of the input. */
  | { readonly kind: 'pasted'; readonly redirectedUrl: string }
  /** The callback arrived without pasting: a listener served the browser's redirect. */
  | { readonly kind: 'ended'; readonly end: NonNullable<LinkView['ended']> }
  /** Another process owns the account now and continues the linking. */
  | { readonly kind: 'taken-over' };

/** The owner's wait ends by its own clock; this process asks a little later, in milliseconds (our choice). */
const GRACE_MS = 1_000;

async function nextEvent(
  { session, terminal }: CommandContext,
  tool: AccountTool,
  { callbackMode, expiresInMs }: Pick<LinkStartView, 'callbackMode' | 'expiresInMs'>,
): Promise<LinkEvent> {
  const reading = new AbortController();
  const { promise: settled, resolve, reject } = Promise.withResolvers<LinkEvent>();
  const poll = async (): Promise<void> => {
    const { ended: end } = await tool.call('link.show');
    if (end !== null) {
      resolve({ kind: 'ended', end });
    }
  };
  const takenOver = (): void => resolve({ kind: 'taken-over' });
  const tooLate = terminal.clock.after(expiresInMs + GRACE_MS, () => {
    poll().catch(reject);
  });
  const forget = session.listen({
    onEvent: (event) => {
      if (event.type === 'linking') {
        poll().catch(reject);
      }
    },
    resumed: takenOver,
    lost: takenOver,
  });
  try {
    const signal = AbortSignal.any([terminal.stopped, terminal.unwritable, reading.signal]);
    const pasted = terminal.readLine(signal).then(async (line): Promise<LinkEvent> => {
      // Without an input (cron, a container) nothing can be pasted; with an automatic callback nothing needs to be.
      const isNoAnswer = line === null && callbackMode === 'by-itself';
      return isNoAnswer ? settled : { kind: 'pasted', redirectedUrl: line ?? '' };
    });
    return await Promise.race([pasted, settled]);
  } finally {
    forget();
    tooLate();
    reading.abort();
  }
}

async function unlinkAccount({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const wasLinked = await mayBeLinked(tool);
  const { link: state } = await tool.call('unlink');
  output.answer({ link: state }, [
    wasLinked
      ? t("The tokens were deleted here. To revoke access completely, remove it in the lock's app, too.")
      : t('No account was connected, so nothing was deleted.'),
  ]);
  return EXIT_STATUS.ok;
}

/** True also for an unusable link: without credentials, or made by another service. */
async function mayBeLinked(tool: AccountTool): Promise<boolean> {
  const [{ state, setAside }, { missing }] = await Promise.all([
    tool.call('link.show'),
    tool.call('partner.show'),
  ]);
  return state !== 'unlinked' || setAside || missing.length > 0;
}
