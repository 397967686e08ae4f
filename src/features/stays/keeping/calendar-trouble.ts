// Why a calendar is not read or not believed, and the lines of the log on that.
import type { Message } from '../../../domain/language/message.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';

export interface Trouble {
  readonly kind: 'failed' | 'doubted';
  readonly words: Message;
}

export function sayTrouble(
  log: Pick<Log, 'info' | 'warn'>,
  { name }: StayCalendar,
  before: Trouble | null,
  now: Trouble | null,
): void {
  if (now !== null && now.kind !== before?.kind) {
    log.warn(
      t('Calendar "{name}": {trouble} Its stays and their codes stay as they are.', {
        name: oneLine(name),
        trouble: oneLine(t(now.words)),
      }),
    );
  } else if (now === null && before !== null) {
    log.info(oneLine(t('Calendar "{name}" is read again.', { name })));
  }
}
