// The forms of the page of codes and the message to a guest, which load when they are opened.
import { laterPage } from '../parts/later.tsx';

export const CodeForm = laterPage(async () => (await import('./forms.ts')).CodeForm);
export const RemoveAll = laterPage(async () => (await import('./forms.ts')).RemoveAll);
export const MessageSheet = laterPage(async () => (await import('./message-sheet.tsx')).MessageSheet);
