// Names of stays on locks and in the history, such as "Stay 12-15 Dec".

import { MONTHS } from '../../../domain/codes/named-dates.ts';
import { plainWords } from '../../../domain/codes/names.ts';
import { speakableName } from '../../../domain/locks/access.ts';
import { there } from '../../../domain/time/local-hours.ts';
import type { Booking, StayWindow } from './stay.ts';
import type { StayNames } from './stay-calendar.ts';

/** The name that a stay should have, if no other stay has it. */
export function wantedName(
  { summary }: Pick<Booking, 'summary'>,
  window: StayWindow,
  { names, zone }: { readonly names: StayNames; readonly zone: string },
): string {
  const said = names === 'booking' ? plainWords(summary) : '';
  return speakableName(said) ?? datedName(window, zone);
}

function datedName({ arrivalAt, departureAt }: StayWindow, zone: string): string {
  const from = there(zone, arrivalAt);
  const until = there(zone, departureAt);
  const monthOf = (month: number): string => MONTHS[month - 1] ?? '';
  const isOneMonth = from.month === until.month && from.year === until.year;
  const first = isOneMonth ? String(from.day) : `${String(from.day)} ${monthOf(from.month)}`;
  return `Stay ${first}-${String(until.day)} ${monthOf(until.month)}`;
}
