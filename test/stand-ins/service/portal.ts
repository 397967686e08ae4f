// One calendar at a booking portal, which can fail.
import { message } from '../../../src/domain/language/message.ts';
import type {
  CalendarEntry,
  CalendarGateway,
  CalendarQuestion,
  CalendarReading,
} from '../../../src/features/stays/policy/calendar-ports.ts';

/** The answer of a portal in place of its calendar. */
export type PortalFault = 'broken' | 'empty' | 'half' | null;

/** One calendar at a portal. */
export class StandInPortal implements CalendarGateway {
  entries: readonly CalendarEntry[] = [];
  fault: PortalFault = null;
  /** The pause that a failure asks for. */
  retryAfterMs: number | null = null;
  readings = 0;
  /** What this reading shows of them. */
  show: (entries: readonly CalendarEntry[]) => readonly CalendarEntry[] = (entries) => entries;

  async read(question: CalendarQuestion): Promise<CalendarReading> {
    this.readings += 1;
    if (this.fault === 'broken') {
      return Promise.resolve({
        kind: 'failed',
        failure: 'failing',
        words: message('The portal fails.'),
        ...(this.retryAfterMs === null ? {} : { retryAfterMs: this.retryAfterMs }),
      });
    }
    const entries = this.#shown();
    const etag = JSON.stringify(entries);
    const reading: CalendarReading = {
      kind: 'entries',
      entries,
      leftOut: 0,
      validators: { etag, lastModified: null },
    };
    return Promise.resolve(question.validators?.etag === etag ? { kind: 'unchanged' } : reading);
  }

  #shown(): readonly CalendarEntry[] {
    return this.fault === 'empty'
      ? []
      : this.fault === 'half'
        ? this.entries.slice(0, Math.floor(this.entries.length / 3))
        : this.show(this.entries);
  }
}
