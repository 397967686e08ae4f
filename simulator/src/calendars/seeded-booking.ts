// Members of a booking that its setup leaves out: uid, phone number and reference, the same for the same seed.
import type { RandomSource } from '../world/random.ts';
import type { CalendarForm } from './calendar-setup.ts';

const UID_DOMAIN: Readonly<Record<CalendarForm, string>> = {
  reserved: 'portal.example',
  closed: 'rooms.example',
  renewing: 'rooms.example',
  named: 'homes.example',
  manager: 'manager.example',
  office: 'office.example',
  careless: 'poor.example',
};

const REFERENCE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const REFERENCE_LENGTH = 8;

/** Numbers that a regulator reserves for fiction: no person has one of them. */
const FICTIONAL_NUMBERS = '+44 7700 900';
const MOST_FICTIONAL = 999;

export function seededBooking(form: CalendarForm, random: RandomSource) {
  const letter = (): string => REFERENCE_LETTERS.charAt(random.integer(0, REFERENCE_LETTERS.length - 1));
  return {
    uid: `${random.uuid()}@${UID_DOMAIN[form]}`,
    phone: `${FICTIONAL_NUMBERS}${String(random.integer(0, MOST_FICTIONAL)).padStart(3, '0')}`,
    /** The portal's own name of the booking. */
    reference: Array.from({ length: REFERENCE_LENGTH }, letter).join(''),
  };
}
