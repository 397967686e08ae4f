// The last hundred things that happened, for the dashboard: in memory, for as long as this process lives.
import type { HouseLink } from '../domain/account.ts';
import { type LockId, lockId } from '../domain/lock.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { Broadcast } from '../support/broadcast.ts';
import type { HouseHappening, HouseView } from '../sync/house.ts';
import { type Heard, heardIn } from './happening-news.ts';
import { type HappeningView, MOST_HAPPENINGS } from './happening-view.ts';
import type { PanelEvent } from './panel-event.ts';

export interface HappeningsParts {
  readonly house: Pick<HouseView, 'lock' | 'subscribe'>;
  readonly serviceClock: ServiceClock;
  /** Hears of every entry that is new, and of one that was told before and says more now. */
  readonly news: Pick<Broadcast<PanelEvent>, 'tell'>;
}

interface Entry {
  readonly view: HappeningView;
  readonly settled: boolean;
}

/** Entries are copied from these, as lock-machine.ts copies what stays. */
const LOCK: NonNullable<HappeningView['lock']> = { id: lockId(''), name: '' };
const VIEW: HappeningView = {
  number: 0,
  at: Number.NEGATIVE_INFINITY,
  lock: LOCK,
  news: { type: 'removed' },
};
const ENTRY: Entry = { view: VIEW, settled: true };

export class Happenings {
  readonly #parts: HappeningsParts;
  readonly #entries: Entry[] = [];
  #lastNumber = 0;
  /** The link as it was told last: that it is as before is no news. Null until the first word, which is no change. */
  #link: HouseLink | null = null;

  constructor(parts: HappeningsParts) {
    this.#parts = parts;
    parts.house.subscribe((happening) => {
      this.#hear(happening);
    });
  }

  /** The newest last. */
  list(): readonly HappeningView[] {
    return this.#entries.map(({ view }) => view);
  }

  #hear(happening: HouseHappening): void {
    for (const heard of heardIn(happening)) {
      if (heard.news.type === 'link' && !this.#isNewLink(heard.news.link)) {
        continue;
      }
      this.#take(heard, this.#about(happening));
    }
  }

  #take(heard: Heard, lock: HappeningView['lock']): void {
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
    // Else it is told late, of a move before others that are listed: that is for the lock's history.
  }

  #add({ news, settled }: Heard, lock: HappeningView['lock']): void {
    this.#lastNumber += 1;
    const view = { ...VIEW, number: this.#lastNumber, at: this.#parts.serviceClock.now(), lock, news };
    this.#entries.push({ ...ENTRY, view, settled });
    if (this.#entries.length > MOST_HAPPENINGS) {
      this.#entries.shift();
    }
    this.#parts.news.tell({ type: 'happening', happening: view });
  }

  #replace(entry: Entry, { news, settled }: Heard): void {
    const view = { ...entry.view, news };
    this.#entries[this.#entries.indexOf(entry)] = { view, settled };
    this.#parts.news.tell({ type: 'happening', happening: view });
  }

  #boltEntries(id: LockId): readonly Entry[] {
    return this.#entries.filter(({ view }) => view.news.type === 'bolt' && view.lock?.id === id);
  }

  #isNewLink(link: HouseLink): boolean {
    const isNew = this.#link !== null && this.#link !== link;
    this.#link = link;
    return isNew;
  }

  #about(happening: HouseHappening): HappeningView['lock'] {
    switch (happening.type) {
      case 'link-changed':
      case 'locks-refreshed':
        return null;
      case 'lock-appeared':
      case 'lock-changed':
        return { ...LOCK, id: happening.lock.id, name: happening.lock.description.name };
      case 'lock-removed':
        return { id: happening.id, name: happening.name };
      case 'alert':
      case 'command-ended': {
        const { id } = happening;
        return { id, name: this.#parts.house.lock(id)?.description.name ?? '' };
      }
    }
  }
}

function sameBolt({ view }: Entry, { news }: Heard): boolean {
  return view.news.type === 'bolt' && news.type === 'bolt' && view.news.bolt === news.bolt;
}
