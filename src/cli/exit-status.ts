// What the command line says to the program that called it: one number for each way to end.

/** Documented in docs/command-line.md; a script may rely on them. Of several ends the highest number counts. */
export const EXIT_STATUS = {
  /** Done, or ended because a person or the system asked for it. */
  ok: 0,
  /** It could not be done; the reason is on the error stream. */
  failed: 1,
  /** The command line or the configuration was not understood, or a name was ambiguous; nothing was begun. */
  misused: 2,
  /** The account has to be linked. */
  linkNeeded: 3,
  /** The service or the process that owns the account does not answer, or asked for a pause: try again later. */
  tryLater: 4,
  /** It may have happened, and nobody knows: look at the door. */
  uncertain: 5,
  /** `doctor`: everything works, but something should be looked at. */
  warned: 10,
  /** `doctor`: something is broken. */
  broken: 11,
  /** Stopped by Ctrl-C before it was done. */
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT_STATUS)[keyof typeof EXIT_STATUS];

/** Of several ends, the one to tell. */
export function worst(statuses: readonly ExitStatus[]): ExitStatus {
  return statuses.reduce((a, b) => (b > a ? b : a), EXIT_STATUS.ok);
}
