// Which names are those of time zones, for config.json and for the page alike.

/** An IANA name. Offsets such as +02:00 are zones to `Intl` but know nothing of daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) {
    return false;
  }
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
