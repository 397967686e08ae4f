// Instants on the reader's own clocks, as the reader writes them.
import type { Instant } from '../../../src/domain/time/instant.ts';

// Made once: a formatter that is made for each line of a long list blocks the tab for seconds.
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });

/** `14:03` today, `Apr 14, 14:03` else, where the reader is. */
export function timeWords(at: Instant, now: Instant): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? CLOCK.format(at) : MOMENT.format(at);
}

/** `14:03`, where the reader is. */
export function clockWords(at: Instant): string {
  return CLOCK.format(at);
}

/** "Today", "Yesterday", or "Tuesday, April 14". */
export function dayWords(at: Instant, now: Instant): string {
  const day = new Date(at).toDateString();
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === new Date(now).toDateString()) {
    return 'Today';
  }
  return day === yesterday.toDateString() ? 'Yesterday' : DAY.format(at);
}
