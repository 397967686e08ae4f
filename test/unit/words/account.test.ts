// What is said of an account that is not connected, and of what is missing for it.
import { describe, expect, it } from 'vitest';
import { lossInHome, lossWords, missingWords, waitingForCredentials } from '../../../src/words/account.ts';
import { t } from '../../../src/words/translate.ts';

describe('the reason why no call can be made', () => {
  it.each(['revoked', 'expired', 'signed-out', 'used-elsewhere', 'moved'] as const)(
    'is said of an account that is %s with what helps',
    (link) => {
      expect(lossWords(link)).toMatch(/\. .*connect (?:it|the account)(?: here)? again/iu);
    },
  );

  it.each([
    ['unlinked', 'No lock account is connected, so Home can’t show or operate any lock.'],
    [
      'revoked',
      'The lock service disconnected this account. Home shows “No Response” until you connect again.',
    ],
    ['moved', lossWords('moved')],
  ] as const)('of an account that is %s says on a page what Home shows', (link, words) => {
    expect(lossInHome(link)).toBe(words);
  });
});

describe('missing credentials', () => {
  const missing = ['partner.clientId', 'partner.clientSecret'];

  it('are named on a page as their fields are, in a log as the options of config.json', () => {
    expect(missingWords(missing)).toBe(
      'The client ID and client secret are missing, so the service can’t be reached.',
    );
    expect(missingWords(['partner.subscriptionKeys'])).toBe(
      'The subscription key is missing, so the service can’t be reached.',
    );
    expect(t(waitingForCredentials(missing))).toBe(
      "Waiting for credentials: partner.clientId, partner.clientSecret. Add them on the plugin's pages or in config.json.",
    );
  });
});
