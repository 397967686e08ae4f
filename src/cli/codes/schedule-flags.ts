// The flags `--when` and `--zone` of commands on codes and guests.
import type { AccountTool } from '../../app/tools/account-tool.ts';
import type { CodeSchedule } from '../../domain/codes/access-code.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { FinalError } from '../../support/errors.ts';
import { readSchedule, SCHEDULE_FORMS } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';

export const ZONE_HELP = message(
  'time zone of the lock, such as {example}, where it is not known; kept from then on',
  { example: 'Europe/Paris' },
);

/** What `--when` says on the clocks of the lock; null: of none. A zone is kept as the lock's option first. */
export async function scheduleOn(
  tool: AccountTool,
  lock: LockId | null,
  words: string,
  zone: string | undefined,
): Promise<CodeSchedule> {
  if (lock !== null && zone !== undefined) {
    await tool.call('locks.configure', { lock, settings: { timeZone: zone } });
  }
  const timeZone = lock === null ? 'UTC' : (await tool.call('codes.list', { lock })).timeZone;
  const schedule = readSchedule(words, timeZone);
  if (schedule === null) {
    throw new FinalError(
      'bad-request',
      t('Nothing was sent: {option} must be {forms}.', { option: '--when', forms: SCHEDULE_FORMS }),
    );
  }
  return schedule;
}
