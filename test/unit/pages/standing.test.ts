// The standing in the header: plugin, account, service and locks, the first missing one.
import { afterEach, describe, expect, it } from 'vitest';
import { message } from '../../../src/domain/language/message.ts';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';
import type { AccountState } from '../../../web/panel/state/account-state.ts';
import { NOTHING_KNOWN } from '../../../web/panel/state/account-state.ts';
import { standingOf } from '../../../web/panel/state/standing.ts';
import { aLock, linked, StandInAccount } from '../../stand-ins/account/operations.ts';

function known(set: (account: StandInAccount) => void = () => {}): AccountState {
  const account = linked(1);
  set(account);
  return {
    ...NOTHING_KNOWN,
    connected: true,
    status: account.status(),
    'link.show': account.link,
    'partner.show': account.partner,
    locks: [...account.locks],
  };
}

function fileOf(demo: boolean, windowPid = 2): { readonly account: { demo: boolean; windowPid: number } } {
  return { account: { demo, windowPid } };
}

const outage = { forMs: 1, message: message('Down.'), code: 'unreachable', retryInMs: 1 } as const;
const rejection = { ...outage, code: 'bad-configuration' } as const;

afterEach(() => setLanguage(ENGLISH));

describe('the header', () => {
  it.each<readonly [string, AccountState, Parameters<typeof standingOf>[1]]>([
    ['Live', known(), null],
    ['Live', known(), fileOf(false)],
    ['Live, 1 lock offline', known((account) => account.hold(aLock('Shed', { presence: 'offline' }))), null],
    ['Connecting …', NOTHING_KNOWN, null],
    ['Plugin not responding', { ...known(), lostAt: 1 }, null],
    ['Plugin not responding', { ...known(), lostAt: 1, status: null }, fileOf(true)],
    ['Waiting for a restart', { ...NOTHING_KNOWN, connected: true }, fileOf(true)],
    ['Waiting for a restart', known(), fileOf(false, 1)],
    ['No account connected', known((account) => account.become('unlinked')), null],
    ['Account disconnected', known((account) => account.become('expired')), null],
    ['Credentials missing', known((account) => (account.partner = new StandInAccount().partner)), null],
    ['Service not responding', known((account) => (account.failing = outage)), null],
    ['Credentials rejected', known((account) => (account.failing = rejection)), null],
    ['Loading locks …', known((account) => (account.lastListedAgoMs = null)), null],
  ])('says "%s"', (words, state, file) => {
    expect(standingOf(state, file)).toEqual({ isLive: words.startsWith('Live'), words });
  });

  it('says it in the language of the reader', () => {
    setLanguage({
      code: 'de',
      locale: 'de-DE',
      messages: {
        '{count, plural, one {Live, # lock offline} other {Live, # locks offline}}':
          '{count, plural, one {Live, # Schloss offline} other {Live, # Schlösser offline}}',
      },
    });
    const two = known((account) =>
      account.hold(aLock('Shed', { presence: 'offline' }), aLock('Cellar', { presence: 'offline' })),
    );
    expect(standingOf(two, null).words).toBe('Live, 2 Schlösser offline');
  });
});
