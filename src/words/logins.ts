// What is said of a login to the dashboard: its device, what it may do, and its last use.
import { type Message, message } from '../domain/language/message.ts';
import { dateFormat } from './formats.ts';
import { seriesWords } from './sentence.ts';
import { languageCode, t } from './translate.ts';

const ROLE_WORDS = {
  all: message('may do everything'),
  codes: message('guests and codes only'),
  look: message('may only look'),
} as const satisfies Readonly<Record<string, Message>>;

interface Login {
  readonly role: keyof typeof ROLE_WORDS;
  readonly device: string;
  readonly usedAt: number;
}

export function roleWords(role: keyof typeof ROLE_WORDS): string {
  return t(ROLE_WORDS[role]);
}

export function deviceWords({ device }: Pick<Login, 'device'>): string {
  return device === '' ? t('A browser that is not known') : device;
}

export function lastUsedWords({ usedAt }: Pick<Login, 'usedAt'>): string {
  const at = dateFormat(languageCode(), { dateStyle: 'medium', timeStyle: 'short' }).format(usedAt);
  return t('last used {at}', { at });
}

/** "Safari, iPhone: may only look, last used 14 Apr 2026, 14:00". */
export function loginWords(login: Login): string {
  return `${deviceWords(login)}: ${seriesWords([roleWords(login.role), lastUsedWords(login)])}`;
}
