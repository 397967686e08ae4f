// Judges how long a certificate of ours is still good, by the clock of this machine.
import type { Message } from '../language/message.ts';
import type { Instant } from '../time/instant.ts';

export interface CertificateDates {
  readonly validFrom: Instant;
  readonly validUntil: Instant;
}

/** `ending`: within two weeks. */
export type CertificateState = 'good' | 'ending' | 'ended' | 'not-yet-valid';

/** A certificate that is in use, or would be. */
export interface CertificateView extends CertificateDates {
  readonly option: CertificateOption;
  readonly state: CertificateState;
  readonly daysLeft: number;
  /** Why a renewed file is not taken; null where there is none. */
  readonly refused: Message | null;
}

/** The options that name its files. */
export type CertificateOption = 'webhooks.tls' | 'panel.tls';

const DAY_MS = 86_400_000;

/** Authorities renew a month before the end, so that two weeks before it something is wrong (our choice). */
const WARNED_BEFORE_MS = 14 * DAY_MS;

function certificateState({ validFrom, validUntil }: CertificateDates, now: Instant): CertificateState {
  if (now < validFrom) {
    return 'not-yet-valid';
  }
  if (now >= validUntil) {
    return 'ended';
  }
  return validUntil - now <= WARNED_BEFORE_MS ? 'ending' : 'good';
}

export function certificateView(
  option: CertificateOption,
  dates: CertificateDates,
  now: Instant,
): CertificateView {
  const daysLeft = Math.max(0, Math.floor((dates.validUntil - now) / DAY_MS));
  return { option, ...dates, state: certificateState(dates, now), daysLeft, refused: null };
}
