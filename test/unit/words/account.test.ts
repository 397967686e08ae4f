// What is said of an account that is not connected, and of what is missing for it.
import { describe, expect, it } from 'vitest';
import { lossInHome, lossWords, missingWords, waitingForCredentials } from '../../../src/words/account.ts';
import { t } from '../../../src/words/translate.ts';

describe('the reason why no call can be made', () => {
  it.each([
    ['unlinked', 'No lock account is connected.'],
    ['revoked', 'The lock service disconnected this account. Connect it again.'],
    ['expired', 'The connection to the lock account has expired. Connect it again.'],
    ['signed-out', 'The account was signed out everywhere. Connect it again.'],
    [
      'used-elsewhere',
      'The lock service no longer renews this connection. Another computer may be using the account, such as one with a restored backup: stop Latchkey there, then connect the account again.',
    ],
    [
      'moved',
      'This account was moved to another computer with "latchkey backup --and-stop", so nothing runs here. Connect it here again only when the other one no longer uses it.',
    ],
  ] as const)('is said of an account that is %s with what helps', (link, words) => {
    expect(lossWords(link)).toBe(words);
  });

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
