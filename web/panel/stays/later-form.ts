// The forms and the plan of the page of stays, which load when they are needed.
import { laterPage } from '../parts/later.tsx';

export const AddStay = laterPage(async () => (await import('./stay-sheets.tsx')).AddStay);
export const CalendarForm = laterPage(async () => (await import('./calendar-form.tsx')).CalendarForm);
export const AnotherCode = laterPage(async () => (await import('./stay-sheets.tsx')).AnotherCode);
export const CleanerForm = laterPage(async () => (await import('./cleaner-form.tsx')).CleanerForm);
export const ChangeHours = laterPage(async () => (await import('./stay-sheets.tsx')).ChangeHours);
export const FeedSheet = laterPage(async () => (await import('./feed-sheet.tsx')).FeedSheet);
export const SkipStay = laterPage(async () => (await import('./stay-sheets.tsx')).SkipStay);
export const Plan = laterPage(async () => (await import('./plan.tsx')).Plan);
