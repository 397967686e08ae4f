// Verifies a detached JWS (RFC 7515, appendix F) over the body of a delivery.
import type { KeyObject } from 'node:crypto';
import { decodeProtectedHeader, errors, flattenedVerify } from 'jose';

/** A key that is ready for use. `id` and `algorithm` are those of its JWK, if present. */
export interface ReadyKey {
  readonly key: KeyObject;
  readonly id: string | null;
  readonly algorithm: string | null;
}

/** Whether the key made this signature over exactly these bytes, by the algorithm of our configuration. */
export async function verifyDetached(
  ready: ReadyKey,
  algorithm: string,
  bytes: Buffer,
  signature: string,
): Promise<boolean> {
  const [header = '', , tag = ''] = signature.split('.');
  try {
    const { kid, crit } = decodeProtectedHeader({ protected: header });
    const foreignId = kid !== undefined && ready.id !== null && kid !== ready.id;
    const otherPurpose = ready.algorithm !== null && ready.algorithm !== algorithm;
    // An extension that must be understood, such as a payload without encoding, is outside of the contract.
    if (foreignId || otherPurpose || crit !== undefined) {
      return false;
    }
    const jws = { protected: header, payload: bytes.toString('base64url'), signature: tag };
    await flattenedVerify(jws, ready.key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      return false;
    }
    throw error;
  }
}
