// Stays: the booking calendars, the stays that they bring, by day and as a month, and how the code of each stands.
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { localDay } from '../../../src/domain/time/local-hours.ts';
import type { StaysView, StayView } from '../../../src/features/stays/panel/views.ts';
import { laterWords } from '../../../src/features/stays/words/stays.ts';
import { UNREAD_ROWS } from '../../../src/words/guests.ts';
import { machineZone } from '../../../src/words/machine-zone.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { EmptyPage, NoLocks } from '../parts/empty-page.tsx';
import { CalendarIcon } from '../parts/icons.tsx';
import { PeopleTable } from '../parts/people-table.tsx';
import { Button, Notice, Part, useServiceNow, Waiting } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { ZoneNote } from '../parts/zone-note.tsx';
import { usePageContext } from '../state/page-context.ts';
import { CalendarList } from './calendar-list.tsx';
import { AddStay, CalendarForm, CleanerForm, Plan } from './later-form.ts';
import { Month } from './month.tsx';
import { StayRow } from './stay-row.tsx';
import { groupOf, type StayGroup } from './stay-row-facts.ts';
import { TodayLine } from './today-line.tsx';

export function StaysPage(): VNode {
  const { state } = usePageContext();
  const view = state['stays.list'];
  if (view === null) {
    return <Waiting failure={state.troubles.get('stays.list') ?? null} />;
  }
  if (view.calendars.length === 0 && (state.locks ?? []).length === 0) {
    return <NoLocks />;
  }
  return view.calendars.length === 0 && view.stays.length === 0 ? <Empty /> : <Filled view={view} />;
}

function Empty(): VNode {
  const { state } = usePageContext();
  const today = localDay(useServiceNow(state.aheadMs), machineZone());
  return (
    <EmptyPage
      picture={<CalendarIcon />}
      words={t(
        'Paste the address of your booking calendar, and every guest gets a code of their own on the locks you choose.',
      )}
    >
      <p>{t('It works from check-in to check-out, and is removed by itself.')}</p>
      <AddButtons isMain today={today} />
    </EmptyPage>
  );
}

function AddButtons({ today, isMain = false }: { readonly today: string; readonly isMain?: boolean }): VNode {
  const [open, setOpen] = useState<'calendar' | 'stay' | 'cleaner' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div class="pushes">
      <Button kind={isMain ? 'main' : 'plain'} onPress={() => setOpen('calendar')}>
        {t('Add a calendar')}
      </Button>
      <Button onPress={() => setOpen('stay')}>{t('Add a stay')}</Button>
      {!isMain && <Button onPress={() => setOpen('cleaner')}>{t('Add a cleaner')}</Button>}
      {open === 'cleaner' && (
        <Sheet title={t('New cleaner')} onClose={close}>
          <CleanerForm guest={null} onClose={close} />
        </Sheet>
      )}
      {open === 'stay' && <AddStay today={today} onClose={close} />}
      {open === 'calendar' && (
        <Sheet title={t('New calendar')} onClose={close}>
          <CalendarForm calendar={null} onClose={close} />
        </Sheet>
      )}
    </div>
  );
}

function Filled({ view }: { readonly view: StaysView }): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const of = (group: StayGroup): readonly StayView[] =>
    view.stays.filter((stay) => groupOf(stay, now) === group);
  const ended = of('ended').toReversed();
  const zone = zoneOf(view);
  const today = localDay(now, zone);
  return (
    <>
      {view.isUnread === true && <Notice tone="warning">{t(UNREAD_ROWS)}</Notice>}
      {view.stays.length > 0 && <TodayLine view={view} today={today} />}
      <Part title={t('Calendars')}>
        {view.calendars.length > MOST_OPEN ? (
          <Fold title={t('{count, plural, other {# calendars}}', { count: view.calendars.length })}>
            {() => <CalendarList calendars={view.calendars} />}
          </Fold>
        ) : (
          <CalendarList calendars={view.calendars} />
        )}
        <AddButtons today={today} />
      </Part>
      {view.stays.length > 0 && <ZoneNote zone={zone} />}
      {view.stays.length === 0 && <p>{t('No stays yet. They appear here once a calendar has bookings.')}</p>}
      <Listed title={t('Staying now')} stays={of('now')} view={view} />
      <Listed title={t('Codes being removed')} stays={of('leaving')} view={view} />
      <Listed title={t('Coming')} stays={of('coming')} view={view} />
      {view.later !== undefined && <p class="about">{laterWords(view.later)}</p>}
      {view.stays.length > 0 && view.calendars.length > 1 && <Plan view={view} today={today} />}
      {view.stays.length > 0 && <Month stays={view.stays} today={today} />}
      {ended.length > 0 && (
        <Fold title={t('{count, plural, one {# ended stay} other {# ended stays}}', { count: ended.length })}>
          {() => <Table title={t('Ended')} stays={ended} view={view} />}
        </Fold>
      )}
    </>
  );
}

/** More calendars are folded away, so that the guests stand on top. */
const MOST_OPEN = 6;

function zoneOf({ calendars, stays }: StaysView): string {
  return calendars[0]?.timeZone ?? stays[0]?.timeZone ?? 'UTC';
}

interface ListedProps {
  readonly title: string;
  readonly stays: readonly StayView[];
  readonly view: StaysView;
}

function Listed(props: ListedProps): VNode | null {
  const id = useId();
  return props.stays.length === 0 ? null : (
    <section class="stay-list" aria-labelledby={id}>
      <h3 id={id}>{props.title}</h3>
      <Table {...props} />
    </section>
  );
}

function Table({ title, stays, view }: ListedProps): VNode {
  return (
    <PeopleTable caption={t('Stays: {title}', { title })}>
      {stays.map((stay) => (
        <StayRow
          key={stay.id}
          stay={stay}
          pageZone={zoneOf(view)}
          calendar={view.calendars.find(({ id }) => id === stay.calendarId)}
        />
      ))}
    </PeopleTable>
  );
}
