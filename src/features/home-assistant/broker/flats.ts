// The flats of booking calendars at a broker, a device each: who is there or comes next, and whether the code is ready.
import type { BookedFlat, BookedStay, BookedStays } from '../../../domain/codes/booked-stays.ts';
import { speakableName } from '../../../domain/locks/access.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Announcements } from './announcements.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { availability, type Discovery, ORIGIN, originOf, TRUE_OR_FALSE } from './discovery.ts';
import { isoOf } from './lock-state.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { shownName } from './shown-name.ts';
import type { AccountTopics, DeviceTopics } from './topics.ts';

/** Members as docs/operate/mqtt.md describes them; no digits, no phone and no words of the booking. */
interface FlatState {
  readonly name: string;
  readonly stay: string | null;
  readonly phase: 'free' | 'expected' | 'there';
  readonly from: string | null;
  readonly until: string | null;
  readonly code_ready: boolean | null;
  /** Of any stay of the flat, from a day before its check-in: the guest who is there does not hide the next one. */
  readonly code_missing: boolean;
  readonly locks: readonly string[];
}

interface Shown {
  readonly topics: DeviceTopics;
  state: string;
  /** As it was announced; null before. */
  name: string | null;
}

export class Flats {
  readonly #parts;
  readonly #shown = new Map<string, Shown>();

  constructor(parts: {
    readonly topics: AccountTopics;
    readonly retained: RetainedTopics;
    readonly announcements: Announcements;
    readonly memory: Pick<BrokerMemory, 'announce'>;
    readonly stays: BookedStays;
    /** Null before the service has told its time: nothing is claimed. */
    readonly serviceNow: () => number | null;
    /** The name of a lock at this broker; null: it is not shown here. */
    readonly lockName: (id: LockId) => string | null;
    readonly homeAssistant: boolean;
    readonly version: string;
    /** Calendars were removed: their topics are to go. */
    readonly onRemoved: () => void;
  }) {
    this.#parts = parts;
    this.show();
  }

  get topics(): readonly DeviceTopics[] {
    return [...this.#shown.values()].map(({ topics }) => topics);
  }

  /** Publishes what changed; time alone changes it, too. */
  show(): void {
    const now = this.#parts.serviceNow();
    if (now === null) {
      return;
    }
    const calendars = this.#parts.stays.calendars();
    const stays = calendars.length === 0 ? [] : this.#parts.stays.list();
    for (const calendar of calendars) {
      const own = stays.filter(({ calendarId, phase }) => calendarId === calendar.id && OPEN.has(phase));
      this.#publish(calendar, this.#stateOf(calendar, own, now));
    }
    this.#forget(new Set(calendars.map(({ id }) => id)));
  }

  #publish({ id }: BookedFlat, state: FlatState): void {
    const { retained, announcements, memory, homeAssistant, topics: all } = this.#parts;
    const topics = all.flat(id);
    const known = this.#shown.get(id);
    const shown = known ?? { topics, state: '', name: null };
    if (known === undefined) {
      // Noted before they are published, so that a process that dies in between leaves no unknown topic.
      memory.announce([topics.state, ...(homeAssistant ? [topics.discovery] : [])]);
      this.#shown.set(id, shown);
    }
    if (homeAssistant && state.name !== shown.name) {
      shown.name = state.name;
      announcements.show(topics.discovery, this.#discoveryOf(topics, state.name));
    }
    const text = JSON.stringify(state);
    if (text !== shown.state) {
      shown.state = text;
      retained.set(topics.state, text);
    }
  }

  #forget(kept: ReadonlySet<string>): void {
    const { retained, announcements, onRemoved } = this.#parts;
    const gone = [...this.#shown].filter(([id]) => !kept.has(id));
    for (const [id, { topics }] of gone) {
      this.#shown.delete(id);
      retained.drop(topics.state);
      announcements.drop(topics.discovery);
    }
    if (gone.length > 0) {
      onRemoved();
    }
  }

  #stateOf(calendar: BookedFlat, open: readonly BookedStay[], now: number): FlatState {
    const [first] = open.toSorted((a, b) => a.arrivalAt - b.arrivalAt);
    const locks = calendar.locks.map((id) => this.#parts.lockName(id)).filter((name) => name !== null);
    const flat = {
      name: shownName(calendar.name, 'Flat'),
      code_missing: open.some(({ isCodeLate }) => isCodeLate),
      locks,
    };
    return first === undefined
      ? { ...flat, stay: null, phase: 'free', from: null, until: null, code_ready: null }
      : {
          ...flat,
          stay: shownName(speakableName(first.name) ?? '', 'Stay'),
          phase: first.arrivalAt <= now || first.arrivedAt !== null ? 'there' : 'expected',
          from: isoOf(first.arrivalAt),
          until: isoOf(first.departureAt),
          code_ready: first.isCodeReady,
        };
  }

  #discoveryOf({ state, uniqueId }: DeviceTopics, name: string): Discovery {
    const { topics, version } = this.#parts;
    return {
      device: { identifiers: [uniqueId], name, manufacturer: ORIGIN, via_device: topics.account.uniqueId },
      origin: originOf(version),
      components: {
        stay: {
          unique_id: `${uniqueId}_stay`,
          platform: 'sensor',
          name: 'Stay',
          value_template: "{{ value_json.stay or 'Free' }}",
          json_attributes_topic: state,
          json_attributes_template: ATTRIBUTES,
          ...availability(topics.status),
        },
        code_missing: {
          unique_id: `${uniqueId}_code_missing`,
          platform: 'binary_sensor',
          device_class: 'problem',
          name: 'Code missing',
          value_template: '{{ value_json.code_missing }}',
          ...TRUE_OR_FALSE,
          ...availability(topics.status),
        },
      },
      state_topic: state,
      qos: 1,
    };
  }
}

/** Stays of which somebody is there or will come. */
const OPEN: ReadonlySet<BookedStay['phase']> = new Set(['planned', 'preparing', 'ready', 'arrived']);

const ATTRIBUTES = `{{ {${['phase', 'from', 'until', 'code_ready', 'locks']
  .map((member) => `'${member}': value_json.${member}`)
  .join(', ')}} | tojson }}`;
