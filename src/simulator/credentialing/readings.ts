// Points at which the pages of the interface can be read in two ways: a switch for each, the simulator's own reading first.

export const READINGS = {
  /** `GET /credentials/mobile/`: no operation, or Get Credential by Credential Id with an empty id. */
  trailingSlash: ['no-operation', 'id'],
  /** A mobile number: any text, such as "call me", or an international number alone. */
  mobileNumber: ['any-text', 'international'],
  /** `bitLength`: anything up to the bits of the hexadecimal digits, or as many digits as it takes. */
  bitLength: ['up-to-digits', 'exact-digits'],
  /** A raw record: without the raw credential, or with it and its length. */
  rawRecord: ['hidden', 'echoed'],
  /** A second credential of one user: refused with 409, or issued. */
  secondCredential: ['refused', 'issued'],
  /** Where a rate window begins: with its first call, or with each minute of the clock. */
  rateWindow: ['first-call', 'clock-minute'],
} as const;

/** The reading in force at each point. */
export type Readings = { readonly [Point in keyof typeof READINGS]: (typeof READINGS)[Point][number] };

export const DEFAULT_READINGS: Readings = {
  trailingSlash: 'no-operation',
  mobileNumber: 'any-text',
  bitLength: 'up-to-digits',
  rawRecord: 'hidden',
  secondCredential: 'refused',
  rateWindow: 'first-call',
};
