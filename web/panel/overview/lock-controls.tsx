// The actions for one door: lock it, in the demo turn it by hand, or forget it; and their results.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { VIEW_ONLY } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { answerSign } from '../parts/lock-signs.ts';
import { Button, Confirmed, Failure, Status } from '../parts/pieces.tsx';
import { MoreButton } from '../parts/row-menu.tsx';
import { useAction, useChange, usePageContext } from '../state/page-context.ts';

export interface LockControlsProps {
  readonly lock: LockView;
  readonly name: string;
  readonly isMoving: boolean;
  readonly isCurrent: boolean;
  /** What became of the last command, where it failed; else empty. */
  readonly failure: string;
}

export function LockControls(props: LockControlsProps): VNode | null {
  const { lock, name } = props;
  const { may } = usePageContext();
  if (!may('lock')) {
    return null;
  }
  return lock.presence === 'missing' ? <Forget lock={lock} name={name} /> : <LockIt {...props} />;
}

/** The only move that a page may request. Only a report of the lock shows whether it happened. */
function LockIt({ lock, name, isMoving, isCurrent, failure }: LockControlsProps): VNode {
  const { call, state } = usePageContext();
  const locking = useAction();
  const [answer, setAnswer] = useState('');
  const isOnTheWay = locking.isBusy || (isMoving && lock.target === 'secured');
  // The result of a request is shown until the bolt is seen elsewhere.
  useEffect(() => setAnswer(''), [lock.bolt]);
  if (lock.description.role === 'reader') {
    return <p class="about">{t(VIEW_ONLY)}</p>;
  }
  const isOffered = isLikelyWish(lock, isMoving);
  const action = (
    <Button
      kind={isOffered ? 'main' : 'plain'}
      isBusy={isOnTheWay && isCurrent}
      isOff={!isCurrent}
      of={name}
      onPress={() => {
        setAnswer('');
        void locking.run(async () => setAnswer(answerSign(await call('lock', { lock: lock.id }))));
      }}
    >
      {/* The verb: “Lock” alone is the thing elsewhere, and one sentence has one translation. */}
      {t('{action, select, lock {Lock} other {Unlock}}', { action: 'lock' })}
    </Button>
  );
  return (
    <>
      <div class="pushes">
        {isOffered ? action : <Menu of={name}>{action}</Menu>}
        {(state.status?.demo ?? null) !== null && isCurrent && <TurnByHand lock={lock} name={name} />}
      </div>
      <Said
        isOnTheWay={isOnTheWay}
        isUnanswered={locking.isUnanswered}
        words={answer === '' ? failure : answer}
      />
      <Failure failure={locking.failure} />
    </>
  );
}

/** Whether a person may want to lock it: not an unreachable lock, nor one that is locked and stays so. */
function isLikelyWish({ presence, bolt }: LockView, isMoving: boolean): boolean {
  return presence === 'reachable' && (bolt !== 'secured' || isMoving);
}

function Said(props: {
  readonly isOnTheWay: boolean;
  readonly isUnanswered: boolean;
  readonly words: string;
}): VNode {
  const { isOnTheWay, isUnanswered, words } = props;
  if (isUnanswered) {
    return (
      <Status>
        <p class="warning">{t('The plugin hasn’t answered yet. Check the door.')}</p>
      </Status>
    );
  }
  return (
    <Status>
      {isOnTheWay ? (
        <p class="about">{t('Locking … waiting for the lock to confirm.')}</p>
      ) : (
        words !== '' && <p class="warning">{words}</p>
      )}
    </Status>
  );
}

/** A hand at the simulated door. */
function TurnByHand({ lock, name }: Pick<LockControlsProps, 'lock' | 'name'>): VNode {
  const { call } = usePageContext();
  const turning = useAction();
  return (
    <>
      <Button
        isBusy={turning.isBusy}
        of={name}
        onPress={() => {
          const to = lock.bolt === 'secured' ? 'unsecured' : 'secured';
          void turning.run(async () => call('demo.turn', { lock: lock.id, to }));
        }}
      >
        {t('Turn by hand')}
      </Button>
      <Failure failure={turning.failure} />
    </>
  );
}

/** Rare actions, behind a button. */
function Menu({ of, children }: { readonly of: string; readonly children: VNode }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOpen && children}
      <MoreButton {...{ of, isOpen }} onPress={() => setOpen(!isOpen)} />
    </>
  );
}

function Forget({ lock, name }: { readonly lock: LockView; readonly name: string }): VNode {
  const forgetting = useChange('locks', 'locks.settings');
  return (
    <>
      <Confirmed
        action={t('Forget this lock')}
        of={name}
        question={t(
          'It leaves Home with its room and automations. If the account lists it again, it comes back as a new one.',
        )}
        isBusy={forgetting.isBusy}
        onConfirm={() => void forgetting.change('forget', { lock: lock.id })}
      />
      <Failure failure={forgetting.failure} />
    </>
  );
}
