// The page as a whole: the doors, everything else folded away below them, and the line to the simulator.
import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Snapshot } from '../src/control/snapshot.ts';
import type { WorldEvent } from '../src/world/world-event.ts';
import { AnyAction } from './any-action.tsx';
import { Calendars } from './calendars.tsx';
import { type Act, ActContext, callControl } from './control.ts';
import type { Diary } from './diary.ts';
import { Faults } from './faults.tsx';
import { LockCard } from './lock-card.tsx';
import { People } from './people.tsx';
import { Button } from './pieces.tsx';
import { Requests } from './requests.tsx';
import { EMPTY_SERVICE_STATE, type ServiceState, watchService } from './service-stream.ts';
import { Time } from './time.tsx';
import { Webhooks } from './webhooks.tsx';
import { activityWords } from './words.ts';

/** One and the same, so that a card without entries does not seem to change. */
const NO_ENTRIES: readonly WorldEvent[] = [];

/** Where a link leads past a hundred doors. */
const AROUND = 'around';

export function DoorsPage(): VNode {
  const [service, setServiceState] = useState(EMPTY_SERVICE_STATE);
  useEffect(() => watchService(setServiceState), []);
  const [trouble, setTrouble] = useState('');
  const act = useCallback<Act>(async (path, details) => {
    const outcome = await callControl(path, details);
    setTrouble(outcome.ok ? '' : outcome.words);
    return outcome;
  }, []);
  const { snapshot, diary, connected } = service;
  // An incoming request redraws none of a thousand doors.
  const doors = useMemo(() => snapshot && <Doors locks={snapshot.locks} diary={diary} />, [snapshot, diary]);
  return (
    <ActContext.Provider value={act}>
      <header class="top">
        <h1>Doors</h1>
        <p class="line" role="status" data-connected={connected}>
          {connected ? 'Live' : 'Connecting …'}
        </p>
        <p class="links">
          <a href={`#${AROUND}`}>Faults, people, time</a>
          <a href="/_control/log" download>
            Download the log
          </a>
        </p>
      </header>
      <Announcement service={service} />
      <div role="alert" class="trouble">
        {trouble !== '' && (
          <>
            <span>{trouble}</span>
            <Button onPress={() => setTrouble('')}>Close</Button>
          </>
        )}
      </div>
      <main>
        {doors}
        {snapshot !== null && <Around service={service} snapshot={snapshot} />}
      </main>
    </ActContext.Provider>
  );
}

/** Announces the last change to people who cannot see the doors. */
function Announcement({ service: { latest, snapshot } }: { readonly service: ServiceState }): VNode {
  const lock = snapshot?.locks.find(({ deviceId }) => deviceId === latest?.deviceId);
  const isReported = latest !== null && latest.kind !== 'device-changed';
  return (
    <p class="unseen" role="status">
      {isReported && `${lock?.name ?? 'The house'}: ${activityWords(latest)}`}
    </p>
  );
}

function Doors({ locks, diary }: { readonly locks: Snapshot['locks']; readonly diary: Diary }): VNode {
  return (
    <section class="doors" aria-label="Locks">
      {locks.map((lock) => (
        <LockCard key={lock.deviceId} lock={lock} entries={diary.get(lock.deviceId) ?? NO_ENTRIES} />
      ))}
      {locks.length === 0 && <p>There are no locks in this house.</p>}
    </section>
  );
}

/** Everything that is not a door, folded away. */
function Around({
  service,
  snapshot,
}: {
  readonly service: ServiceState;
  readonly snapshot: Snapshot;
}): VNode {
  return (
    <>
      {snapshot.scriptFailures.length > 0 && (
        <ul class="plain" aria-label="Steps of the scenario that failed">
          {snapshot.scriptFailures.map((failure, index) => (
            <li key={index}>{failure}</li>
          ))}
        </ul>
      )}
      <div class="around" id={AROUND}>
        <Faults
          faults={snapshot.faults}
          deliveryFaults={snapshot.deliveryFaults}
          calendarFaults={snapshot.calendarFaults}
        />
        <Calendars calendars={snapshot.calendars} />
        <People users={snapshot.users} clients={snapshot.clients} />
        <Time aheadMs={snapshot.aheadMs} />
        <Requests requests={service.requests} />
        <Webhooks subscriptions={snapshot.subscriptions} deliveries={service.deliveries} />
        <AnyAction locks={snapshot.locks} />
      </div>
    </>
  );
}
