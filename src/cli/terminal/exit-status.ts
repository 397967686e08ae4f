// Exit statuses of the command line, one number for each kind of end.

/** Documented in docs/operate/command-line.md; scripts rely on them. Of several ends the highest number counts. */
export const EXIT_STATUS = {
  /** Done, or stopped on request of the person or the system. */
  ok: 0,
  /** Failed; the reason is on the error stream. */
  failed: 1,
  /** The command line or the configuration is invalid, or a name is ambiguous; nothing was started. */
  misused: 2,
  /** The account must be linked. */
  linkNeeded: 3,
  /** The service or the account's owner does not answer, or asked for a pause: try again later. */
  tryLater: 4,
  /** The command may have been carried out: check the lock. */
  uncertain: 5,
  /** `codes sync --dry-run`: the locks differ from the file. */
  differs: 6,
  /** `doctor`: everything works, but something needs attention. */
  warned: 10,
  /** `doctor`: something is broken. */
  broken: 11,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT_STATUS)[keyof typeof EXIT_STATUS];

export function worst(statuses: readonly ExitStatus[]): ExitStatus {
  return statuses.reduce((a, b) => (b > a ? b : a), EXIT_STATUS.ok);
}
