// The forms of the page of codes, which load when they are opened.
import { laterPage } from '../parts/later.tsx';

export const CleanerForm = laterPage(async () => (await import('./forms.ts')).CleanerForm);
export const GuestForm = laterPage(async () => (await import('./forms.ts')).GuestForm);
export const CodeForm = laterPage(async () => (await import('./forms.ts')).CodeForm);
export const NewCode = laterPage(async () => (await import('./forms.ts')).NewCode);
