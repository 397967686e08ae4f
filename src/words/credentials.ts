// What is said of mobile credentials: whether one is on the phone, what an issue came to, and what an import would take.
import type { Credential } from '../domain/credentials/credential.ts';
import { counted } from './sentence.ts';
import { lengthWords } from './times.ts';

/** Empty where the service does not say. */
export function phoneWords({ isDownloaded }: Pick<Credential, 'isDownloaded'>): string {
  return isDownloaded === null ? '' : isDownloaded ? 'on the phone' : 'not on the phone yet';
}

/** What issuing a credential came to. */
export const ISSUE_WORDS = {
  issued: 'Issued. The person finds it in the phone app.',
  existing: 'This user has exactly this credential already.',
  other: 'Nothing was issued: this user has another credential. Delete that one first.',
} as const;

/** How long the service's limits make an import. */
export function importTime(expectedMs: number): string {
  return `It takes ${lengthWords(expectedMs) || 'a moment'} under the limits of the service.`;
}

/** "About 4 minutes left". */
export function timeLeft(remainingMs: number): string {
  return `About ${lengthWords(remainingMs) || 'a moment'} left`;
}

/** How many people an import takes their credential from, for good or for a while; null: nobody. */
export function lossOfAccess(losing: number, changing: number): string | null {
  const parts = [
    ...(losing === 0 ? [] : [`${counted(losing, 'person', 'people')} would lose access.`]),
    ...(changing === 0
      ? []
      : [
          `${counted(changing, 'person', 'people')} would have none until the new credential is on the phone.`,
        ]),
  ];
  return parts.length === 0 ? null : parts.join(' ');
}
