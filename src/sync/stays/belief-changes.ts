// Whether a reading changed what is believed of a calendar.
import type { Belief } from '../../domain/stays/belief-policy.ts';

export function sameBookings(a: Belief, b: Belief): boolean {
  return a.bookings === b.bookings || JSON.stringify(a.bookings) === JSON.stringify(b.bookings);
}

export function sameBelief(a: Belief, b: Belief): boolean {
  return sameBookings(a, b) && JSON.stringify(a.doubt) === JSON.stringify(b.doubt);
}
