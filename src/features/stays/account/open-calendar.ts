// Opens the reader of booking calendars when the first calendar is read: an account without calendars never loads it.

import { message } from '../../../domain/language/message.ts';
import type { Clock } from '../../../support/clock.ts';
import type { CalendarGateway } from '../policy/calendar-ports.ts';

export interface CalendarReaderNeeds {
  readonly clock: Clock;
  /** Calendars on this computer over http, and in private networks. */
  readonly allowed: { readonly insecureLoopback: boolean; readonly privateHosts: boolean };
}

interface OpenedCalendar extends CalendarGateway {
  /** Ends every reading, and every later one at once. */
  close(): void;
}

type OpenReader = (needs: CalendarReaderNeeds) => Promise<OpenedCalendar>;

/** The only place that imports the reader. Rejects when its files cannot be loaded. */
const openReader: OpenReader = async (needs) => {
  const { CalendarReader } = await import('../calendar/calendar-reader.ts');
  return new CalendarReader(needs);
};

/** Opens the reader with the first request; after a failure the next request tries again. */
export class LazyCalendar implements CalendarGateway {
  readonly #needs: CalendarReaderNeeds;
  readonly #open: OpenReader;
  #opened: Promise<OpenedCalendar> | null = null;
  #isClosed = false;

  constructor(needs: CalendarReaderNeeds, open: OpenReader = openReader) {
    this.#needs = needs;
    this.#open = open;
  }

  readonly read: CalendarGateway['read'] = async (question) => {
    if (this.#isClosed) {
      // A reader that is opened after the end would never be closed.
      return {
        kind: 'failed',
        failure: 'timed-out',
        words: message('Reading the calendar was interrupted.'),
      };
    }
    this.#opened ??= this.#open(this.#needs);
    try {
      return await (await this.#opened).read(question);
    } catch {
      this.#opened = null;
      const words = message('The reader of calendars could not be loaded. Install the plugin again.');
      return { kind: 'failed', failure: 'unreachable', words };
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => null);
    opened?.close();
  }
}
