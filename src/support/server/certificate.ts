// Reads the certificate and the key that options name, and judges whether a server can use them.
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { CertificateDates, CertificateOption } from '../../domain/account/certificate-policy.ts';
import { message } from '../../domain/language/message.ts';
import { FinalError, messageOf } from '../errors.ts';
import { readOptionFile } from '../files/option-file.ts';

/** Contents of PEM files. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** Throws `bad-configuration` for a file that cannot be read. */
export function readCertificate(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  option: CertificateOption,
): CertificatePair {
  return {
    cert: readOptionFile(certFile, `${option}.certFile`),
    key: readOptionFile(keyFile, `${option}.keyFile`),
  };
}

/** What `read` reads. Throws as `datesOf` does, and as `read`. */
export function usableCertificate(read: () => CertificatePair, option: CertificateOption): CertificatePair {
  const pair = read();
  datesOf(pair, option);
  return pair;
}

/** The dates of a pair that a server can use. Throws `bad-configuration` for one that is damaged, or does not belong together. */
export function datesOf(pair: CertificatePair, option: CertificateOption): CertificateDates {
  try {
    createSecureContext(pair);
    const { validFrom, validTo } = new X509Certificate(pair.cert);
    return { validFrom: Date.parse(validFrom), validUntil: Date.parse(validTo) };
  } catch (error) {
    throw new FinalError(
      'bad-configuration',
      message('The certificate or key of {option} cannot be used: {why}.', { option, why: messageOf(error) }),
      { cause: error },
    );
  }
}
