// What a page may show of a lock: all of it while the page hears of it, else only what was known.
import type { BoltState } from '../../../src/domain/locks/bolt.ts';
import type { Battery } from '../../../src/domain/locks/lock.ts';
import type { Instant } from '../../../src/domain/time/instant.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { ANSWER_WORDS, alreadyWords, refusedSentence } from '../../../src/words/commands.ts';
import { BOLT_WORDS, leftUnlockedWords } from '../../../src/words/locks.ts';
import { capital, sentence } from '../../../src/words/sentence.ts';
import { lengthWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import type { PageResults } from '../state/transport.ts';

/** Where the bolt is or, while a command is under way, where it goes. Of an unreachable lock, only what was known. */
export function boltSign(lock: Pick<LockView, 'bolt' | 'target' | 'presence'>, isCurrent: boolean): string {
  const { bolt, target } = lock;
  if (isCurrent && target !== null && target !== bolt) {
    return t(target === 'secured' ? 'Locking …' : 'Unlocking …');
  }
  if (certainBolt(lock, isCurrent) === bolt) {
    return capital(t(BOLT_WORDS[bolt]));
  }
  return t(
    '{bolt, select, secured {Was locked} unsecured {Was unlocked} jammed {Was jammed} other {Was unknown}}',
    { bolt },
  );
}

/** The bolt as it may be drawn: of a lock that nobody reaches, or that the page no longer hears of, unknown. */
export function certainBolt(
  { bolt, presence }: Pick<LockView, 'bolt' | 'presence'>,
  isCurrent: boolean,
): BoltState {
  return isCurrent && presence === 'reachable' ? bolt : 'unknown';
}

/** "Left unlocked for 10 minutes", or nothing while it is not. */
export function leftUnlockedSign(
  { leftUnlockedSince }: Pick<LockView, 'leftUnlockedSince'>,
  isCurrent: boolean,
  now: Instant,
): string {
  return leftUnlockedSince === null || !isCurrent ? '' : capital(leftUnlockedWords(now - leftUnlockedSince));
}

/** "Unlocked for 10 minutes", of a door whose last move is known to have unlocked it. */
export function openSign(lock: LockView, isCurrent: boolean, now: Instant): string {
  const { lastMove, target } = lock;
  const isOpen = certainBolt(lock, isCurrent) === 'unsecured' && target !== 'secured';
  const length = isOpen && lastMove?.to === 'unsecured' ? lengthWords(now - lastMove.at) : '';
  return length === '' ? '' : t('Unlocked for {length}', { length });
}

export function isLow({ grade }: Pick<Battery, 'grade'>): boolean {
  return grade === 'low' || grade === 'critical';
}

/** What the press of "Lock" came to, where the card itself does not show it; empty when it does. */
export function answerSign(answer: PageResults['lock']): string {
  switch (answer.kind) {
    case 'refused':
      return refusedSentence(answer.reason);
    case 'failed':
      return t(answer.message);
    case 'already':
      return sentence(alreadyWords('secured'));
    case 'superseded':
    case 'uncertain':
      return sentence(t(ANSWER_WORDS[answer.kind]));
    case 'accepted':
    case 'joined':
      return '';
  }
}
