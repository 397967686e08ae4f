// A stay's row in its list: its dates, its locks, the state of its code, its obstacles, and its actions.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { localHour } from '../../../src/domain/time/local-hours.ts';
import type { CalendarView, StayView } from '../../../src/features/stays/panel/views.ts';
import { phaseWords } from '../../../src/features/stays/words/stays.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { isUpToDate } from '../../../src/words/guests.ts';
import { isDated, stayTitle } from '../../../src/words/stay-names.ts';
import { hourWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { GuestLocksList } from '../codes/guest-locks.tsx';
import { PersonRow } from '../parts/people-table.tsx';
import { Button, Failure, Notice, Status, useServiceNow } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import type { CallError } from '../state/transport.ts';
import { useCheckOut, useStayActions } from './stay-actions.tsx';
import { ownObstacles, stayLocks, whenWords } from './stay-row-facts.ts';

export function StayRow(props: {
  readonly stay: StayView;
  /** Undefined: the stay was removed. */
  readonly calendar: CalendarView | undefined;
  /** Where another zone is not named, times are those of this one. */
  readonly pageZone: string;
}): VNode {
  const { stay, calendar, pageZone } = props;
  const { id, name, booking, code, calendarName } = stay;
  const { call, state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const { menu, removal, said, failure } = useStayActions(stay);
  const guest = state['guests.list']?.find((one) => one.id === stay.guestId);
  const isPlain =
    !isHindered(stay, guest) &&
    stay.reserve === 'none' &&
    stay.seemsLeftAt === null &&
    failure === null &&
    said === null;
  return (
    <PersonRow
      name={stayTitle(name, calendarName)}
      tag={tagOf(stay)}
      about={booking}
      when={whenWords(stay, pageZone)}
      locks={stayLocks(stay, calendar?.lockNames ?? [])}
      state={phaseWords(stay, now)}
      reveal={code === 'none' ? null : async () => call('stays.reveal', { stay: id })}
      // Whenever the digits may be others.
      revision={`${String(guest?.revision)} ${String(stay.readyAt)} ${stay.phase} ${stay.reserve}`}
      menu={menu}
      removal={removal}
      below={
        isPlain ? null : (
          <>
            <Status>{said}</Status>
            <InTheWay stay={stay} guest={guest} failure={failure} />
            <Reserve stay={stay} />
            {stay.seemsLeftAt !== null && <SeemsLeft stay={stay} leftAt={stay.seemsLeftAt} />}
          </>
        )
      }
    />
  );
}

/** The code in reserve, for a guest whose own is not there. */
function Reserve({ stay }: { readonly stay: StayView }): VNode | null {
  const { id, reserve } = stay;
  const name = stayTitle(stay.name, stay.calendarName);
  const { call, read } = usePageContext();
  const taking = useAction();
  const [fault, setFault] = useState('');
  const take = async (): Promise<void> => {
    await taking.run(async () => {
      const answer = await call('stays.use-reserve', { stay: id });
      setFault(answer.kind === 'invalid' ? answer.faults.map(({ words }) => t(words)).join(' ') : '');
      await read('stays.list', 'guests.list');
    });
  };
  if (reserve === 'taken') {
    return <p>{t('The guest has the code in reserve. “Show the code” shows it.')}</p>;
  }
  return reserve === 'none' ? null : (
    <Notice tone="warning">
      <p>
        {t('A code in reserve is on the lock. It opens until the check-out, and is replaced afterwards.')}
      </p>
      <div class="pushes">
        <Button of={name} isBusy={taking.isBusy} onPress={() => void take()}>
          {t('Use the code in reserve')}
        </Button>
      </div>
      {fault !== '' && <p>{fault}</p>}
      <Failure failure={taking.failure} />
    </Notice>
  );
}

/** Only a person knows whether the guest comes back. */
function SeemsLeft({ stay, leftAt }: { readonly stay: StayView; readonly leftAt: number }): VNode {
  const name = stayTitle(stay.name, stay.calendarName);
  const { leaving, checkOut, stillHere } = useCheckOut(stay.id);
  return (
    <Notice tone="plain">
      <p>
        {t('Seems to have left: the door was locked from outside at {time}.', {
          time: hourWords(localHour(leftAt, stay.timeZone)),
        })}
      </p>
      <div class="pushes">
        <Button of={name} isBusy={leaving.isBusy} onPress={checkOut}>
          {t('Checked out')}
        </Button>
        <Button of={name} isBusy={leaving.isBusy} onPress={stillHere}>
          {t('Still here')}
        </Button>
      </div>
      <Failure failure={leaving.failure} />
    </Notice>
  );
}

function tagOf({ isCancelled, calendarName, name }: StayView): string | null {
  if (isCancelled) {
    return t('cancelled');
  }
  if (calendarName === '') {
    return t('calendar removed');
  }
  // Dates have the flat behind them.
  return isDated(name) ? null : calendarName;
}

/** Obstacles that no single lock of the guest shows. */
function obstaclesBeside(stay: StayView, guest: GuestView | undefined): readonly string[] {
  return guest === undefined ? stay.obstacles.map((words) => t(words)) : ownObstacles(stay);
}

function isHindered(stay: StayView, guest: GuestView | undefined): boolean {
  return obstaclesBeside(stay, guest).length > 0 || guest?.onLocks.every(isUpToDate) === false;
}

function InTheWay(props: {
  readonly stay: StayView;
  readonly guest: GuestView | undefined;
  readonly failure: CallError | null;
}): VNode {
  const { stay, guest, failure } = props;
  const obstacles = obstaclesBeside(stay, guest);
  return (
    <>
      {obstacles.length > 0 && (
        <ul
          class="obstacles"
          aria-label={t('In the way of {name}', { name: stayTitle(stay.name, stay.calendarName) })}
        >
          {obstacles.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {guest?.onLocks.every(isUpToDate) === false && <GuestLocksList guest={guest} />}
      <Failure failure={failure} />
    </>
  );
}
