// Keeps the last hundred activity entries for the dashboard, in memory.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import { type LockId, lockId } from '../domain/locks/lock.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { Emitter } from '../support/emitter.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { isOfStay, type LockRuntimeEvent } from '../sync/locks/event-bus.ts';
import { type ActivityEntry, activityEntriesOf } from './activity-entries.ts';
import type { PanelEvent } from './panel-event.ts';
import { type ActivityView, MAX_ACTIVITY } from './views/activity.ts';

export interface ActivityParts {
  readonly runtime: Pick<RuntimeView, 'lock' | 'subscribe'>;
  readonly serviceClock: ServiceClock;
  /** Receives every new entry, and every entry that was completed later. */
  readonly events: Pick<Emitter<PanelEvent>, 'emit'>;
}

interface Entry {
  readonly view: ActivityView;
  readonly settled: boolean;
}

/** Entries are copied from these, so that all have one shape, as in lock-machine.ts. */
const LOCK: NonNullable<ActivityView['lock']> = { id: lockId(''), name: '' };
const VIEW: ActivityView = {
  number: 0,
  at: Number.NEGATIVE_INFINITY,
  lock: LOCK,
  detail: { type: 'removed' },
};
const ENTRY: Entry = { view: VIEW, settled: true };

export class Activity {
  readonly #parts: ActivityParts;
  readonly #entries: Entry[] = [];
  #lastNumber = 0;
  /** The link as it was emitted last; null before the first event, which is no change. */
  #link: RuntimeLinkState | null = null;

  constructor(parts: ActivityParts) {
    this.#parts = parts;
    parts.runtime.subscribe((event) => this.#receive(event));
  }

  /** The newest last. */
  list(): readonly ActivityView[] {
    return this.#entries.map(({ view }) => view);
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
    const last = known.at(-1);
    const repeats = last !== undefined && detail.type === 'bolt' && sameBolt(last, entry);
    if (!repeats) {
      this.#add(entry, lock);
      return;
    }
    const movedAt = detail.move?.at ?? 0;
    if (last.settled) {
      // The bolt was moved again to the same position, for example by an auto-lock at a set hour.
      this.#add(entry, lock);
    } else if (movedAt > (known.at(-2)?.view.at ?? 0)) {
      this.#replace(last, entry);
    }
    // Otherwise it is a late report of an earlier move, which belongs to the lock's history.
  }

  #add({ detail, settled }: ActivityEntry, lock: ActivityView['lock']): void {
    this.#lastNumber += 1;
    const view = { ...VIEW, number: this.#lastNumber, at: this.#parts.serviceClock.now(), lock, detail };
    this.#entries.push({ ...ENTRY, view, settled });
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
      case 'locks-refreshed':
      case 'codes-changed':
      case 'code-operation':
        return null;
      case 'lock-appeared':
      case 'lock-changed':
        return { ...LOCK, id: event.lock.id, name: event.lock.description.name };
      case 'lock-removed':
        return { id: event.id, name: event.name };
      case 'alert':
      case 'command-ended': {
        const { id } = event;
        return { id, name: this.#parts.runtime.lock(id)?.description.name ?? '' };
      }
    }
  }
}

function sameBolt({ view }: Entry, { detail }: ActivityEntry): boolean {
  return view.detail.type === 'bolt' && detail.type === 'bolt' && view.detail.bolt === detail.bolt;
}
