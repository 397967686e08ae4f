// Everything the page knows, kept current by the simulator's event stream.

import { after } from '../../web/shared/browser-clock.ts';
import type { RequestLine } from '../src/control/request-line.ts';
import type { Snapshot } from '../src/control/snapshot.ts';
import type { AttemptRecord } from '../src/webhooks/courier.ts';
import type { LockState } from '../src/world/records.ts';
import type { WorldEvent } from '../src/world/world-event.ts';
import { type Diary, writeDiary } from './diary.ts';

/** How many requests and deliveries the page lists. */
const LISTED = 100;

/** The pause after a refused stream; the browser itself opens a broken one again. */
const REOPEN_AFTER_MS = 2000;

/** All that is known at one moment; the newest entries first. */
export interface ServiceState {
  readonly connected: boolean;
  /** Null before the first word. */
  readonly snapshot: Snapshot | null;
  readonly diary: Diary;
  readonly latest: WorldEvent | null;
  readonly requests: readonly RequestLine[];
  readonly deliveries: readonly AttemptRecord[];
}

/** The state before the first event. */
export const EMPTY_SERVICE_STATE: ServiceState = {
  connected: false,
  snapshot: null,
  diary: new Map(),
  latest: null,
  requests: [],
  deliveries: [],
};

/** The events of the stream, by name. */
interface StreamEvents {
  readonly state: Snapshot;
  readonly activity: WorldEvent;
  readonly request: RequestLine;
  readonly delivery: AttemptRecord;
}

function listen<Event extends keyof StreamEvents>(
  stream: EventSource,
  event: Event,
  onEvent: (payload: StreamEvents[Event]) => void,
): void {
  stream.addEventListener(event, ({ data }: MessageEvent<string>) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page and its server are built together
    onEvent(JSON.parse(data) as StreamEvents[Event]);
  });
}

/** The locks with the objects of before for those that stand as before: only what changed is drawn again. */
function keepSame(locks: Snapshot['locks'], before: Snapshot['locks']): Snapshot['locks'] {
  const known = new Map(before.map((lock) => [lock.deviceId, lock]));
  return locks.map((lock) => {
    const last = known.get(lock.deviceId);
    return last !== undefined && JSON.stringify(last) === JSON.stringify(lock) ? last : lock;
  });
}

/** Calls back at most once a frame with all that is known, for as long as the page lives. */
export function watchService(onState: (current: ServiceState) => void): void {
  let current = EMPTY_SERVICE_STATE;
  let frame = 0;
  const learn = (change: Partial<ServiceState>): void => {
    current = { ...current, ...change };
    // A busy service reports more than a screen can show.
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      onState(current);
    });
  };
  const open = (): void => {
    const stream = new EventSource('/_control/stream');
    /** The last known position of each bolt. The stream's first repeats come before any state. */
    const bolts = new Map<string, LockState>();
    stream.addEventListener('open', () => {
      // The stream repeats the last event of each kind.
      bolts.clear();
      learn({ ...EMPTY_SERVICE_STATE, snapshot: current.snapshot, connected: true });
    });
    stream.addEventListener('error', () => {
      learn({ connected: false });
      if (stream.readyState === EventSource.CLOSED) {
        after(REOPEN_AFTER_MS, open);
      }
    });
    listen(stream, 'state', (snapshot) => {
      for (const { deviceId, bolt } of snapshot.locks) {
        bolts.set(deviceId, bolt);
      }
      learn({ snapshot: { ...snapshot, locks: keepSame(snapshot.locks, current.snapshot?.locks ?? []) } });
    });
    listen(stream, 'activity', (activity) => {
      const { deviceId } = activity;
      const boltBefore = deviceId === null ? undefined : bolts.get(deviceId);
      if (deviceId !== null && activity.kind === 'device-changed') {
        bolts.set(deviceId, activity.bolt);
      }
      learn({ diary: writeDiary(current.diary, activity, boltBefore), latest: activity });
    });
    listen(stream, 'request', (request) =>
      learn({ requests: [request, ...current.requests].slice(0, LISTED) }),
    );
    listen(stream, 'delivery', (delivery) =>
      learn({ deliveries: [delivery, ...current.deliveries].slice(0, LISTED) }),
    );
  };
  open();
}
