// What the doctor says of the credentialing interface.
import { expect, it } from 'vitest';
import { serviceFindings } from '../../../../src/cli/doctor/service.ts';
import type { ServiceCheck, Verdict } from '../../../../src/domain/account/service-check.ts';
import { message } from '../../../../src/domain/language/message.ts';

const OK: Verdict = { ok: true };

function refused(disposition: 'final' | 'retry', code: string): Verdict {
  return { ok: false, disposition, code, message: message('It failed.') };
}

it.each<[string, Verdict | null, readonly string[]]>([
  ['that is not configured is not mentioned', null, []],
  ['that answers is well', OK, ['ok credentialing']],
  ['that is unreachable is a warning', refused('retry', 'unreachable'), ['warning credentialing']],
  ['that refuses the login is a fault', refused('final', 'bad-configuration'), ['fault credentialing']],
  ['that permits nothing is a fault', refused('final', 'not-permitted'), ['fault credentialing']],
])('a credentialing interface %s', (_, verdict, expected) => {
  const check: ServiceCheck = {
    authorization: OK,
    token: OK,
    keys: [OK],
    ...(verdict === null ? {} : { credentialing: verdict }),
    clock: { aheadMs: 0, uncertaintyMs: 0 },
    checkedAt: 0,
  };
  const findings = serviceFindings(check, true).filter(({ check: name }) => name === 'credentialing');
  expect(findings.map(({ grade, check: name }) => `${grade} ${name}`)).toEqual(expected);
});
