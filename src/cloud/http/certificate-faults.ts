// Names why the certificate of the service proves nothing, by OpenSSL's and Node's codes.
import type { ServiceCertificateFault } from '../../domain/account/service-check.ts';
import { systemCodeOf } from '../../support/errors.ts';

/** Node, tls: X509 certificate error codes. */
const FAULTS: Readonly<Record<string, ServiceCertificateFault>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-host',
  HOSTNAME_MISMATCH: 'wrong-host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-authority',
  CERT_UNTRUSTED: 'unknown-authority',
};

/** Null for an error that is about no certificate. */
export function certificateFaultOf(error: unknown): ServiceCertificateFault | null {
  const code = systemCodeOf(error) ?? '';
  return FAULTS[code] ?? (/CERT|SELF_SIGNED|UNABLE_TO/.test(code) ? 'invalid' : null);
}
