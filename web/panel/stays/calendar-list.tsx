// The calendars of an account: the state of reading each, and the actions for it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CalendarView } from '../../../src/features/stays/panel/views.ts';
import {
  blockedQuestion,
  checkWords,
  entryWords,
  readingWords,
} from '../../../src/features/stays/words/stays.ts';
import { closed, listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure, Notice, Status, useServiceNow } from '../parts/pieces.tsx';
import { timeWords } from '../parts/reader-times.ts';
import { tRich } from '../parts/rich.tsx';
import { type MenuEntries, RowMenu } from '../parts/row-menu.tsx';
import { RemoveSheet, Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { CalendarForm, FeedSheet } from './later-form.ts';

export function CalendarList({ calendars }: { readonly calendars: readonly CalendarView[] }): VNode {
  return (
    <ul class="calendars">
      {calendars.map((calendar) => (
        <CalendarItem key={calendar.id} calendar={calendar} />
      ))}
    </ul>
  );
}

function useCalendarActions(id: string) {
  const { call, read } = usePageContext();
  const [said, setSaid] = useState('');
  const asking = useAction();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setSaid('');
    await asking.run(async () => {
      await work();
      await read('stays.list');
    });
  };
  const check = async (): Promise<void> => {
    setSaid('');
    await asking.run(async () => {
      const [found] = await call('stays.check', { calendar: id });
      setSaid(found === undefined ? '' : checkWords(found));
    });
  };
  return {
    said,
    asking,
    check,
    readNow: async () => run(async () => call('stays.read', { calendar: id })),
    answer: async (are: 'bookings' | 'blocked') =>
      run(async () => call('stays.answer', { calendar: id, are })),
  };
}

function CalendarItem({ calendar }: { readonly calendar: CalendarView }): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const { said, asking, check, readNow, answer } = useCalendarActions(calendar.id);
  return (
    <li>
      <div>
        <CalendarFacts calendar={calendar} now={now} />
        <Trouble calendar={calendar} now={now} />
        {calendar.notices.map((words) => (
          <Notice key={t(words)} tone="warning">
            <p>{t(words)}</p>
          </Notice>
        ))}
        {calendar.question !== null && (
          <BlockedQuestion
            titles={calendar.question.titles}
            isBusy={asking.isBusy}
            onAnswer={(are) => void answer(are)}
          />
        )}
        <Status>{asking.isBusy ? t('Reading …') : said}</Status>
        <Failure failure={asking.failure} />
      </div>
      <CalendarMenu
        calendar={calendar}
        isBusy={asking.isBusy}
        onRead={() => void readNow()}
        onCheck={() => void check()}
      />
    </li>
  );
}

/** Some portals write bookings in the words of blocked nights: only the host knows which they are. */
function BlockedQuestion(props: {
  readonly titles: readonly string[];
  readonly isBusy: boolean;
  readonly onAnswer: (are: 'bookings' | 'blocked') => void;
}): VNode {
  const { titles, isBusy, onAnswer } = props;
  return (
    <Notice tone="warning">
      <p>{t(blockedQuestion(titles))}</p>
      <div class="pushes">
        <Button isBusy={isBusy} onPress={() => onAnswer('bookings')}>
          {t('These are bookings')}
        </Button>
        <Button isBusy={isBusy} onPress={() => onAnswer('blocked')}>
          {t('These are blocked nights')}
        </Button>
      </div>
    </Notice>
  );
}

function CalendarFacts(props: { readonly calendar: CalendarView; readonly now: number }): VNode {
  const { calendar, now } = props;
  const { name, from, host, lockNames, lastGoodAt, counts, hasFeed } = calendar;
  const locks = <bdi>{listWords(lockNames)}</bdi>;
  return (
    <>
      <p>
        <bdi class="calendar-name">{name}</bdi>{' '}
        {from === 'config' && <span class="tag">{'config.json'}</span>}
      </p>
      <p class="about">
        {host === null ? locks : tRich('{locks}, from {host}', { locks, host: <bdi>{host}</bdi> })}
      </p>
      <p class="about">
        {from === 'hand'
          ? t('Stays are added by hand.')
          : readingWords(calendar, (at) => timeWords(at, now, calendar.timeZone))}{' '}
        {lastGoodAt !== null && closed(entryWords(counts))}{' '}
        {hasFeed && t('Others can read its stays at a secret address.')}
      </p>
    </>
  );
}

function CalendarMenu(props: {
  readonly calendar: CalendarView;
  readonly isBusy: boolean;
  readonly onRead: () => void;
  readonly onCheck: () => void;
}): VNode {
  const { calendar, isBusy, onRead, onCheck } = props;
  const { id, name, from, addressFrom } = calendar;
  const change = (onClose: () => void): VNode => (
    <Sheet title={t('Change {name}', { name })} onClose={onClose}>
      <CalendarForm calendar={calendar} onClose={onClose} />
    </Sheet>
  );
  const feed = (onClose: () => void): VNode => <FeedSheet calendar={calendar} onClose={onClose} />;
  const removal = (onClose: () => void): VNode => (
    <RemoveSheet
      name={name}
      question={t(
        'Coming stays lose their codes. A guest who is staying now keeps the code until the check-out. Remove it?',
      )}
      operation="stays.remove-calendar"
      input={{ calendar: id }}
      outdated={['stays.list']}
      onClose={onClose}
    />
  );
  const entries: MenuEntries = [
    from !== 'hand' && { label: t('Read now'), isBusy, onPress: onRead },
    from !== 'hand' && { label: t('Check'), isBusy, onPress: onCheck },
    from !== 'config' && { label: t('Change'), isBusy, sheet: change },
    from === 'config' && addressFrom !== 'config' && { label: t('Enter the address'), isBusy, sheet: change },
    { label: t('Share the stays'), isBusy, sheet: feed },
    from !== 'config' && { label: t('Remove'), isBusy, sheet: removal },
  ];
  return <RowMenu of={name} entries={entries} />;
}

/** Why the last reading changed nothing, with the next step. */
function Trouble(props: { readonly calendar: CalendarView; readonly now: number }): VNode | null {
  const { trouble, doubt } = props.calendar;
  return trouble === null ? null : (
    <Notice tone="warning">
      <p>{t(trouble)}</p>
      <p>
        {doubt === null
          ? t('Stays and their codes are left as they are.')
          : t('If the calendar goes on saying so, it is believed at {time}. Until then nothing is removed.', {
              time: timeWords(doubt.believedAt, props.now, props.calendar.timeZone),
            })}
      </p>
    </Notice>
  );
}
