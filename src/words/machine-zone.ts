// The time zone of this machine or browser, which is the reader's own.

// Made when first used: most processes show no time, and none should pay for it at its start.
let own: string | undefined;

export function machineZone(): string {
  return (own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
