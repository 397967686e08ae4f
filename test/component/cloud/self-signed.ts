// Certificates without a trusted authority; their keys guard nothing but tests on loopback.
import { makeCertificate } from '../../support/certificates.ts';

export const SELF_SIGNED = makeCertificate();

/** Another, as after a renewal. */
export const RENEWED = makeCertificate();
