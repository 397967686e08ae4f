// How long something takes, or has been: in whole units, spelled out.
import { counted } from './sentence.ts';

/** "just now", "40 seconds ago", "5 minutes ago", "3 hours ago", "2 days ago". */
export function agoWords(ms: number): string {
  const words = lengthWords(ms);
  return words === '' ? 'just now' : `${words} ago`;
}

/** "40 seconds", "5 minutes", "1 hour", "2 days"; empty below 5 seconds. */
export function lengthWords(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 5) {
    return '';
  }
  if (seconds < 60) {
    return counted(seconds, 'second');
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return counted(minutes, 'minute');
  }
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/** "9 seconds": rounded up and never empty, for what is waited for. */
export function waitWords(ms: number): string {
  return lengthWords(ms) || counted(Math.max(1, Math.ceil(ms / 1_000)), 'second');
}
