// The one spelling of a webhook's address: the service may list it otherwise than it was entered.

/**
 * The address as the URL standard writes it: host in lower case and ASCII, no default port, no `.` or `..` in its path. Text that is
 * no address is returned as it is.
 */
export function standardAddress(address: string): string {
  return URL.parse(address)?.href ?? address;
}
