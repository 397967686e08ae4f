// Reads the times of `--since` and `--until`: a date, a date with a time, or how long ago.
import { InvalidArgumentError } from 'commander';
import { message } from '../../domain/language/message.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { t } from '../../words/translate.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const FORMS = message('Use {forms}, or a time ago such as {minutes}, {days} or {weeks}.', {
  forms: '2026-04-14, 2026-04-14T08:00, 2026-04-14T08:00-04:00',
  minutes: '12h',
  days: '7d',
  weeks: '4w',
});

/** A date is its first moment on this machine's clock. */
export function parseSince(text: string, now: Instant): Instant {
  return parseTime(text, now, 0);
}

/** A date includes its whole day. */
export function parseUntil(text: string, now: Instant): Instant {
  return parseTime(text, now, 1);
}

function parseTime(text: string, now: Instant, addedDays: number): Instant {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/u.exec(text) ?? [];
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text) ?? [];
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?$/u.test(text);
  const at =
    count !== undefined
      ? now - Number(count) * (UNITS_MS[unit] ?? 0)
      : day !== undefined
        ? dayOf([Number(year), Number(month), Number(day)], addedDays)
        : isTime
          ? Date.parse(text)
          : Number.NaN;
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError(t(FORMS));
  }
  return at;
}

function dayOf([year, month, day]: readonly [number, number, number], addedDays: number): Instant {
  const date = new Date(year, month - 1, day + addedDays);
  const isReal = new Date(year, month - 1, day).getMonth() === month - 1;
  return isReal ? date.getTime() : Number.NaN;
}
