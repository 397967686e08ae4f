// Codes for the guests of booking calendars: what the feature brings to each part of the core.

import { features } from '../../app/features.ts';
import { optionsOfFeatures } from '../../config/options/feature-config.ts';
import { featureOptions } from '../../config/options/feature-options.ts';
import { demoGifts } from '../../demo/gifts.ts';
import { featureRoutes } from '../../panel/http/feature-routes.ts';
import { featureOperations } from '../../panel/operations/feature-operations.ts';
import { featureRoles } from '../../panel/operations/role-table.ts';
import { addDemoCalendar } from './account/demo-calendar.ts';
import { OpenStays } from './account/open-stays.ts';
import { calendarsRow } from './account/options.ts';
import { OF_STAYS } from './account/written-calendars.ts';
import { feedRoute } from './panel/feed-route.ts';
import { FEATURE, STAY_OPERATIONS, STAY_ROLES } from './panel/operations.ts';

export function addStays(): void {
  featureOptions.add(FEATURE, { rows: () => ({ stays: calendarsRow() }) });
  optionsOfFeatures.add(FEATURE, OF_STAYS);
  featureOperations.add(FEATURE, STAY_OPERATIONS);
  featureRoles.add(FEATURE, STAY_ROLES);
  featureRoutes.add(FEATURE, feedRoute);
  features.add(FEATURE, (account) => new OpenStays(account));
  demoGifts.add(FEATURE, addDemoCalendar);
}
