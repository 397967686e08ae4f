// The latest activity, grouped by day, the newest first.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { ActivityDetail, ActivityView } from '../../../src/panel/views/activity.ts';
import { activityWords } from '../../../src/words/activity.ts';
import { capital } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import type { LockZones } from '../parts/lock-zones.ts';
import { Part } from '../parts/pieces.tsx';
import { clockWords, dayWords, zoneMark } from '../parts/reader-times.ts';
import { useLockZones, ZoneNote } from '../parts/zone-note.tsx';

/** Entries in a row that say the same of the same lock. */
interface Line {
  readonly newest: ActivityView;
  readonly at: number;
  readonly words: string;
  readonly count: number;
}

const EVERYTHING = message('Everything');
const TROUBLE = message('Problems only');

/** Everything, problems, or the name of a lock. */
type Filter = Message | string;

export function Activity(props: { readonly activity: readonly ActivityView[]; readonly now: number }): VNode {
  const { activity, now } = props;
  const [filter, setFilter] = useState<Filter>(EVERYTHING);
  const names = [...new Set(activity.flatMap(({ lock }) => (lock === null ? [] : [lock.name])))].toSorted();
  const filters: readonly Filter[] = [EVERYTHING, TROUBLE, ...names];
  const zones = useLockZones(now);
  const lines = linesOf(activity.filter((entry) => isWanted(entry, filter)));
  const days = [...Map.groupBy(lines, (line) => dayWords(line.at, now, zoneOf(line, zones)))];
  return (
    <Part title={t('Activity')}>
      {activity.length === 0 ? (
        <p class="about">{t('No activity since the plugin started.')}</p>
      ) : (
        <Choice
          label={t('Show')}
          names={filters.map((one) => (typeof one === 'string' ? one : t(one)))}
          chosen={filters.indexOf(filter)}
          onChoose={(index) => setFilter(filters[index] ?? EVERYTHING)}
        />
      )}
      {lines.length > 0 && <ZoneNote zone={zones.page} />}
      {lines.length > 0 && (
        <div class="activity" role="region" tabIndex={0} aria-label={t('Activity, newest first')}>
          {days.map(([day, linesThen]) => (
            <Day key={day} day={day} lines={linesThen} zones={zones} />
          ))}
        </div>
      )}
      {activity.length > 0 && lines.length === 0 && <p class="about">{t('Nothing of this kind.')}</p>}
    </Part>
  );
}

function Day(props: {
  readonly day: string;
  readonly lines: readonly Line[];
  readonly zones: LockZones;
}): VNode {
  const { day, lines, zones } = props;
  return (
    <section aria-label={day}>
      <h4>{day}</h4>
      <ol>
        {lines.map((line) => (
          <Entry key={line.newest.number} line={line} zones={zones} />
        ))}
      </ol>
    </section>
  );
}

/** Of the lock's clocks; what is about the account as a whole is on those that the page names. */
function zoneOf({ newest: { lock } }: Line, zones: LockZones): string {
  return lock === null ? zones.page : zones.of(lock.id);
}

function Entry(props: { readonly line: Line; readonly zones: LockZones }): VNode {
  const { line, zones } = props;
  const { newest, at, words, count } = line;
  const zone = zoneOf(line, zones);
  return (
    <li class={isTrouble(newest.detail) ? 'warning' : ''}>
      <time dateTime={new Date(at).toISOString()}>{clockWords(at, zone)}</time>
      <span>
        <strong>
          <bdi>{newest.lock === null ? t('Account') : newest.lock.name}</bdi>
        </strong>{' '}
        {words}
        {zoneMark(at, zone, zones.page)}
        {count > 1 && ` ${t('({count, plural, one {# time} other {# times}})', { count })}`}
      </span>
    </li>
  );
}

/** The newest entries first. A successful command is left out, because the move of the bolt shows the same. */
function linesOf(activity: readonly ActivityView[]): readonly Line[] {
  const lines: Line[] = [];
  for (const entry of activity.toReversed()) {
    const { detail, lock } = entry;
    if (detail.type === 'command' && detail.outcome.kind === 'moved') {
      continue;
    }
    const words = capital(activityWords(detail));
    const last = lines.at(-1);
    if (last !== undefined && last.words === words && last.newest.lock?.id === lock?.id) {
      lines.splice(-1, 1, { ...last, count: last.count + 1 });
    } else {
      const at = detail.type === 'bolt' && detail.move !== null ? detail.move.at : entry.at;
      lines.push({ newest: entry, at, words, count: 1 });
    }
  }
  return lines;
}

function isWanted({ lock, detail }: ActivityView, filter: Filter): boolean {
  return filter === EVERYTHING || (filter === TROUBLE ? isTrouble(detail) : lock?.name === filter);
}

/** Whether it deserves a second look. */
function isTrouble(detail: ActivityDetail): boolean {
  switch (detail.type) {
    case 'bolt':
      return detail.bolt === 'jammed' || detail.bolt === 'unknown';
    case 'presence':
      return detail.presence !== 'reachable';
    case 'command':
      return detail.outcome.kind !== 'moved';
    case 'link':
      return detail.link !== 'linked';
    case 'alert':
      return true;
    case 'appeared':
    case 'removed':
      return false;
  }
}
