// Makes one segment of a path from an ID, which never leads to another path.

/**
 * Throws a RangeError for an ID that no path can hold: dots are folded before a request is sent, escaped or not,
 * so that what was meant for a code would reach its lock.
 */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/u.test(id) || !id.isWellFormed()) {
    throw new RangeError('Nothing was sent: no ID of the service reads like that.');
  }
  return encodeURIComponent(id);
}
