// The last hundred things that happened, for the dashboard: in memory, for as long as this process lives.
import type { RuntimeLinkState } from '../domain/account.ts';
import { type LockId, lockId } from '../domain/lock.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { Emitter } from '../support/emitter.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { type ActivityEntry, activityEntriesOf } from './activity-entries.ts';
import { type ActivityView, MAX_ACTIVITY } from './activity-view.ts';
import type { PanelEvent } from './panel-event.ts';

export interface ActivityParts {
  readonly runtime: Pick<RuntimeView, 'lock' | 'subscribe'>;
  readonly serviceClock: ServiceClock;
  /** Hears of every entry that is new, and of one that was emitted before and says more now. */
  readonly news: Pick<Emitter<PanelEvent>, 'emit'>;
}

interface Entry {
  readonly view: ActivityView;
  readonly settled: boolean;
}

/** Entries are copied from these, as lock-machine.ts copies what stays. */
const LOCK: NonNullable<ActivityView['lock']> = { id: lockId(''), name: '' };
const VIEW: ActivityView = {
  number: 0,
  at: Number.NEGATIVE_INFINITY,
  lock: LOCK,
  news: { type: 'removed' },
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
    parts.runtime.subscribe((event) => {
      this.#hear(event);
    });
  }

  /** The newest last. */
  list(): readonly ActivityView[] {
    return this.#entries.map(({ view }) => view);
  }

  #hear(event: RuntimeEvent): void {
    for (const heard of activityEntriesOf(event)) {
      if (heard.news.type === 'link' && !this.#isNewLink(heard.news.link)) {
        continue;
      }
      this.#take(heard, this.#about(event));
    }
  }

  #take(heard: ActivityEntry, lock: ActivityView['lock']): void {
    const { news } = heard;
    const known = news.type === 'bolt' && lock !== null ? this.#boltEntries(lock.id) : [];
    const last = known.at(-1);
    const repeats = last !== undefined && news.type === 'bolt' && sameBolt(last, heard);
    if (!repeats) {
      this.#add(heard, lock);
      return;
    }
    const movedAt = news.move?.at ?? 0;
    if (last.settled) {
      // It was moved again to where it stood, as a lock does that locks by itself at a set hour.
      this.#add(heard, lock);
    } else if (movedAt > (known.at(-2)?.view.at ?? 0)) {
      this.#replace(last, heard);
    }
    // Else it is a late report of a move before others that are listed: that is for the lock's history.
  }

  #add({ news, settled }: ActivityEntry, lock: ActivityView['lock']): void {
    this.#lastNumber += 1;
    const view = { ...VIEW, number: this.#lastNumber, at: this.#parts.serviceClock.now(), lock, news };
    this.#entries.push({ ...ENTRY, view, settled });
    if (this.#entries.length > MAX_ACTIVITY) {
      this.#entries.shift();
    }
    this.#parts.news.emit({ type: 'activity', activity: view });
  }

  #replace(entry: Entry, { news, settled }: ActivityEntry): void {
    const view = { ...entry.view, news };
    this.#entries[this.#entries.indexOf(entry)] = { view, settled };
    this.#parts.news.emit({ type: 'activity', activity: view });
  }

  #boltEntries(id: LockId): readonly Entry[] {
    return this.#entries.filter(({ view }) => view.news.type === 'bolt' && view.lock?.id === id);
  }

  #isNewLink(link: RuntimeLinkState): boolean {
    const isNew = this.#link !== null && this.#link !== link;
    this.#link = link;
    return isNew;
  }

  #about(event: RuntimeEvent): ActivityView['lock'] {
    switch (event.type) {
      case 'link-changed':
      case 'locks-refreshed':
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

function sameBolt({ view }: Entry, { news }: ActivityEntry): boolean {
  return view.news.type === 'bolt' && news.type === 'bolt' && view.news.bolt === news.bolt;
}
