// What the command line says to the program that called it: one number for each way to end.

/** Documented in docs/simulator.md; a script may rely on them. */
export const EXIT_STATUS = {
  /** Done, or ended because a person or the system asked for it. */
  ok: 0,
  /** It could not be done; the reason is on the error stream. */
  failed: 1,
  /** The command line itself was not understood; nothing was begun. */
  misused: 2,
} as const;

export type ExitStatus = (typeof EXIT_STATUS)[keyof typeof EXIT_STATUS];
