// Watches how long locks stay unlocked: marks those left unlocked, and locks them where the options ask for it.

import {
  advanceEpisode,
  type BoltFacts,
  judgeLeftUnlocked,
  type LeftUnlockedLimits,
  NO_EPISODE,
  type UnlockedEpisode,
} from '../../domain/locks/left-unlocked-policy.ts';
import { boltOf, type Lock, type LockId } from '../../domain/locks/lock.ts';
import { ageOf } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { whyRefused } from '../../words/commands.ts';
import { leftUnlockedWords, nameOf } from '../../words/locks.ts';
import { refusalWords } from '../../words/refusals.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { LockCommands } from './lock-commands.ts';

export class LeftUnlockedWatch {
  readonly #parts;
  readonly #episodes = new Map<LockId, UnlockedEpisode>();
  readonly #timers = new Map<LockId, CancelTimer>();
  #disposed = false;

  constructor(
    parts: Omit<CommonParts, 'link'> & {
      readonly commands: Pick<LockCommands, 'request'>;
      readonly leftUnlocked: LeftUnlockedLimits;
    },
  ) {
    this.#parts = parts;
    const { bus, leftUnlocked } = parts;
    if (leftUnlocked.alertAfterMs === null && leftUnlocked.lockAfterMs === null) {
      return;
    }
    bus.on('lock-appeared', ({ lock }) => this.#judge(lock));
    bus.on('lock-changed', ({ lock }) => this.#judge(lock));
    bus.on('locks-refreshed', ({ locks }) => {
      for (const lock of locks) {
        this.#judge(lock);
      }
    });
    bus.on('command-ended', ({ id, target, outcome }) => {
      if (target === 'secured' && outcome.kind !== 'moved') {
        const isRefused = outcome.kind === 'refused';
        this.#giveUp(id, isRefused ? refusalWords(outcome.reason) : t('the lock did not confirm it'));
      }
    });
    bus.on('lock-removed', ({ id }) => {
      this.#episodes.delete(id);
      this.#timers.get(id)?.();
      this.#timers.delete(id);
    });
  }

  dispose(): void {
    this.#disposed = true;
    for (const cancel of this.#timers.values()) {
      cancel();
    }
  }

  #judge(lock: Lock): void {
    if (this.#disposed) {
      return;
    }
    const { clock, bus, leftUnlocked } = this.#parts;
    const now = clock.monotonic();
    const facts = this.#factsOf(lock);
    const episode = advanceEpisode(this.#episodes.get(lock.id) ?? NO_EPISODE, facts, now);
    this.#episodes.set(lock.id, episode);
    const { isLeftUnlocked, step, nextInMs } = judgeLeftUnlocked(episode, facts, leftUnlocked, now);
    this.#judgeLater(lock.id, nextInMs);
    if (step === 'confirm') {
      bus.emit({ type: 'reading-wanted' });
    } else if (step === 'lock') {
      void this.#secure(lock, episode);
    }
    this.#mark(lock, isLeftUnlocked ? episode.since : null);
  }

  #factsOf(lock: Lock): BoltFacts {
    const { belief, presence, target, inFlight, lastMove } = lock;
    const { serviceClock } = this.#parts;
    return {
      bolt: boltOf(lock),
      isFresh: presence === 'reachable' && belief.latest !== null && !belief.stale,
      confirmedAgoMs: belief.confirmedAt === null ? null : ageOf(belief.confirmedAt, serviceClock.bounds()),
      unlockedAt: lastMove?.to === 'unsecured' ? lastMove.at : null,
      isBusy: target !== null || (inFlight !== null && inFlight.until === null),
    };
  }

  #judgeLater(id: LockId, inMs: number | null): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    if (inMs !== null) {
      const cancel = this.#parts.clock.after(inMs, () => {
        const lock = this.#parts.store.get(id);
        if (lock !== undefined) {
          this.#judge(lock);
        }
      });
      this.#timers.set(id, cancel);
    }
  }

  /** The instant stays the same while the lock stays unlocked. */
  #mark(lock: Lock, since: number | null): void {
    const { store, clock, serviceClock, log } = this.#parts;
    const isMarked = lock.leftUnlockedSince !== null;
    if (isMarked === (since !== null)) {
      return;
    }
    const openMs = since === null ? 0 : clock.monotonic() - since;
    if (since !== null) {
      log.warn(`${oneLine(nameOf(lock))}: ${leftUnlockedWords(openMs)}`);
    }
    store.apply(lock.id, {
      type: 'left-unlocked',
      since: since === null ? null : serviceClock.bounds().earliest - openMs,
    });
  }

  async #secure(lock: Lock, episode: UnlockedEpisode): Promise<void> {
    const { commands, clock, log } = this.#parts;
    this.#episodes.set(lock.id, { ...episode, attempt: 'asked' });
    const openMs = clock.monotonic() - (episode.quietSince ?? 0);
    log.info(`${oneLine(nameOf(lock))}: ${t('{news}; locking it', { news: leftUnlockedWords(openMs) })}`);
    const answer = await commands.request(lock.id, 'secured', {});
    if (answer.kind === 'failed') {
      this.#giveUp(lock.id, messageOf(answer.error));
    } else if (answer.kind === 'refused') {
      this.#giveUp(lock.id, whyRefused(answer.reason));
    } else if (answer.kind === 'uncertain') {
      this.#giveUp(lock.id, t('the result is unknown'));
    } else if (answer.kind === 'superseded') {
      this.#endAttempt(lock.id);
    }
  }

  /** Does nothing unless this watch had asked for the command. */
  #giveUp(id: LockId, reason: string): void {
    const lock = this.#parts.store.get(id);
    if (this.#episodes.get(id)?.attempt === 'asked' && lock !== undefined) {
      this.#endAttempt(id);
      const why = oneLine(reason);
      const words = t(
        'couldn’t lock by itself: {why}. Check the door. It is not tried again until the lock was locked.',
        { why },
      );
      this.#parts.log.warn(`${oneLine(nameOf(lock))}: ${words}`);
    }
  }

  #endAttempt(id: LockId): void {
    this.#episodes.set(id, { ...(this.#episodes.get(id) ?? NO_EPISODE), attempt: 'over' });
  }
}
