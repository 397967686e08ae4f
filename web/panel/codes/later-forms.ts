// The forms of the page of codes, which load when they are opened.
import { laterPage } from '../parts/later.tsx';

export const CleanerForm = laterPage(async () => (await import('./cleaner-form.tsx')).CleanerForm);
export const GuestForm = laterPage(async () => (await import('./guest-form.tsx')).GuestForm);
export const CodeForm = laterPage(async () => (await import('./code-form.tsx')).CodeForm);
export const NewCode = laterPage(async () => (await import('./new-code.tsx')).NewCode);
