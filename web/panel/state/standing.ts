// The state of the way from the page to the locks, in a few words: the first missing part, or that all is live.
import type { AccountRow } from '../../../src/ui-server/account-service.ts';
import { LINK_BRIEF } from '../../../src/words/account.ts';
import { t } from '../../../src/words/translate.ts';
import { type AccountState, outageOf } from './account-state.ts';

/** The account as config.json has it, where that can be seen. */
type File = { readonly account: Pick<AccountRow, 'demo' | 'windowPid'> } | null;

export interface Standing {
  readonly isLive: boolean;
  readonly words: string;
}

/** Plugin, account, service, locks: in this order. */
export function standingOf(state: AccountState, file: File): Standing {
  const missing = pluginWords(state, file) ?? accountWords(state) ?? serviceWords(state);
  if (missing !== null) {
    return { isLive: false, words: missing };
  }
  const offline = (state.locks ?? []).filter(({ presence }) => presence === 'offline').length;
  return {
    isLive: true,
    words:
      offline === 0
        ? t('Live')
        : t('{count, plural, one {Live, # lock offline} other {Live, # locks offline}}', { count: offline }),
  };
}

/** The window's own process answers for a connected account: Homebridge does not run the plugin with it yet. */
export function needsRestart({ status }: Pick<AccountState, 'status'>, file: File): boolean {
  return file !== null && status?.link === 'linked' && status.pid === file.account.windowPid;
}

function pluginWords(state: AccountState, file: File): string | null {
  const { connected, lostAt, status, troubles } = state;
  if (lostAt !== null) {
    return t('Plugin not responding');
  }
  const isDemoToCome = file?.account.demo === true && (status?.demo ?? null) === null;
  if (isDemoToCome || needsRestart(state, file)) {
    return t('Waiting for a restart');
  }
  return connected && ![...troubles.values()].some(({ code }) => code === 'unreachable')
    ? null
    : t('Connecting …');
}

function accountWords({ 'link.show': link, 'partner.show': partner }: AccountState): string | null {
  if (link === null) {
    return t('Connecting …');
  }
  if (link.state !== 'linked') {
    return t(LINK_BRIEF[link.state]);
  }
  return partner !== null && partner.missing.length > 0 ? t('Credentials missing') : null;
}

function serviceWords(state: AccountState): string | null {
  const outage = outageOf(state);
  if (outage?.lost === 'service') {
    return t(outage.isRefusal ? 'Credentials rejected' : 'Service not responding');
  }
  const isListed = state.locks !== null && (state.status?.lastListedAgoMs ?? null) !== null;
  return isListed ? null : t('Loading locks …');
}
