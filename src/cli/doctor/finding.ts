// One thing that the doctor looked at: how it is, and what to do about it.

/** `note`: fine, and worth knowing. `warning`: it works, but should be looked at. `fault`: something is broken. */
export type Grade = 'ok' | 'note' | 'warning' | 'fault';

export interface Finding {
  readonly check: string;
  readonly grade: Grade;
  /** What was found, as a sentence without secrets. */
  readonly what: string;
  /** What to do, as a sentence; null when nothing is to be done. */
  readonly advice: string | null;
}

export function fine(check: string, what: string): Finding {
  return { check, grade: 'ok', what, advice: null };
}

export function note(check: string, what: string, advice: string | null = null): Finding {
  return { check, grade: 'note', what, advice };
}

export function warning(check: string, what: string, advice: string): Finding {
  return { check, grade: 'warning', what, advice };
}

export function fault(check: string, what: string, advice: string): Finding {
  return { check, grade: 'fault', what, advice };
}
