// Keeps the pages' knowledge current: reads everything when the line stands, then what events make out of date.
import { nextLookMs, WATCH_EVERY_MS } from '../../../src/panel/lock-watch.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import { after, browserNow } from '../../shared/browser-clock.ts';
import {
  type AccountState,
  afterEvent,
  NOTHING_KNOWN,
  READINGS,
  type Reading,
  readingsAfter,
  withTrouble,
} from './account-state.ts';
import { shownError, type Transport } from './transport.ts';

/** Events that have not begun to come in by then do not come, in milliseconds (our choice). */
const FIRST_WORD_WITHIN_MS = 4_500;

/**
 * Positions only were what is shown when no reading has succeeded for this long, in milliseconds: a stream that lives is no
 * proof that readings do (faults, row 160).
 */
const READ_WITHIN_MS = 10_000;

/** Each report draws the page: a burst of events is one report, in milliseconds (our choice). */
const REPORT_EVERY_MS = 250;

/** One reading under way. Its answer may be older than an event that was received meanwhile. */
interface Question {
  readonly received: PanelEvent[];
  /** Those whose own answer was dropped for this one. */
  readonly waiting: (() => void)[];
}

export class StateStream {
  readonly #transport: Transport;
  readonly #onChange: (state: AccountState) => void;
  #end = (): void => undefined;
  #callOff = (): void => undefined;
  /** The newest question of each reading: the answer to an older one is dropped. */
  readonly #asked = new Map<Reading, Question>();
  #state = NOTHING_KNOWN;
  #isReported = true;
  #quietUntil = 0;
  #callOffReport = (): void => undefined;
  /** Called after the next report. */
  readonly #awaited: (() => void)[] = [];
  /** Runs from the first look at the service that is not answered yet. */
  #callOffDoubt: (() => void) | null = null;
  #isOver = false;

  /** Calls back with the whole, at most ten times a second, until it is closed. */
  constructor(transport: Transport, onChange: (state: AccountState) => void) {
    this.#transport = transport;
    this.#onChange = onChange;
  }

  start(): void {
    this.#end = this.#transport.listen(
      (event) => this.#hear(event),
      (connected) => void this.#hearOf(connected),
    );
    this.#callOff = after(FIRST_WORD_WITHIN_MS, () => {
      if (!this.#state.connected) {
        this.#learn({ ...this.#state, lostAt: this.#state.lostAt ?? browserNow() });
      }
    });
  }

  /** Reads these anew, and resolves once the answers are reported. Never rejects: what fails stands in `troubles`. */
  async read(...readings: readonly Reading[]): Promise<void> {
    await this.#readAll(readings);
    if (!this.#isReported && !this.#isOver) {
      await new Promise<void>((resolve) => this.#awaited.push(resolve));
    }
  }

  async #readAll(readings: readonly Reading[]): Promise<void> {
    const allowed = readings.filter((reading) => this.#transport.may(reading));
    await Promise.all(allowed.map(async (reading) => this.#readOne(reading)));
  }

  /**
   * For a page that is looked at: has the locks listed when that is due, and learns how the service is. Resolves with when
   * to look again, in milliseconds.
   */
  async watch(): Promise<number> {
    const { connected, lostAt, status } = this.#state;
    if (connected && lostAt !== null) {
      await this.#catchUp();
    } else if (connected && status?.link === 'linked') {
      this.#callOffDoubt ??= after(READ_WITHIN_MS - WATCH_EVERY_MS, () => this.#doubt());
      await this.#readOne('status', 'watch');
    }
    return this.#state.status === null ? WATCH_EVERY_MS : nextLookMs(this.#state.status);
  }

  close(): void {
    this.#isOver = true;
    this.#callOff();
    this.#callOffReport();
    this.#callOffDoubt?.();
    this.#report();
    this.#end();
  }

  #doubt(): void {
    this.#callOffDoubt = null;
    this.#learn({ ...this.#state, lostAt: this.#state.lostAt ?? this.#state.statusAt });
  }

  async #hearOf(connected: boolean): Promise<void> {
    const isLost = !connected && this.#state.connected;
    this.#learn({
      ...this.#state,
      connected,
      lostAt: isLost ? (this.#state.lostAt ?? browserNow()) : this.#state.lostAt,
    });
    if (connected) {
      await this.#catchUp();
    }
  }

  /** Answers from before a loss are current again only when everything has been read anew. */
  async #catchUp(): Promise<void> {
    await this.#readAll(READINGS);
    if (this.#state.connected && !this.#state.troubles.has('locks')) {
      this.#learn({ ...this.#state, lostAt: null });
    }
  }

  #hear(event: PanelEvent): void {
    const outdated = readingsAfter(this.#state, event);
    for (const question of this.#asked.values()) {
      question.received.push(event);
    }
    this.#learn(afterEvent(this.#state, event));
    void this.#readAll(outdated);
  }

  async #readOne(reading: Reading, operation: Reading | 'watch' = reading): Promise<void> {
    const question: Question = { received: [], waiting: [] };
    this.#asked.set(reading, question);
    let isDropped = true;
    try {
      const result = await this.#transport.call(operation);
      if (this.#asked.get(reading) === question) {
        isDropped = false;
        this.#asked.delete(reading);
        this.#answered(reading, result, question.received);
      }
    } catch (thrown) {
      if (this.#asked.get(reading) === question) {
        isDropped = false;
        this.#asked.delete(reading);
        this.#learn(withTrouble(this.#state, reading, shownError(thrown)));
      }
    }
    const newer = this.#asked.get(reading);
    if (isDropped && newer !== undefined) {
      // What was asked for is known with the newer answer only.
      await new Promise<void>((resolve) => newer.waiting.push(resolve));
    }
    for (const resolve of question.waiting) {
      resolve();
    }
  }

  /** The answer or the event may be the newer one: the event stands, and the reading is made once more. */
  #answered(reading: Reading, result: unknown, received: readonly PanelEvent[]): void {
    if (reading === 'status') {
      this.#callOffDoubt?.();
      this.#callOffDoubt = null;
    }
    const before = withTrouble({ ...this.#state, [reading]: result }, reading, null);
    const reported = received.reduce(afterEvent, before);
    const known = { ...before, [reading]: reported[reading] };
    this.#learn(dated(known, reading));
    if (known[reading] !== before[reading]) {
      void this.#readOne(reading);
    }
  }

  /** Reports a change at once, unless a report was made a moment ago: then the next one includes it. */
  #learn(state: AccountState): void {
    this.#state = state;
    if (!this.#isReported || this.#isOver) {
      return;
    }
    this.#isReported = false;
    // The browser's clock may be set back meanwhile.
    const waitMs = Math.min(REPORT_EVERY_MS, this.#quietUntil - browserNow());
    if (waitMs > 0) {
      this.#callOffReport = after(waitMs, () => this.#report());
    } else {
      queueMicrotask(() => this.#report());
    }
  }

  #report(): void {
    this.#isReported = true;
    if (!this.#isOver) {
      this.#quietUntil = browserNow() + REPORT_EVERY_MS;
      this.#onChange(this.#state);
    }
    for (const resolve of this.#awaited.splice(0)) {
      resolve();
    }
  }
}

/** The answer with the time of reading, for members that tell how long ago something was. */
function dated(state: AccountState, reading: Reading): AccountState {
  const now = browserNow();
  if (reading === 'webhooks.status') {
    return { ...state, webhooksAt: now };
  }
  return reading === 'status' && state.status !== null
    ? { ...state, statusAt: now, aheadMs: state.status.serviceNow - now }
    : state;
}
