// How local times and time zones are written in scenarios and control calls, as zod schemas.
import { z } from 'zod';

export const localTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'A local time such as "22:30"');

export const timeZoneSchema = z
  .string()
  .refine(
    (zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC',
    'An IANA time zone such as "America/New_York"',
  );
