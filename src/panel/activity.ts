// Keeps the last hundred activity entries for the dashboard, in memory.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { LastMove } from '../domain/locks/move.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { RuntimeEvent, RuntimeView } from '../engine/account-runtime.ts';
import { isOfStay, type LockRuntimeEvent } from '../engine/locks/event-bus.ts';
import type { Emitter } from '../support/emitter.ts';
import { type ActivityEntry, activityEntriesOf } from './activity-entries.ts';
import type { PanelEvent } from './panel-event.ts';
import { type ActivityView, MAX_ACTIVITY } from './views/activity.ts';

/** Locks that appear within this time are of one listing, in milliseconds (our choice). */
const AT_ONCE_MS = 1_000;

interface Entry {
  readonly view: ActivityView;
  readonly settled: boolean;
}

export class Activity {
  readonly #parts;
  readonly #entries: Entry[] = [];
  #lastNumber = 0;
  /** The link as it was emitted last; null before the first event, which is no change. */
  #link: RuntimeLinkState | null = null;

  constructor(parts: {
    readonly runtime: Pick<RuntimeView, 'lock' | 'subscribe'>;
    readonly serviceClock: ServiceClock;
    /** Receives every new entry, and every entry that was completed later. */
    readonly events: Pick<Emitter<PanelEvent>, 'emit'>;
  }) {
    this.#parts = parts;
    parts.runtime.subscribe((event) => this.#receive(event));
  }

  /** The newest last. */
  list(): readonly ActivityView[] {
    return this.#entries.map(({ view }) => view);
  }

  /** History was erased: no entry names any of those people. */
  forgetErased(isErased: (id: LockId, move: LastMove) => boolean): void {
    for (const entry of this.#entries) {
      const { lock, detail } = entry.view;
      if (detail.type === 'bolt' && detail.move !== null && lock !== null && isErased(lock.id, detail.move)) {
        const by = { ...detail.move.by, name: null };
        this.#replace(entry, { detail: { ...detail, move: { ...detail.move, by } }, settled: entry.settled });
      }
    }
  }

  #receive(event: RuntimeEvent): void {
    if (isOfStay(event)) {
      return;
    }
    for (const entry of activityEntriesOf(event)) {
      if (entry.detail.type === 'link' && !this.#isNewLink(entry.detail.link)) {
        continue;
      }
      this.#take(entry, this.#about(event));
    }
  }

  #take(entry: ActivityEntry, lock: ActivityView['lock']): void {
    const { detail } = entry;
    const known = detail.type === 'bolt' && lock !== null ? this.#boltEntries(lock.id) : [];
    if (entry.corrects === true) {
      const wrong = known.find((one) => isSameMove(one, entry));
      if (wrong !== undefined) {
        this.#replace(wrong, entry);
      }
      return;
    }
    const last = known.at(-1);
    if (last === undefined || detail.type !== 'bolt' || !sameBolt(last, entry) || last.settled) {
      // After a settled entry, the bolt was moved again to the same position, as by an auto-lock at a set hour.
      this.#add(entry, lock);
    } else if (detail.move !== null && isMoveOf(detail.move, known.at(-2))) {
      this.#replace(last, entry);
    }
    // Otherwise it is a late report of an earlier move, which belongs to the lock's history.
  }

  #add({ detail, settled }: ActivityEntry, lock: ActivityView['lock']): void {
    const at = this.#parts.serviceClock.now();
    const last = this.#entries.at(-1);
    // The locks of one listing are one entry: 149 would leave no room for anything else.
    if (
      detail.type === 'appeared' &&
      last?.view.detail.type === 'appeared' &&
      at - last.view.at < AT_ONCE_MS
    ) {
      const others = last.view.detail.others + 1;
      this.#replace(last, { detail: { type: 'appeared', others }, settled });
      return;
    }
    this.#lastNumber += 1;
    const view = { number: this.#lastNumber, at, lock, detail };
    this.#entries.push({ view, settled });
    if (this.#entries.length > MAX_ACTIVITY) {
      this.#entries.shift();
    }
    this.#parts.events.emit({ type: 'activity', activity: view });
  }

  #replace(entry: Entry, { detail, settled }: ActivityEntry): void {
    const view = { ...entry.view, detail };
    this.#entries[this.#entries.indexOf(entry)] = { view, settled };
    this.#parts.events.emit({ type: 'activity', activity: view });
  }

  #boltEntries(id: LockId): readonly Entry[] {
    return this.#entries.filter(({ view }) => view.detail.type === 'bolt' && view.lock?.id === id);
  }

  #isNewLink(link: RuntimeLinkState): boolean {
    const isNew = this.#link !== null && this.#link !== link;
    this.#link = link;
    return isNew;
  }

  #about(event: LockRuntimeEvent): ActivityView['lock'] {
    switch (event.type) {
      case 'link-changed':
      case 'service-away':
      case 'locks-refreshed':
      case 'codes-changed':
      case 'code-operation':
        return null;
      case 'lock-appeared':
      case 'lock-changed':
        return { id: event.lock.id, name: event.lock.description.name };
      case 'lock-removed':
        return { id: event.id, name: event.name };
      case 'alert':
      case 'command-ended':
        return { id: event.id, name: this.#parts.runtime.lock(event.id)?.description.name ?? '' };
    }
  }
}

/**
 * Whether a move that is learned later made the present position: it is later than the move before. One of ours is dated when
 * it was sent, which may be before the listing that found the position before it.
 */
function isMoveOf({ by, at }: LastMove, before: Entry | undefined): boolean {
  if (before === undefined || by.method === 'own-command') {
    return true;
  }
  const { detail, at: foundAt } = before.view;
  return at > (detail.type === 'bolt' && detail.move !== null ? detail.move.at : foundAt);
}

/** The author of a move may be corrected; its date stays. */
function isSameMove({ view: { detail: known } }: Entry, { detail }: ActivityEntry): boolean {
  return known.type === 'bolt' && detail.type === 'bolt' && known.move?.at === detail.move?.at;
}

function sameBolt({ view }: Entry, { detail }: ActivityEntry): boolean {
  return view.detail.type === 'bolt' && detail.type === 'bolt' && view.detail.bolt === detail.bolt;
}
