// Turns the state of the account and the checks of the service into findings.

import type { ServiceCheck, Verdict } from '../../domain/account/service-check.ts';
import type { LinkView } from '../../linking/link-api.ts';
import type { StatusView } from '../../panel/operations/panel-api.ts';
import type { PartnerView } from '../../panel/views/partner.ts';
import { oneLine } from '../../support/log.ts';
import { LINK_WORDS } from '../../words/account.ts';
import { SERVICE_CERTIFICATE } from '../../words/certificates.ts';
import { t } from '../../words/translate.ts';
import { featureFindings } from './feature-findings.ts';
import { CHECKS, type Finding, fault, fine, keyCheck, warning } from './finding.ts';

/** From this clock skew on, in milliseconds, times in history and log mislead and deserve a line. */
const SKEW_WORTH_A_LINE_MS = 30_000;

type Failed = Extract<Verdict, { readonly ok: false }>;

const LINK = 'npx homebridge-latchkey link';

export function credentialFinding({
  missing,
  clientId,
  clientSecret,
  subscriptionKeys,
}: PartnerView): Finding {
  const kept = [clientId, clientSecret, subscriptionKeys].some(({ from }) => from === 'page');
  return missing.length === 0
    ? fine(
        CHECKS.credentials,
        kept ? t('Complete; a page of the plugin keeps some of them.') : t('Complete.'),
      )
    : fault(
        CHECKS.credentials,
        t('Missing: {options}.', { options: missing.join(', ') }),
        t("Enter what the partner agreement says on the plugin's pages or in config.json."),
      );
}

export function linkFinding(
  { link }: Pick<StatusView, 'link'>,
  { accountChange, setAside }: LinkView,
): Finding {
  if (link !== 'linked' && setAside) {
    return fault(
      CHECKS.link,
      t('config.json names another lock service than the one that the account was connected with.'),
      t(
        'Compare {authUrl} and {baseUrl} with the agreement: with the former ones the connection is in use again. If they are right, run: {command}',
        { authUrl: 'partner.authUrl', baseUrl: 'partner.baseUrl', command: LINK },
      ),
    );
  }
  if (link !== 'linked') {
    return fault(
      CHECKS.link,
      t('The account is {state}.', { state: LINK_WORDS[link] }),
      t('Run: {command}', { command: LINK }),
    );
  }
  return accountChange === null
    ? fine(CHECKS.link, t('Account connected.'))
    : fault(
        CHECKS.link,
        t('The account seems to be another one than before: it does not list {locks}.', {
          locks: accountChange.missing.map(oneLine).join(', '),
        }),
        t('Run: {keep}, if it is the one you want; else: {undo}', {
          keep: `${LINK} --confirm keep`,
          undo: `${LINK} --confirm undo`,
        }),
      );
}

export function serviceFindings(check: ServiceCheck, linked: boolean): readonly Finding[] {
  const { authorization, token, keys, clock } = check;
  return [
    authorizationFinding(authorization),
    ...(linked ? [tokenFinding(token)] : []),
    ...deviceFindings(keys),
    ...featureFindings.all.flatMap(({ of }) => of?.(check) ?? []),
    clockFinding(clock),
  ];
}

function authorizationFinding(verdict: Verdict): Finding {
  const check = CHECKS.authorization;
  if (verdict.ok) {
    return fine(check, t('It answers and knows the client.'));
  }
  return verdict.code === 'bad-configuration'
    ? fault(
        check,
        t(verdict.message),
        t('Compare {authUrl}, {clientId} and {clientSecret} with the agreement.', {
          authUrl: 'partner.authUrl',
          clientId: 'clientId',
          clientSecret: 'clientSecret',
        }),
      )
    : fault(check, t(verdict.message), remedyOf(verdict, checkNetwork('partner.authUrl')));
}

/** A bad certificate has a remedy of its own, whichever step met it. */
export function remedyOf({ certificate }: Failed, otherwise: string): string {
  return certificate === undefined ? otherwise : t(SERVICE_CERTIFICATE[certificate].remedy);
}

/** `option`: the address that cannot be reached. */
function checkNetwork(option: string): string {
  return t('Check the network of this machine and {option}.', { option });
}

function tokenFinding(verdict: Verdict): Finding {
  if (verdict.ok) {
    return fine(CHECKS.token, t('There is one, and the service takes it.'));
  }
  const advice =
    verdict.disposition === 'relink'
      ? t('Run: {command}', { command: LINK })
      : t('It is renewed by itself; ask again in a minute.');
  return fault(CHECKS.token, t(verdict.message), remedyOf(verdict, advice));
}

/** An unreachable service is one finding, not one per key. */
function deviceFindings(keys: readonly Verdict[]): readonly Finding[] {
  const check = CHECKS.device;
  const reached = keys.some(isAnswer);
  const [first] = keys;
  if (!reached && first !== undefined && !first.ok) {
    return [fault(check, t(first.message), remedyOf(first, checkNetwork('partner.baseUrl')))];
  }
  const taken = keys.filter(({ ok }) => ok).length;
  return [
    fine(check, t('It answers.')),
    ...keys.map((verdict, index) => keyFinding(verdict, index + 1, taken)),
  ];
}

function isAnswer(verdict: Verdict): boolean {
  return verdict.ok || verdict.code === 'bad-configuration';
}

function keyFinding(verdict: Verdict, number: number, taken: number): Finding {
  const check = keyCheck(number);
  if (verdict.ok) {
    return fine(check, t('The service takes it.'));
  }
  const advice = t('Replace it in {option} by the one of the agreement.', {
    option: 'partner.subscriptionKeys',
  });
  if (verdict.code !== 'bad-configuration') {
    return warning(check, t(verdict.message), t('Ask again in a minute.'));
  }
  return taken > 0
    ? warning(check, t('The service does not take it; the other one works.'), advice)
    : fault(check, t('The service does not take it.'), advice);
}

function clockFinding(clock: ServiceCheck['clock']): Finding {
  if (clock === null) {
    return warning(
      CHECKS.clock,
      t('The service sent no time to compare with.'),
      t('Ask again when it answers.'),
    );
  }
  const seconds = Math.round(Math.abs(clock.aheadMs) / 1_000);
  return Math.abs(clock.aheadMs) - clock.uncertaintyMs > SKEW_WORTH_A_LINE_MS
    ? warning(
        CHECKS.clock,
        t(
          clock.aheadMs > 0
            ? "This machine's clock is {seconds} s ahead of the service's."
            : "This machine's clock is {seconds} s behind the service's.",
          { seconds },
        ),
        t('Let the machine set its clock by NTP.'),
      )
    : fine(CHECKS.clock, t("This machine's clock agrees with the service's."));
}
