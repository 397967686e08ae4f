// The facts by which commands are judged: a belief dated ahead of the service's clock fulfils no request.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { commandContext } from '../../../../src/engine/commands/context.ts';
import { named } from '../../../support/named-lock.ts';

const NOW = 1_000_000;

function contextOfConfirmed(at: number): ReturnType<typeof commandContext> {
  const lock = advanceLock(unknownLock(lockId('door'), named('door')), {
    type: 'reported',
    source: 'poll',
    at,
    bolt: 'unsecured',
  });
  const bounds = { earliest: NOW, latest: NOW + 1_000, unconfirmedSleepMs: 0, setBackMs: 600_000 };
  return commandContext(
    {
      store: { get: () => lock },
      link: { state: () => 'linked' },
      rulesFor: () => ({ remoteUnlock: true }),
      elapsed: () => 5,
      serviceClock: { now: () => NOW, bounds: () => bounds },
    },
    lock.id,
  );
}

describe('the context of a command', () => {
  it.each([
    ['has the age of a position', NOW - 2_000, 2_000],
    ['has no age for one that is dated ahead (faults#112)', NOW + 1_001, Number.POSITIVE_INFINITY],
  ])('%s', (_, at, ageMs) => {
    expect(contextOfConfirmed(at).lock?.confirmedAgoMs).toBe(ageMs);
  });

  it("has the time by which the service's clock was set back", () => {
    expect(contextOfConfirmed(NOW)).toMatchObject({ now: 5, serviceNow: NOW, setBackMs: 600_000 });
  });
});
