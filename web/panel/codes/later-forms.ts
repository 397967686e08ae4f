// The forms of the page of codes and the message to a guest, which load when they are opened.
import { laterPage } from '../parts/later.tsx';

export const GuestForm = laterPage(async () => (await import('./forms.ts')).GuestForm);
export const CodeForm = laterPage(async () => (await import('./forms.ts')).CodeForm);
export const NewCode = laterPage(async () => (await import('./forms.ts')).NewCode);
export const RemoveAll = laterPage(async () => (await import('./forms.ts')).RemoveAll);
export const MessageSheet = laterPage(async () => (await import('./message-sheet.tsx')).MessageSheet);
