// Following commands on access codes of many locks at once: how often the service is asked.
import { expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { CommandRun, readTurns } from '../../../src/engine/codes/command-run.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it.each(['pending', 'refused'])(
  'commands on the codes of fifty locks are read back four times a second in all at most, where each is %s',
  async (how) => {
    const clock = new ManualClock();
    const nextTurn = readTurns(clock);
    const askedAt: number[] = [];
    const pending = (id: string) =>
      Promise.resolve({ reading: { state: 'pending', commandId: commandId(id) } as const, codeId: null });
    const gateway = {
      codes: async () => Promise.resolve([]),
      send: async (lock: string) => pending(lock),
      codeOutcome: async (lock: string) => {
        askedAt.push(clock.monotonic());
        if (how === 'refused') {
          throw new RetryError('server-fault', 'No.');
        }
        return pending(lock);
      },
    };
    const parts = {
      clock,
      log: silentLog,
      codes: { gateway, zoneOf: () => 'UTC' },
      lists: { read: async () => Promise.resolve({ codes: [], askedAt: 0 }), outdate: () => {} },
      notes: { strayFound: () => {}, refused: () => {} },
      nextTurn,
    };
    const command = {
      request: { kind: 'remove', codeId: accessCodeId('1') },
      sendings: 1,
      listed: [],
    } as const;
    const runs = Array.from({ length: 50 }, (_, index) => {
      return new CommandRun(parts, lockId(`lock-${String(index)}`), command, () => {});
    });
    for (const run of runs) {
      void run.toItsEnd();
    }
    await clock.advance(10_000);
    const within = (from: number): number => askedAt.filter((at) => at >= from && at < from + 1_000).length;
    expect(askedAt.length).toBeGreaterThan(30);
    expect(Math.max(...askedAt.map(within))).toBeLessThanOrEqual(4);
    for (const run of runs) {
      run.abort();
    }
  },
);
