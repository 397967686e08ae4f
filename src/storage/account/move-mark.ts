// Where an account was moved or restored, and when: a mark among its settings.
import type { KeptValues } from './settings.ts';

/** The key of the settings that records where an account was moved or restored, and when. */
export const MOVE_SETTING = 'move';

/** What the doctor shows of a move. Instants are wall time in milliseconds. */
export type MoveMark =
  | { readonly kind: 'moved'; readonly at: number }
  | { readonly kind: 'restored'; readonly at: number; readonly madeAt: number; readonly stopped: boolean };

export function moveMarkIn(settings: Pick<KeptValues, 'read'>): MoveMark | null {
  const mark = settings.read(MOVE_SETTING);
  return isMark(mark) ? mark : null;
}

function isMark(value: unknown): value is MoveMark {
  const kind: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : null;
  return kind === 'moved' || kind === 'restored';
}
