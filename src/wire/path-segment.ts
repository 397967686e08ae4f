// Makes one segment of a path from an ID, which never leads to another path.

/** Throws a RangeError for an ID that no path can hold: folded dots would turn a request about a code into one about its lock. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/u.test(id) || !id.isWellFormed()) {
    throw new RangeError('Nothing was sent: no ID of the service reads like that.');
  }
  return encodeURIComponent(id);
}
