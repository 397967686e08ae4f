// What features give a demo once it is linked, so that a person finds them in use.
import type { DemoCalendar } from '../config/demo-service.ts';
import type { PanelApi } from '../panel/operations/panel-api.ts';
import { Additions } from '../support/additions.ts';
import type { Log } from '../support/log.ts';

/** Each feature declares here the operations that it gives by. */
export interface GiftOperations extends Pick<PanelApi, 'locks'> {}

/** Never rejects: the demo has locks without it. */
export type DemoGift = (calendar: DemoCalendar, operations: GiftOperations, log: Log) => Promise<void>;

export const demoGifts = new Additions<DemoGift>();
