// What is said of certificates: how long ours are good, and why the service's proves nothing.
import type {
  CertificateOption,
  CertificateState,
  CertificateView,
} from '../domain/account/certificate-policy.ts';
import type { ServiceCertificateFault } from '../domain/account/service-check.ts';
import { type Message, message } from '../domain/language/message.ts';
import { dateFormat } from './formats.ts';
import { locale, t } from './translate.ts';

/** A fault, and the next step. */
export interface CertificateWords {
  readonly what: Message;
  readonly remedy: Message;
}

const RENEW = message('Renew it. The renewed files are taken into use within an hour, without a restart.');

const CHECK_CLOCK = message('Check the clock of this machine: it should be set by NTP.');

type Faulty = Exclude<CertificateState, 'good'>;

const STANDINGS: Readonly<Record<Faulty, (view: CertificateView) => CertificateWords>> = {
  ending: ({ option, daysLeft, validUntil }) => ({
    what: message(
      'The certificate of {option} ends in {days, plural, =0 {less than a day} one {# day} other {# days}}, on {date}.',
      { option, days: daysLeft, date: dateWords(validUntil) },
    ),
    remedy: RENEW,
  }),
  ended: ({ option, validUntil }) => ({
    what: message('The certificate of {option} ended on {date}.', { option, date: dateWords(validUntil) }),
    remedy: RENEW,
  }),
  'not-yet-valid': ({ option, validFrom }) => ({
    what: message('The certificate of {option} is good only from {date} on.', {
      option,
      date: dateWords(validFrom),
    }),
    remedy: CHECK_CLOCK,
  }),
};

/** What is wrong with a certificate of ours; null for one that is good for long. */
export function certificateWords(view: CertificateView): CertificateWords | null {
  return view.state === 'good' ? null : STANDINGS[view.state](view);
}

/** Of one that is good for long. */
export function goodCertificate({ option, daysLeft, validUntil }: CertificateView): string {
  return t('The certificate of {option} is good for {days} days, until {date}.', {
    option,
    days: daysLeft,
    date: dateWords(validUntil),
  });
}

/** `why`: a sentence. */
export function formerStays(option: CertificateOption, why: Message): Message {
  return message('The former certificate of {option} stays in use. {why}', { option, why });
}

export function renewedWords(option: CertificateOption): string {
  return t('The certificate of {option} was renewed, and is in use from now on.', { option });
}

const OTHER_NETWORK = message(
  'A network or a program between this machine and the service may be answering instead: try another network, and compare the addresses in config.json with the agreement.',
);

/** Why the certificate of the service proves nothing, each with what helps. */
export const SERVICE_CERTIFICATE: Readonly<Record<ServiceCertificateFault, CertificateWords>> = {
  expired: {
    what: message('The certificate of the service has expired, so nothing was sent to it.'),
    remedy: message(
      'Check the clock of this machine. If it is right, the service has to renew its certificate: tell your contact there. It is tried again every minute.',
    ),
  },
  'not-yet-valid': {
    what: message('The certificate of the service is not valid yet, so nothing was sent to it.'),
    remedy: message('Usually the clock of this machine is behind: let the machine set it by NTP.'),
  },
  'wrong-host': {
    what: message('The certificate of the service is for another name, so nothing was sent to it.'),
    remedy: OTHER_NETWORK,
  },
  'unknown-authority': {
    what: message(
      'The certificate of the service is signed by an unknown authority, so nothing was sent to it.',
    ),
    remedy: OTHER_NETWORK,
  },
  'self-signed': {
    what: message('The certificate of the service is signed by itself alone, so nothing was sent to it.'),
    remedy: OTHER_NETWORK,
  },
  invalid: {
    what: message('The certificate of the service is not valid, so nothing was sent to it.'),
    remedy: CHECK_CLOCK,
  },
};

/** Both in one. */
export function serviceCertificateWords(fault: ServiceCertificateFault): Message {
  const { what, remedy } = SERVICE_CERTIFICATE[fault];
  return message('{what} {remedy}', { what, remedy });
}

function dateWords(at: number): string {
  return dateFormat(locale() ?? 'en-GB', { dateStyle: 'long' }).format(at);
}
