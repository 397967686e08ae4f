// Access codes that come into the world by setup or by hand, not by a command.
import type { StoredCode } from './access-code.ts';
import { parseSchedule } from './schedule.ts';
import type { AccessCodeSetup } from './setup.ts';

/** A code as it is kept. Its digits and name are taken as they are; its schedule must make sense (RangeError). */
export function storedCode(setup: AccessCodeSetup, accessCodeId: string): StoredCode {
  const { name, code, readOnly = false, scheduleType = 'Always', scheduleDetails } = setup;
  const schedule = parseSchedule(scheduleType, scheduleDetails);
  if (typeof schedule === 'number') {
    throw new RangeError(
      `scheduleDetails: not a ${scheduleType} schedule; Temporary needs startDateTime and endDateTime as ` +
        `20260415T15:00-04:00, Recurring one or two schedules`,
    );
  }
  return { accessCodeId, name, code, readOnly, schedule };
}
