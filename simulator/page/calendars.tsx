// Booking calendars of the simulated portals: who comes when, and the changes that hosts meet most.
import type { VNode } from 'preact';
import type { Snapshot } from '../src/control/snapshot.ts';
import { useAct } from './control.ts';
import { Button, Part } from './pieces.tsx';

type Calendar = Snapshot['calendars'][number];

export function Calendars({ calendars }: Pick<Snapshot, 'calendars'>): VNode {
  const notes = calendars.length === 0 ? '' : `${String(calendars.length)} served`;
  return (
    <Part title="Booking calendars" note={notes}>
      {() => (
        <>
          {calendars.length === 0 && <p>There are no booking calendars.</p>}
          {calendars.map((calendar) => (
            <OneCalendar key={calendar.name} calendar={calendar} />
          ))}
        </>
      )}
    </Part>
  );
}

function OneCalendar({ calendar: { name, bookings } }: { readonly calendar: Calendar }): VNode {
  const act = useAct();
  return (
    <section class="stack" aria-label={name}>
      <h3>{name}</h3>
      {bookings.length === 0 && <p>Nothing is booked.</p>}
      <ul class="plain" aria-label={`Bookings of ${name}`}>
        {bookings.map((booking) => (
          <li key={booking.uid} class="armed">
            <span>{bookingWords(booking)}</span>
            {!booking.isCancelled && (
              <Button
                of={`${booking.guest}, ${booking.arrival}`}
                onPress={() => void act('house/cancel-booking', { calendar: name, booking: booking.uid })}
              >
                Cancel
              </Button>
            )}
          </li>
        ))}
      </ul>
      <span class="row">
        <Button of={name} onPress={() => void act('house/add-turnover', { calendar: name })}>
          Add a same-day turnover
        </Button>
      </span>
    </section>
  );
}

/** `2026-12-12 to 2026-12-15: Guest 1, +44 7700 900123`. */
function bookingWords({
  arrival,
  departure,
  guest,
  phone,
  isBlocked,
  isCancelled,
}: Calendar['bookings'][number]): string {
  const who = isBlocked ? 'blocked' : phone === null ? guest : `${guest}, ${phone}`;
  return `${arrival} to ${departure}: ${who}${isCancelled ? ' (cancelled)' : ''}`;
}
