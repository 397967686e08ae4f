// `latchkey history`: the history of one lock or of all, filtered, followed, or written to a file.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isMethodWord, MOVE_METHODS } from '../../domain/history/page.ts';
import type { Message } from '../../domain/language/message.ts';
import { valueOf } from '../../panel/history/file.ts';
import type { ExportFormat } from '../../panel/views/history.ts';
import { writePrivately } from '../../support/files/private-output.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { askedLocks } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { historyEraseCommand } from './erase-command.ts';
import { HistoryFollower, type HistoryQuery, readLines } from './follow.ts';
import { entryLines } from './lines.ts';
import { parseSince, parseUntil } from './times.ts';

interface HistoryFlags extends CommonFlags {
  readonly limit: number;
  readonly since?: number;
  readonly until?: number;
  readonly person?: string;
  readonly method?: readonly string[];
  readonly follow?: boolean;
  readonly export?: ExportFile;
}

interface ExportFile {
  readonly file: string;
  readonly format: ExportFormat;
}

/** A screenful. */
const DEFAULT_LIMIT = 20;
const MOST_LINES = 100_000;

export function historyCommand(terminal: Terminal, end: End): Command {
  const methods = Object.keys(MOVE_METHODS);
  return (
    verbs<HistoryFlags>(terminal, end)(
      'history',
      t('print the history of a lock or of all locks, the newest first'),
      [['[lock]', t('the beginning of its name, in any case, or its ID; all locks if left out')]],
      run,
      ({ follow }) => ({ untilStopped: follow }),
    )
      .option(
        '--limit <number>',
        t('entries at most, 1 to {most}', { most: MOST_LINES }),
        parseLimit,
        DEFAULT_LIMIT,
      )
      .option('--since <time>', t('from then on: 2026-04-14, 2026-04-14T08:00, or 12h, 7d, 4w ago'), (text) =>
        parseSince(text, terminal.clock.now()),
      )
      .option('--until <time>', t('up to then, in the same forms; a date includes the day'), (text) =>
        parseUntil(text, terminal.clock.now()),
      )
      .option(
        '--person <name>',
        t('only entries of this person or access code: a part of the name, in any case'),
      )
      .addOption(
        new Option(
          '--method <methods...>',
          t('only entries made this way: {methods}', { methods: methods.join(', ') }),
        ).choices(methods),
      )
      .option('--follow', t('go on with each new entry until Ctrl-C, the oldest first'))
      .addOption(
        new Option('--export <file>', t('write all entries that match to a new .csv or .json file'))
          .argParser(parseFile)
          .conflicts('follow'),
      )
      .addCommand(historyEraseCommand(terminal, end))
      // Both have the common options: those behind the name of the second one are its own.
      .enablePositionalOptions()
  );
}

const run: Verb<HistoryFlags> = async (context, flags, [name]) => {
  const filter = filterOf(flags);
  const tool = await context.session.tool();
  const [lock] = await askedLocks(tool, name === undefined ? [] : [name]);
  const query: HistoryQuery = { ...filter, locks: lock === undefined ? null : [lock.id] };
  const { unanswered } = await tool.call('history.refresh', { locks: query.locks });
  if (flags.export !== undefined) {
    const bytes = await writeExport(tool, query, flags.export);
    const { file } = flags.export;
    context.output.answer({ file, bytes }, [t('Written: {file}', { file })]);
  } else {
    const lines = await readLines(tool, query, flags.limit);
    if (flags.follow === true) {
      warn(context, unanswered);
      return new HistoryFollower(context, query).follow(lines.toReversed());
    }
    context.output.answer(lines.map(valueOf), entryLines(lines, lock === undefined));
    if (lines.length === 0) {
      context.output.progress(
        lock === undefined
          ? t('No recorded activity.')
          : t('No recorded activity for {name}.', { name: nameOf(lock) }),
      );
    }
  }
  warn(context, unanswered);
  return unanswered === null ? EXIT_STATUS.ok : EXIT_STATUS.tryLater;
};

function filterOf({ since, until, person, method }: HistoryFlags): Omit<HistoryQuery, 'locks'> {
  return {
    since: since ?? null,
    until: until ?? null,
    person: person ?? null,
    methods: method?.filter(isMethodWord) ?? null,
  };
}

function warn({ output }: CommandContext, unanswered: Message | null): void {
  if (unanswered !== null) {
    output.error(
      t('The latest entries may be missing; this is only what is stored here: {why}', {
        why: unanswered,
      }),
    );
  }
}

/** Never overwrites a file, and leaves no incomplete one behind. Resolves with the number of bytes. */
async function writeExport(
  tool: AccountTool,
  query: HistoryQuery,
  { file, format }: ExportFile,
): Promise<number> {
  return writePrivately({ file, kind: 'new' }, async (write) => {
    for (let below: unknown = null; ; ) {
      const part = await tool.call('history.export', { ...query, format, below });
      write(part.text);
      if (part.next === null) {
        return;
      }
      below = part.next;
    }
  });
}

function parseFile(file: string): ExportFile {
  const [, ending] = /\.(csv|json)$/iu.exec(file) ?? [];
  if (ending === undefined) {
    throw new InvalidArgumentError(t('Name a file that ends in .csv or .json.'));
  }
  return { file, format: ending.toLowerCase() === 'csv' ? 'csv' : 'json' };
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/u.test(text) || limit < 1 || limit > MOST_LINES) {
    throw new InvalidArgumentError(t('A limit is a number from 1 to {most}.', { most: MOST_LINES }));
  }
  return limit;
}
