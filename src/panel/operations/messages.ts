// The panel's operations on messages to guests: their text, to be copied and sent by a person.
import { z } from 'zod';
import { GUEST_LANGUAGES } from '../../domain/codes/guest-language.ts';
import type { MessagesApi } from '../views/messages.ts';
import { pageRows } from './operation.ts';

const id = () => z.string().min(1).max(256);
export const messageLanguages = () =>
  z.object({
    language: z.enum(GUEST_LANGUAGES).nullable().default(null),
    /** The language of the page or the command. */
    reader: z.string().max(10).nullable().default(null),
  });

const row = pageRows(({ messages }: { readonly messages: MessagesApi }) => messages);

/** Their answers hold digits, for a person who asked for them. */
export const MESSAGE_OPERATIONS = {
  'guests.message': row(
    'reads',
    () => messageLanguages().extend({ guest: id() }),
    (messages, { guest, language, reader }) => messages.ofGuest(guest, language, reader),
  ),
};
