// Reads booking calendars: asks the portal, then parses the answer in a thread, one calendar at a time.

import type { Clock } from '../../../support/clock.ts';
import type { CalendarGateway, CalendarQuestion, CalendarReading } from '../policy/calendar-ports.ts';
import { CalendarClient, type CalendarClientSettings } from './calendar-client.ts';
import { failedReading } from './calendar-problems.ts';
import type { ParsedCalendar } from './parse-calendar.ts';
import type { ParserTask } from './parser-messages.ts';
import { parseApart } from './parser-thread.ts';

export interface CalendarReaderSettings extends CalendarClientSettings {
  /** Parses an answer. When left out, a thread does; tests that need no thread pass their own. */
  readonly parse?: (task: ParserTask, clock: Clock, signal: AbortSignal) => Promise<ParsedCalendar>;
}

export class CalendarReader implements CalendarGateway {
  readonly #settings: CalendarReaderSettings;
  readonly #client: CalendarClient;
  readonly #closing = new AbortController();
  /** Threads take turns: twenty at once would take the memory of a small computer. */
  #lastThread: Promise<unknown> = Promise.resolve();

  constructor(settings: CalendarReaderSettings) {
    this.#settings = settings;
    this.#client = new CalendarClient(settings);
  }

  async read({ address, validators, from, until }: CalendarQuestion): Promise<CalendarReading> {
    const { signal } = this.#closing;
    const fetched = await this.#client.fetch(address, validators, signal);
    if (fetched.kind === 'failed') {
      const { problem, status, retryAfterMs } = fetched;
      return { ...failedReading(problem, status), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    if (fetched.kind === 'unchanged') {
      return fetched;
    }
    const task = { body: fetched.body, span: { from, until } };
    const { clock, parse = parseApart } = this.#settings;
    const thread = this.#lastThread.then(async () => parse(task, clock, signal));
    this.#lastThread = thread;
    const parsed = await thread;
    return parsed.kind === 'failed'
      ? failedReading(parsed.problem)
      : { ...parsed, validators: fetched.validators };
  }

  /** Ends every reading, and every later one at once. */
  close(): void {
    this.#closing.abort();
  }
}
