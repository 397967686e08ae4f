// A connection that is lost, or a question about it, in one line on every page but its own, which says more.

import type { VNode } from 'preact';
import { lossInHome, missingWords } from '../../../src/words/account.ts';
import { t } from '../../../src/words/translate.ts';
import { Button } from '../parts/pieces.tsx';
import { type AccountState, hostOf } from '../state/account-state.ts';

/** A link that is lost, or a question about it, in one line on every page but its own, which says more. */
export function Loss(props: { readonly state: AccountState | null; readonly onLink: () => void }): VNode {
  const { state, onLink } = props;
  const words = state === null ? null : lossWords(state);
  return (
    <div role="alert">
      {words !== null && (
        <div class="notice bad loss">
          <p>{words.line}</p>
          {words.action !== null && (
            <Button kind="main" onPress={onLink}>
              {words.action}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function lossWords(state: AccountState): { readonly line: string; readonly action: string | null } | null {
  const { 'link.show': link, 'partner.show': partner } = state;
  if (link === null) {
    return null;
  }
  if (link.state === 'other-process') {
    return {
      line: t(
        'Another {host, select, service {process} other {Homebridge process}} is using this account right now.',
        { host: hostOf(state) },
      ),
      action: null,
    };
  }
  if (partner !== null && partner.missing.length > 0) {
    return { line: missingWords(partner.missing), action: t('Add it') };
  }
  if (link.state !== 'linked') {
    return { line: lossInHome(link.state), action: t('Connect again') };
  }
  return link.accountChange === null
    ? null
    : { line: t('You connected a different account. Is it the one you want?'), action: t('Answer') };
}
