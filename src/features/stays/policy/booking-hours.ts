// The hours of check-in and check-out that stand in the text of a booking, where a calendar gives days alone.
import { atFirstUse } from '../../../support/first-use.ts';
import type { OwnHours } from './stay.ts';

/** Without accents. An expected time of arrival is none of the house, so it is not among them. */
const CHECK_IN =
  'check[ -]?in|anreise|einchecken|heure d.arrivee|arrivee|entrada|llegada|arrivo|aankomst|inchecken|チェックイン|arrival';
const CHECK_OUT =
  'check[ -]?out|abreise|auschecken|heure de depart|depart|salida|partenza|vertrek|uitchecken|チェックアウト|departure';

const DATES = /\d{4}-\d{1,2}-\d{1,2}T?|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})?|\d{4}年\d{1,2}月\d{1,2}日/gu;
const CLOCK = String.raw`(\d{1,2})(?:[:.h](\d{2}))?\p{Zs}*(a\.?m\b\.?|p\.?m\b\.?|uhr|heures|ore|uur|h\b|時)?`;
const UNTIL = String.raw`(?:\p{Zs}*(?:-|–|to|until|bis|a|à|hasta|alle|tot|〜|~)\p{Zs}*${CLOCK})?`;

const formOf = (label: string): (() => RegExp) =>
  atFirstUse(
    () =>
      new RegExp(
        String.raw`(?<!\p{L})(?:${label})(?![\p{L}])[^\p{N}\n]{0,30}?${CLOCK}(?![\p{N}:%€$])${UNTIL}`,
        'giu',
      ),
  );
const checkInForm = formOf(CHECK_IN);
const checkOutForm = formOf(CHECK_OUT);

function timesIn(text: string, form: RegExp, which: 'first' | 'last'): ReadonlySet<string> {
  const found = [...text.matchAll(form)].map(([, hour, minute, half, hour2, minute2, half2]) => {
    const first = clockOf(hour, minute, half ?? (minute === undefined && hour2 !== undefined ? half2 : half));
    const last = clockOf(hour2, minute2, half2);
    return which === 'last' ? (last ?? first) : first;
  });
  return new Set(found.filter((time) => time !== null));
}

/** Such as `16:00`; null: this is no time of day. A bare number is none either. */
function clockOf(
  hour: string | undefined,
  minute: string | undefined,
  half: string | undefined,
): string | null {
  if (hour === undefined || (minute === undefined && half === undefined)) {
    return null;
  }
  const mark = (half ?? '').toLowerCase().replaceAll('.', '');
  const [hours, minutes] = [Number(hour), Number(minute ?? '0')];
  const isHalved = mark === 'am' || mark === 'pm';
  if (minutes > 59 || (isHalved ? hours < 1 || hours > 12 : hours > 23)) {
    return null;
  }
  const whole = isHalved ? (hours % 12) + (mark === 'pm' ? 12 : 0) : hours;
  return `${String(whole).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Where a text names two times for one end of the stay, it names none. */
export function hoursIn(text: string): OwnHours {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFKC')
    .replaceAll(DATES, ' ');
  const one = (times: ReadonlySet<string>): string | null =>
    times.size === 1 ? ([...times][0] ?? null) : null;
  const [checkIn, checkOut] = [
    one(timesIn(plain, checkInForm(), 'first')),
    one(timesIn(plain, checkOutForm(), 'last')),
  ];
  return {
    checkIn: checkIn !== null && checkIn >= EARLIEST_CHECK_IN ? checkIn : null,
    checkOut: checkOut !== null && checkOut <= LATEST_CHECK_OUT ? checkOut : null,
  };
}

/** Other hours are a mistake of the text more often than a guest (our choice). */
const EARLIEST_CHECK_IN = '06:00';
const LATEST_CHECK_OUT = '20:00';
