// Guests who come in between stays, in `latchkey guests`: the calendars give the hours and the locks.

import { typedPin } from '../../../cli/codes/codes-command.ts';
import type { guestKinds } from '../../../cli/codes/guest-kinds.ts';
import { sendChange } from '../../../cli/terminal/followed-reading.ts';
import { meantCalendar } from '../../../cli/terminal/lock-names.ts';
import { isZoneKnown } from '../../../domain/codes/lock-zone.ts';
import { message } from '../../../domain/language/message.ts';
import { FinalError } from '../../../support/errors.ts';
import { oneLine } from '../../../support/log.ts';
import type { AccountTool } from '../../../tools/account-tool.ts';
import { t } from '../../../words/translate.ts';

declare module '../../../cli/codes/guest-kinds.ts' {
  interface GuestFlags {
    readonly betweenStays?: readonly string[];
    readonly until?: string;
  }
}

const ALONE = message(
  'Nothing was changed: "--between-stays" gives the hours and the locks, and "--until" belongs to it.',
);

export const BETWEEN_STAYS: (typeof guestKinds.all)[number] = {
  withOptions: (command) =>
    command
      .option(
        '--between-stays <calendar...>',
        t('only from a check-out of these calendars to the next check-in'),
      )
      .option('--until <hour>', t('between stays: at most to this hour, such as 18:00')),
  isAsked: ({ betweenStays, until }) => betweenStays !== undefined || until !== undefined,
  add: async (context, { when, zone, on, betweenStays, until = null }, name) => {
    const tool = await context.session.tool();
    if (betweenStays === undefined || when !== undefined || on !== undefined) {
      throw new FinalError('bad-request', t(ALONE));
    }
    const calendars = await calendarsCalled(tool, betweenStays, zone);
    const pin = await typedPin(context);
    return sendChange(oneLine(name), async () =>
      tool.call('guests.add-between', { name, pin, calendars, until }),
    );
  },
  change: async (context, flags, { id, name, revision, between }, changes) => {
    const { when, zone, on, allLocks = false, betweenStays, until } = flags;
    const tool = await context.session.tool();
    if (between === undefined || when !== undefined || on !== undefined || allLocks) {
      throw new FinalError('bad-request', t(ALONE));
    }
    const calendars = await calendarsCalled(tool, betweenStays ?? between.calendars, zone);
    const asked = { guest: id, revision, changes, calendars, until: until ?? between.until };
    return sendChange(oneLine(name), async () => tool.call('guests.change-between', asked));
  },
};

/** The calendars with these names or ids. `zone`: kept for those of their locks whose zone is not known. */
async function calendarsCalled(
  tool: AccountTool,
  names: readonly string[],
  zone: string | undefined,
): Promise<readonly string[]> {
  const { calendars } = await tool.call('stays.list');
  const chosen = names.map(
    (name) => calendars.find(({ id }) => id === name) ?? meantCalendar(name, calendars),
  );
  if (zone !== undefined) {
    const rules = await tool.call('codes.rules');
    const locks = new Set(chosen.flatMap((calendar) => calendar.locks));
    for (const { lockId } of rules.filter((lock) => locks.has(lock.lockId) && !isZoneKnown(lock))) {
      await tool.call('locks.configure', { lock: lockId, settings: { timeZone: zone } });
    }
  }
  return chosen.map(({ id }) => id);
}
