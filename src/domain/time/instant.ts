// The unit of time: instants on the service's clock.

/** Milliseconds since the Unix epoch on the service's clock, so that a jump of our own clock reorders nothing. */
export type Instant = number;
