// Checks the certificates of the account's own servers: those that the options name, and those that the plugin uses.
import type { Config } from '../../config/config.ts';
import {
  type CertificateOption,
  type CertificateView,
  certificateView,
} from '../../domain/account/certificate-policy.ts';
import type { Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import { datesOf, readCertificate } from '../../support/server/certificate.ts';
import { certificateWords, goodCertificate } from '../../words/certificates.ts';
import { t } from '../../words/translate.ts';
import { type Finding, fault, fine, warning } from './finding.ts';

/** The files as they are now. */
export function certificateFindings(
  { webhooks, panel }: Pick<Config, 'webhooks' | 'panel'>,
  clock: Pick<Clock, 'now'>,
): readonly Finding[] {
  const wanted = [
    { option: 'webhooks.tls', files: webhooks?.tls ?? null },
    { option: 'panel.tls', files: panel?.tls ?? null },
  ] as const;
  return wanted.flatMap(({ option, files }) => (files === null ? [] : [fileFinding(option, files, clock)]));
}

function fileFinding(
  option: CertificateOption,
  files: Parameters<typeof readCertificate>[0],
  clock: Pick<Clock, 'now'>,
): Finding {
  try {
    const dates = datesOf(readCertificate(files, option), option);
    const view = certificateView(option, dates, clock.now());
    const words = certificateWords(view);
    if (words === null) {
      return fine(option, goodCertificate(view));
    }
    return (view.state === 'ending' ? warning : fault)(option, t(words.what), t(words.remedy));
  } catch (error) {
    return fault(option, messageOf(error), t('Correct it, then restart Homebridge.'));
  }
}

/** Renewed files that the running plugin does not take, such as those that its user may not read. */
export function refusedCertificates(certificates: readonly CertificateView[]): readonly Finding[] {
  return certificates.flatMap(({ option, refused }) =>
    refused === null
      ? []
      : [warning(option, t(refused), t('Correct the files: they are looked at once an hour.'))],
  );
}
