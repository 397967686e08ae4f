// Turns the state of the account and the checks of the service into findings.

import type { ServiceCheck, Verdict } from '../../domain/account/service-check.ts';
import { mayBeAt } from '../../domain/codes/lock-zone.ts';
import { offsetMinutesAt, offsetZone, zoneName } from '../../domain/time/schedule-time.ts';
import type { StatusView } from '../../panel/operations/panel-api.ts';
import type { LinkView } from '../../panel/views/link.ts';
import type { LockView } from '../../panel/views/lock.ts';
import type { LockSettingsView } from '../../panel/views/lock-settings.ts';
import type { PartnerView } from '../../panel/views/partner.ts';
import { oneLine } from '../../support/log.ts';
import { LINK_WORDS } from '../../words/account.ts';
import { t } from '../../words/translate.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { type Finding, fault, fine, note, warning } from './finding.ts';

/** From this clock skew on, in milliseconds, times in history and log mislead and deserve a line. */
const SKEW_WORTH_A_LINE_MS = 30_000;

export function credentialFinding({
  missing,
  clientId,
  clientSecret,
  subscriptionKeys,
}: PartnerView): Finding {
  const kept = [clientId, clientSecret, subscriptionKeys].some(({ from }) => from === 'page');
  return missing.length === 0
    ? fine('credentials', kept ? 'Complete; a page of the plugin keeps some of them.' : 'Complete.')
    : fault(
        'credentials',
        `Missing: ${missing.join(', ')}.`,
        "Enter what the partner agreement says on the plugin's pages or in config.json.",
      );
}

export function linkFinding({ link }: StatusView, { accountChange, setAside }: LinkView): Finding {
  if (link !== 'linked' && setAside) {
    return fault(
      'link',
      'config.json names another lock service than the one that the account was connected with.',
      'Compare partner.authUrl and partner.baseUrl with the agreement: with the former ones the connection is in use again. If they are right, run: npx homebridge-latchkey link',
    );
  }
  if (link !== 'linked') {
    return fault('link', `The account is ${t(LINK_WORDS[link])}.`, 'Run: npx homebridge-latchkey link');
  }
  return accountChange === null
    ? fine('link', 'Account connected.')
    : fault(
        'link',
        `The account seems to be another one than before: it does not list ${accountChange.missing.map(oneLine).join(', ')}.`,
        'Run: npx homebridge-latchkey link --confirm keep, if it is the one you want; else: npx homebridge-latchkey link --confirm undo',
      );
}

export function serviceFindings(
  { authorization, token, keys, credentialing, clock }: ServiceCheck,
  linked: boolean,
): readonly Finding[] {
  return [
    authorizationFinding(authorization),
    ...(linked ? [tokenFinding(token)] : []),
    ...deviceFindings(keys),
    ...(credentialing === undefined ? [] : [credentialingFinding(credentialing)]),
    clockFinding(clock),
  ];
}

export function lockFinding(locks: readonly LockView[]): Finding {
  const away = locks.filter(({ presence }) => presence !== 'reachable');
  if (locks.length === 0) {
    return warning(
      'locks',
      'The account lists no locks.',
      'Look into the app of the lock: is it the right account?',
    );
  }
  return away.length === 0
    ? fine('locks', `${locks.length} known, all reachable.`)
    : warning(
        'locks',
        `${locks.length} known; not reachable: ${away.map(nameOf).join(', ')}.`,
        'Check their batteries and their Wi-Fi.',
      );
}

/** Locks whose clocks show another time than this machine's; null where all agree. `now`: of the machine. */
export function lockClockFinding(
  locks: readonly Pick<LockSettingsView, 'accountName' | 'timeZone' | 'offsetMinutes'>[],
  machineZone: string,
  now: number,
): Finding | null {
  const others = locks.flatMap(({ accountName, offsetMinutes }) =>
    offsetMinutes === null || mayBeAt(machineZone, offsetMinutes, now)
      ? []
      : [`${oneLine(accountName)} is at ${zoneName(offsetZone(offsetMinutes))}`],
  );
  const own = zoneName(offsetZone(offsetMinutesAt(machineZone, now)));
  return others.length === 0
    ? null
    : note(
        'lock clocks',
        `This machine is at ${own} (${machineZone}); ${others.join(', ')}. Dates of codes are those at the door.`,
        'Where that is not where the lock hangs, correct its time zone in the lock’s app; where it is, set its timeZone option, for summer time.',
      );
}

function authorizationFinding(verdict: Verdict): Finding {
  const check = 'authorization server';
  if (verdict.ok) {
    return fine(check, 'It answers and knows the client.');
  }
  return verdict.code === 'bad-configuration'
    ? fault(
        check,
        t(verdict.message),
        'Compare partner.authUrl, clientId and clientSecret with the agreement.',
      )
    : fault(check, t(verdict.message), 'Check the network of this machine and partner.authUrl.');
}

function tokenFinding(verdict: Verdict): Finding {
  if (verdict.ok) {
    return fine('access token', 'There is one, and the service takes it.');
  }
  const advice =
    verdict.disposition === 'relink'
      ? 'Run: npx homebridge-latchkey link'
      : 'It is renewed by itself; ask again in a minute.';
  return fault('access token', t(verdict.message), advice);
}

/** An unreachable service is one finding, not one per key. */
function deviceFindings(keys: readonly Verdict[]): readonly Finding[] {
  const check = 'device interface';
  const reached = keys.some(isAnswer);
  const [first] = keys;
  if (!reached && first !== undefined && !first.ok) {
    return [fault(check, t(first.message), 'Check the network of this machine and partner.baseUrl.')];
  }
  const taken = keys.filter(({ ok }) => ok).length;
  return [fine(check, 'It answers.'), ...keys.map((verdict, index) => keyFinding(verdict, index + 1, taken))];
}

function isAnswer(verdict: Verdict): boolean {
  return verdict.ok || verdict.code === 'bad-configuration';
}

function credentialingFinding(verdict: Verdict): Finding {
  const check = 'credentialing';
  if (verdict.ok) {
    return fine(check, 'It answers and takes the login.');
  }
  if (verdict.code === 'bad-configuration') {
    return fault(
      check,
      t(verdict.message),
      'Run: latchkey credentials login; or compare partner.credentialsUrl with the agreement.',
    );
  }
  return verdict.code === 'not-permitted'
    ? fault(check, t(verdict.message), 'Log in as an administrator of the interface.')
    : warning(check, t(verdict.message), 'Check partner.credentialsUrl, or ask again in a minute.');
}

function keyFinding(verdict: Verdict, number: number, taken: number): Finding {
  const check = `subscription key ${number}`;
  if (verdict.ok) {
    return fine(check, 'The service takes it.');
  }
  const advice = 'Replace it in partner.subscriptionKeys by the one of the agreement.';
  if (verdict.code !== 'bad-configuration') {
    return warning(check, t(verdict.message), 'Ask again in a minute.');
  }
  return taken > 0
    ? warning(check, 'The service does not take it; the other one works.', advice)
    : fault(check, 'The service does not take it.', advice);
}

function clockFinding(clock: ServiceCheck['clock']): Finding {
  if (clock === null) {
    return warning('clock', 'The service sent no time to compare with.', 'Ask again when it answers.');
  }
  const seconds = Math.round(Math.abs(clock.aheadMs) / 1_000);
  const direction = clock.aheadMs > 0 ? 'ahead of' : 'behind';
  return Math.abs(clock.aheadMs) - clock.uncertaintyMs > SKEW_WORTH_A_LINE_MS
    ? warning(
        'clock',
        `This machine's clock is ${seconds} s ${direction} the service's.`,
        'Let the machine set its clock by NTP.',
      )
    : fine('clock', "This machine's clock agrees with the service's.");
}
