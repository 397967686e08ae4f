// What is said of mobile credentials: whether one is on the phone, what an issue came to, and what an import would take.

import { message } from '../../domain/language/message.ts';
import { lengthWords } from '../../words/times.ts';
import { t } from '../../words/translate.ts';
import type { Credential } from './policy/credential.ts';

/** Empty where the service does not say. */
export function phoneWords({ isDownloaded }: Pick<Credential, 'isDownloaded'>): string {
  return isDownloaded === null ? '' : t(isDownloaded ? 'on the phone' : 'not on the phone yet');
}

export const ISSUE_WORDS = {
  issued: message('Issued. The person finds it in the phone app.'),
  existing: message('This user has exactly this credential already.'),
  other: message('Nothing was issued: this user has another credential. Delete that one first.'),
} as const;

export function importTime(expectedMs: number): string {
  return t('It takes {length} under the limits of the service.', {
    length: lengthWords(expectedMs) || t('a moment'),
  });
}

/** "About 4 minutes left". */
export function timeLeft(remainingMs: number): string {
  return t('About {length} left', { length: lengthWords(remainingMs) || t('a moment') });
}

/** How many people an import takes their credential from, for good or for a while; null: nobody. */
export function lossOfAccess(losing: number, changing: number): string | null {
  const parts = [
    losing === 0
      ? ''
      : t('{count, plural, one {# person would lose access.} other {# people would lose access.}}', {
          count: losing,
        }),
    changing === 0
      ? ''
      : t(
          '{count, plural, one {# person would have none until the new credential is on the phone.} other {# people would have none until the new credential is on the phone.}}',
          { count: changing },
        ),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(' ');
}
