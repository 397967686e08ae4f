// Gives the demo a booking calendar without a person: that of its simulated portal, on two of its locks.
import type { DemoGift } from '../../../demo/gifts.ts';
import type { PanelApi } from '../../../panel/operations/panel-api.ts';
import { messageOf } from '../../../support/errors.ts';
import { t } from '../../../words/translate.ts';

declare module '../../../demo/gifts.ts' {
  interface GiftOperations extends Pick<PanelApi, 'stays.add-calendar'> {}
}

/** The doors of a house that is let; the third lock stays free of codes. */
const LOCKS = 2;

/** Adds the calendar as a person would on the pages. */
export const addDemoCalendar: DemoGift = async ({ name, url }, operations, log) => {
  try {
    const locks = (await operations.locks(undefined)).slice(0, LOCKS).map(({ id }) => id);
    const answer = await operations['stays.add-calendar']({ name, address: url, locks });
    if (answer.kind === 'invalid') {
      const why = answer.faults.map(({ words }) => t(words)).join(' ');
      log.warn(`${t('The demo has no booking calendar.')} ${why}`);
    }
  } catch (error) {
    log.warn(t('The demo has no booking calendar; restart Homebridge. {why}', { why: messageOf(error) }));
  }
};
