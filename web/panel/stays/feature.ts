// What booking calendars bring to the pages.
import { message } from '../../../src/domain/language/message.ts';
import type { FeaturePage } from '../parts/feature-page.ts';
import { CalendarIcon } from '../parts/icons.tsx';
import { laterPage } from '../parts/later.tsx';
import { CleanerForm } from './later-form.ts';
import { StayAlarms } from './stay-alarms.tsx';

declare module '../state/views.ts' {
  interface FeatureViews {
    readonly stays: true;
  }
}

export const STAYS: FeaturePage = {
  name: 'stays',
  tab: {
    view: 'stays',
    after: 'codes',
    title: message('Stays'),
    needed: 'stays.add',
    Icon: CalendarIcon,
    Page: laterPage(async () => (await import('./stays-page.tsx')).StaysPage),
  },
  Alarms: StayAlarms,
  guests: {
    way: { title: message('Go to Stays'), view: 'stays', needed: 'stays.add' },
    BetweenForm: CleanerForm,
  },
};
