// Following commands on access codes of many locks at once: how often the service is asked.
import { expect, it } from 'vitest';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { CommandFollower, readTurns } from '../../../src/engine/codes/command-run.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it.each(['pending', 'refused'])(
  'commands on the codes of fifty locks are read back four times a second in all at most, where each is %s',
  async (how) => {
    const clock = new ManualClock();
    const nextTurn = readTurns(clock);
    const askedAt: number[] = [];
    const gateway = {
      codeOutcome: async (_: unknown, id: ReturnType<typeof commandId>) => {
        askedAt.push(clock.monotonic());
        if (how === 'refused') {
          throw new RetryError('server-fault', 'No.');
        }
        return Promise.resolve({ reading: { state: 'pending', commandId: id } as const, codeId: null });
      },
    };
    const followers = Array.from({ length: 50 }, () => new CommandFollower(gateway, clock, nextTurn));
    for (const [index, follower] of followers.entries()) {
      void follower.follow(lockId(`lock-${String(index)}`), commandId(`c-${String(index)}`), 0);
    }
    await clock.advance(10_000);
    const within = (from: number): number => askedAt.filter((at) => at >= from && at < from + 1_000).length;
    expect(askedAt.length).toBeGreaterThan(30);
    expect(Math.max(...askedAt.map(within))).toBeLessThanOrEqual(4);
    for (const follower of followers) {
      follower.abort();
    }
  },
);
