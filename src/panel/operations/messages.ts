// The panel's operations on messages to guests: their text, to be copied and sent by a person.
import { z } from 'zod';
import { GUEST_LANGUAGES } from '../../features/stays/policy/stay-calendar.ts';
import type { MessagesApi } from '../views/messages.ts';
import { pageRows } from './operation.ts';

const id = () => z.string().min(1).max(256);
const said = () =>
  z.object({
    language: z.enum(GUEST_LANGUAGES).nullable().default(null),
    /** The language of the page or the command. */
    reader: z.string().max(10).nullable().default(null),
  });

const row = pageRows(({ messages }: { readonly messages: MessagesApi }) => messages);

/** Their answers hold digits, for a person who asked for them. */
export const MESSAGE_OPERATIONS = {
  'stays.message': row(
    'reads',
    () => said().extend({ stay: id() }),
    (messages, { stay, language, reader }) => messages.ofStay(stay, language, reader),
  ),
  'guests.message': row(
    'reads',
    () => said().extend({ guest: id() }),
    (messages, { guest, language, reader }) => messages.ofGuest(guest, language, reader),
  ),
};
