// The switches of the credentialing interface: points at which its pages can be read in two ways, the simulator's own reading first.
import { z } from 'zod';
import { OPERATION_NAMES } from './operations.ts';

/** Any of the switches, as the control API takes them. */
export const credentialingSettingsSchema = z.strictObject({
  /** Form of `x-rate-limit-reset`: the specification describes one and shows the other. */
  resetForm: z.enum(['epoch-seconds', 'iso-8601']).exactOptional(),
  /** Limits other than the specification's, for tests that would otherwise need hundreds of requests. */
  limits: z.partialRecord(z.enum(OPERATION_NAMES), z.int().min(0)).exactOptional(),
  /** `GET /credentials/mobile/`: no operation, or Get Credential by Credential Id with an empty id. */
  trailingSlash: z.enum(['no-operation', 'id']).exactOptional(),
  /** A mobile number: any text, such as "call me", or an international number alone. */
  mobileNumber: z.enum(['any-text', 'international']).exactOptional(),
  /** `bitLength`: anything up to the bits of the hexadecimal digits, or as many digits as it takes. */
  bitLength: z.enum(['up-to-digits', 'exact-digits']).exactOptional(),
  /** A raw record: without the raw credential, or with it and its length. */
  rawRecord: z.enum(['hidden', 'echoed']).exactOptional(),
  /** A second credential of one user: refused with 409, or issued. */
  secondCredential: z.enum(['refused', 'issued']).exactOptional(),
  /** Where a rate window begins: with its first call, or with each minute of the clock. */
  rateWindow: z.enum(['first-call', 'clock-minute']).exactOptional(),
});

export type CredentialingSettings = Readonly<Required<z.infer<typeof credentialingSettingsSchema>>>;

export const DEFAULT_CREDENTIALING_SETTINGS: CredentialingSettings = {
  trailingSlash: 'no-operation',
  mobileNumber: 'any-text',
  bitLength: 'up-to-digits',
  rawRecord: 'hidden',
  secondCredential: 'refused',
  rateWindow: 'first-call',
  resetForm: 'epoch-seconds',
  limits: {},
};
