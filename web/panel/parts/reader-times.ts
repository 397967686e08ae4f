// Instants on the reader's own clocks, as the reader writes them.
import type { Instant } from '../../../src/domain/time/instant.ts';
import { locale, t } from '../../../src/words/translate.ts';

const clock = once({ timeStyle: 'short' });
const moment = once({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const shortDate = once({ month: 'short', day: 'numeric' });
const date = once({ weekday: 'long', month: 'long', day: 'numeric' });

/** Made at its first use, when the language is known, and not again: one for each line of a long list blocks the tab for seconds. */
function once(options: Intl.DateTimeFormatOptions): (at: Instant) => string {
  let format: Intl.DateTimeFormat | null = null;
  return (at) => {
    format ??= new Intl.DateTimeFormat(locale(), options);
    return format.format(at);
  };
}

/** `14:03` today, `Apr 14, 14:03` else, where the reader is. */
export function timeWords(at: Instant, now: Instant): string {
  return isToday(at, now) ? clock(at) : moment(at);
}

/** `14:03` today, `Apr 14` else: for where there is little room. */
export function shortTimeWords(at: Instant, now: Instant): string {
  return isToday(at, now) ? clock(at) : shortDate(at);
}

function isToday(at: Instant, now: Instant): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString();
}

/** `14:03`, where the reader is. */
export function clockWords(at: Instant): string {
  return clock(at);
}

/** "Today", "Yesterday", or "Tuesday, April 14". */
export function dayWords(at: Instant, now: Instant): string {
  const day = new Date(at).toDateString();
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === new Date(now).toDateString()) {
    return t('Today');
  }
  return day === yesterday.toDateString() ? t('Yesterday') : date(at);
}
