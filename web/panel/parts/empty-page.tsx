// A page, or a part of one, that has nothing to show yet: a picture, what it is for, and the next click.
import type { ComponentChildren, VNode } from 'preact';
import { NO_LOCKS } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { listTrouble } from '../state/account-state.ts';
import { usePageContext, useWay } from '../state/page-context.ts';
import { KeyIcon } from './icons.tsx';
import { Button } from './pieces.tsx';

export function EmptyPage(props: {
  /** One of the drawings, which the words beside it repeat. */
  readonly picture: VNode;
  readonly words: string;
  /** The buttons. */
  readonly children?: ComponentChildren;
}): VNode {
  const { picture, words, children } = props;
  return (
    <div class="empty">
      {picture}
      <p>{words}</p>
      {children}
    </div>
  );
}

/** In place of locks: the account is not connected, lists none, or was not read yet. */
export function NoLocks(): VNode {
  const { state, may } = usePageContext();
  const go = useWay();
  const isUnlinked = state.status !== null && state.status.link !== 'linked';
  return isUnlinked && may('link.start') ? (
    <EmptyPage
      picture={<KeyIcon />}
      words={t('Your locks appear here, live, once the account of the lock’s app is connected.')}
    >
      <Button kind="main" onPress={() => go({ view: 'link' })}>
        {t('Connect your account')}
      </Button>
    </EmptyPage>
  ) : (
    <p>{listTrouble(state) ?? t(NO_LOCKS)}</p>
  );
}
