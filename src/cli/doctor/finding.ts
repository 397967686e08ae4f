// The result of one check of the doctor: its grade, its text and the advice.

/** `note`: fine, and worth knowing. `warning`: works, but needs attention. `fault`: broken. */
export type Grade = 'ok' | 'note' | 'warning' | 'fault';

export interface Finding {
  readonly check: string;
  readonly grade: Grade;
  /** The finding as a sentence without secrets. */
  readonly what: string;
  /** The next step as a sentence; null when none is needed. */
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
