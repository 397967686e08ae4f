// Which field is blamed for what a trial of the credentials found.
import { expect, it } from 'vitest';
import type { Verdict } from '../../../src/domain/account/service-check.ts';
import { message } from '../../../src/domain/language/message.ts';
import { trialFaults } from '../../../web/panel/setup/service-trial.ts';

const FINE: Verdict = { ok: true };

function failed(disposition: 'final' | 'retry', code: string): Verdict {
  return { ok: false, disposition, code, message: message('It failed.') };
}

it.each<[string, Verdict, Verdict, object]>([
  ['everything is taken', FINE, FINE, {}],
  [
    'a key is refused',
    FINE,
    failed('final', 'bad-configuration'),
    { firstKey: 'The service rejected this key.' },
  ],
  [
    'the device interface is not at this path',
    FINE,
    failed('final', 'not-found'),
    { baseUrl: 'Something answers at this address, but not the service. Check the whole address.' },
  ],
  [
    'a page of somebody else is there',
    FINE,
    failed('final', 'wire-mismatch'),
    { baseUrl: 'Something answers at this address, but not the service. Check the whole address.' },
  ],
  [
    'nothing answers',
    failed('retry', 'unreachable'),
    failed('retry', 'timed-out'),
    {
      authUrl: 'The service didn’t answer at this address.',
      baseUrl: 'The service didn’t answer at this address.',
    },
  ],
  [
    'the client is refused',
    failed('final', 'bad-configuration'),
    FINE,
    {
      clientId: 'The service rejected the client ID or secret.',
      clientSecret: 'The service rejected the client ID or secret.',
    },
  ],
])('%s', (_, authorization, key, faults) => {
  expect(trialFaults({ authorization, keys: [key] })).toEqual(faults);
});
