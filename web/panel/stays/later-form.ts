// The forms of the page of stays, which load when they are opened.
import { laterPage } from '../parts/later.tsx';

export const AddStay = laterPage(async () => (await import('./add-stay.tsx')).AddStay);
export const CalendarForm = laterPage(async () => (await import('./calendar-form.tsx')).CalendarForm);
export const AnotherCode = laterPage(async () => (await import('./stay-sheets.tsx')).AnotherCode);
export const ChangeHours = laterPage(async () => (await import('./stay-sheets.tsx')).ChangeHours);
export const SkipStay = laterPage(async () => (await import('./stay-sheets.tsx')).SkipStay);
