// The finding of a trial of the saved credentials, as a sentence at the field that has to change.
import type { ServiceCheck, Verdict } from '../../../src/domain/account/service-check.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { serviceCertificateWords } from '../../../src/words/certificates.ts';
import { t } from '../../../src/words/translate.ts';

export type TriedField = 'authUrl' | 'baseUrl' | 'clientId' | 'clientSecret' | 'firstKey' | 'secondKey';

export type TrialFaults = Readonly<Partial<Record<TriedField, string>>>;

const CLIENT_REFUSED = message('The service rejected the client ID or secret.');
const KEY_REFUSED = message('The service rejected this key.');
const NOT_REACHED = message('The service didn’t answer at this address.');
const NOTHING_THERE = message(
  'Something answers at this address, but not the service. Check the whole address.',
);

/** Empty when the service took everything. A token that is missing is no fault: the account is connected later. */
export function trialFaults({
  authorization,
  keys,
}: Pick<ServiceCheck, 'authorization' | 'keys'>): TrialFaults {
  const [first, second] = keys;
  const authFault = faultOfAddress([authorization]);
  const baseFault = faultOfAddress(keys);
  return {
    ...(isRefused(authorization) ? { clientId: t(CLIENT_REFUSED), clientSecret: t(CLIENT_REFUSED) } : {}),
    ...(authFault === null ? {} : { authUrl: t(authFault) }),
    ...(isRefused(first) ? { firstKey: t(KEY_REFUSED) } : {}),
    ...(isRefused(second) ? { secondKey: t(KEY_REFUSED) } : {}),
    ...(baseFault === null ? {} : { baseUrl: t(baseFault) }),
  };
}

function faultOfAddress(verdicts: readonly Verdict[]): Message | null {
  const certificate = verdicts.find((verdict) => !verdict.ok)?.certificate;
  if (certificate !== undefined) {
    return serviceCertificateWords(certificate);
  }
  if (verdicts.some(isUnanswered)) {
    return NOT_REACHED;
  }
  return verdicts.some(isElsewhere) ? NOTHING_THERE : null;
}

/** The faults that remain after a change of this field: a client ID and its secret are refused together. */
export function withoutFault(faults: TrialFaults, field: string): TrialFaults {
  const cured: readonly string[] =
    field === 'clientId' || field === 'clientSecret' ? ['clientId', 'clientSecret'] : [field];
  return Object.fromEntries(Object.entries(faults).filter(([name]) => !cured.includes(name)));
}

/** The client, or a key, was refused: `bad-configuration` is said of these alone. */
function isRefused(verdict: Verdict | undefined): boolean {
  return verdict?.ok === false && verdict.code === 'bad-configuration';
}

/** Whoever answers knows nothing of what was asked. */
function isElsewhere(verdict: Verdict): boolean {
  return !verdict.ok && verdict.disposition === 'final' && !isRefused(verdict);
}

function isUnanswered(verdict: Verdict): boolean {
  return !verdict.ok && verdict.disposition === 'retry';
}
