// The doctor's finding about the credentialing interface.
import { type Finding, fault, fine, warning } from '../../../cli/doctor/finding.ts';
import { remedyOf } from '../../../cli/doctor/service.ts';
import type { Verdict } from '../../../domain/account/service-check.ts';
import { message } from '../../../domain/language/message.ts';
import { t } from '../../../words/translate.ts';

export const CREDENTIALING = message('credentialing');

export function credentialingFinding(verdict: Verdict): Finding {
  const check = CREDENTIALING;
  if (verdict.ok) {
    return fine(check, t('It answers and takes the login.'));
  }
  if (verdict.code === 'bad-configuration') {
    return fault(
      check,
      t(verdict.message),
      t('If the login is right, compare {option} with the agreement.', {
        option: 'partner.credentialsUrl',
      }),
    );
  }
  return verdict.code === 'not-permitted'
    ? fault(check, t(verdict.message), t('Log in as an administrator of the interface.'))
    : warning(
        check,
        t(verdict.message),
        remedyOf(
          verdict,
          t('Check {option}, or ask again in a minute.', { option: 'partner.credentialsUrl' }),
        ),
      );
}
