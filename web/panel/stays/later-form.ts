// The form of a calendar, which loads when it is opened.
import { laterPage } from '../parts/later.tsx';

export const CalendarForm = laterPage(async () => (await import('./calendar-form.tsx')).CalendarForm);
