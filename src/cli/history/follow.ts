// Follows a history: prints each new entry once, until the command is stopped.
import { SAME_WITHIN_MS } from '../../domain/time/time.ts';
import { valueOf } from '../../panel/history/file.ts';
import type { HistoryLineView, HistoryPageView } from '../../panel/views/history.ts';
import { messageOf } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { entryLines } from './lines.ts';

/** The pause between two looks while no event comes, in milliseconds (our choice). */
const POLL_EVERY_MS = 15_000;

/** The delay after an event, in milliseconds (our choice): by then its listing was taken in completely. */
const POLL_AFTER_MS = 1_000;

/** An entry may be dated this much before the newest printed one, in milliseconds (our choice). */
const LATE_MS = 10 * 60_000;

/** Entries of one look at most (our choice): after an outage, all locks of a house have a hundred new ones each. */
const MOST_NEW = 20_000;

/** Lines of one call. */
const PAGE_LINES = 500;

/** The number of printed entries that are remembered, so that none is printed twice. */
const MOST_SEEN = 2_000;

/** The question of every page of one run. */
export interface HistoryQuery {
  readonly locks: readonly string[] | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly person: string | null;
  readonly methods: readonly string[] | null;
}

export class HistoryFollower {
  readonly #context: CommandContext;
  readonly #query: HistoryQuery;
  readonly #begunAt: number;
  readonly #seen: HistoryLineView[] = [];
  #isPolling = false;
  #pollsAgain = false;
  #failure = '';

  constructor(context: CommandContext, query: HistoryQuery) {
    this.#context = context;
    this.#query = query;
    this.#begunAt = context.terminal.clock.now();
  }

  /** Never resolves: Ctrl-C ends the command. Rejects when the account is lost. */
  async follow(printed: readonly HistoryLineView[]): Promise<never> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    this.#print(printed);
    this.#context.session.listen({
      onEvent: ({ type }) => {
        if (type === 'lock' || type === 'alert') {
          this.#context.terminal.clock.after(POLL_AFTER_MS, () => void this.#poll());
        }
      },
      resumed: () => void this.#poll(),
      lost: reject,
    });
    this.#pollLater();
    return lost;
  }

  #pollLater(): void {
    this.#context.terminal.clock.after(POLL_EVERY_MS, () => {
      void this.#poll();
      this.#pollLater();
    });
  }

  /** Never rejects: a failure is logged once, and the next look tries again. */
  async #poll(): Promise<void> {
    if (this.#isPolling) {
      this.#pollsAgain = true;
      return;
    }
    this.#isPolling = true;
    try {
      this.#print(await this.#newLines());
      this.#failure = '';
    } catch (error) {
      const failure = oneLine(messageOf(error));
      if (failure !== this.#failure) {
        this.#context.output.error(t('The history could not be read: {why}', { why: failure }));
      }
      this.#failure = failure;
    }
    this.#isPolling = false;
    if (this.#pollsAgain) {
      this.#pollsAgain = false;
      void this.#poll();
    }
  }

  /** The oldest first. */
  async #newLines(): Promise<readonly HistoryLineView[]> {
    const tool = await this.#context.session.tool();
    await tool.call('history.refresh', { locks: this.#query.locks });
    const newest = Math.max(...this.#seen.map(placeOf), this.#seen.length === 0 ? this.#begunAt : 0);
    const since = Math.max(this.#query.since ?? 0, newest - LATE_MS);
    const lines = await readLines(tool, { ...this.#query, since }, MOST_NEW);
    return notPrinted(this.#seen, lines.toReversed());
  }

  #print(lines: readonly HistoryLineView[]): void {
    for (const line of lines) {
      this.#context.output.answer(valueOf(line), entryLines([line], this.#query.locks === null));
    }
    this.#seen.push(...lines);
    this.#seen.splice(0, Math.max(0, this.#seen.length - MOST_SEEN));
  }
}

/** The newest lines, page by page. */
export async function readLines(
  tool: Pick<AccountTool, 'call'>,
  query: HistoryQuery,
  limit: number,
): Promise<HistoryLineView[]> {
  const lines: HistoryLineView[] = [];
  for (let below = null; ; ) {
    const wanted = Math.min(PAGE_LINES, limit - lines.length);
    const page: HistoryPageView = await tool.call('history.page', { ...query, below, limit: wanted });
    lines.push(...page.lines);
    if (page.next === null || lines.length >= limit) {
      return lines;
    }
    below = page.next;
  }
}

function placeOf(line: HistoryLineView): number {
  return line.what === 'gap' ? line.to : line.at;
}

/** Each printed line accounts for one of the page: of two like entries within two seconds, both are printed. */
export function notPrinted(
  printed: readonly HistoryLineView[],
  lines: readonly HistoryLineView[],
): readonly HistoryLineView[] {
  const unmatched = [...printed];
  const withoutMatch = (rest: readonly HistoryLineView[], withinMs: number): readonly HistoryLineView[] =>
    rest.filter((line) => {
      const index = unmatched.findIndex((known) => isSame(known, line, withinMs));
      if (index !== -1) {
        unmatched.splice(index, 1);
      }
      return index === -1;
    });
  // Identical entries come first, so that none of them is mistaken for its neighbour.
  return withoutMatch(withoutMatch(lines, 0), SAME_WITHIN_MS);
}

/** The service's list repeats what a webhook reported, under another ID and up to two seconds apart. */
function isSame(known: HistoryLineView, line: HistoryLineView, withinMs: number): boolean {
  return (
    known.lock === line.lock &&
    (known.what === line.what || line.what === 'unrecognised' || known.what === 'unrecognised') &&
    Math.abs(placeOf(known) - placeOf(line)) <= withinMs
  );
}
