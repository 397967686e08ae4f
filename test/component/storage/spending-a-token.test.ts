// A refresh token on a real disk: it is spent only where its successor can be stored.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { TokenPair } from '../../../src/domain/ports.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { breakDisk } from './broken-disk.ts';
import { openedStorage } from './place.ts';

const HOUR_MS = 3_600_000;

/** The pair of that number, new at this moment. */
function linkedAt(clock: ManualClock, number: number): TokenPair {
  return {
    accessToken: `access-${number}`,
    refreshToken: `refresh-${number}`,
    receivedAt: clock.now(),
    issuedAt: clock.now(),
    expiresInMs: HOUR_MS,
  };
}

interface AccountRuntime {
  readonly session: TokenSession;
  readonly storage: Storage;
  readonly path: string;
  readonly clock: ManualClock;
  readonly spent: readonly string[];
}

/** A linked account whose access token is past its life; `answered` runs when the server has answered a renewal. */
function runtime(answered: (path: string) => void = () => {}): AccountRuntime {
  const path = join(temporaryFolder(), 'latchkey.db');
  const clock = new ManualClock();
  const storage = openedStorage(path);
  storage.vault.write('linked', { ...linkedAt(clock, 0), receivedAt: clock.now() - 2 * HOUR_MS });
  const spent: string[] = [];
  const refresh = async (token: string): Promise<TokenPair> => {
    spent.push(token);
    answered(path);
    return linkedAt(clock, spent.length);
  };
  const session = new TokenSession({
    vault: storage.vault,
    server: { refresh },
    clock,
    log: silentLog,
    // Renewals are due at 80 % of a token's life.
    random: () => 0.5,
  });
  return { session, storage, path, clock, spent };
}

describe('a refresh token', () => {
  it('is spent when its successor can be stored, which is on the disk before the access token is used', async () => {
    const { session, storage } = runtime();
    await session.accessToken();
    expect(storage.vault.read().tokens).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
  });

  it('is not spent while the disk takes no writes (faults#10)', async () => {
    const { session, path, clock, spent } = runtime();
    const repair = breakDisk(path);
    await expect(session.accessToken()).rejects.toMatchObject({
      disposition: 'retry',
      code: 'storage-failed',
    });
    expect(spent).toEqual([]);

    repair();
    await clock.advance(HOUR_MS);
    await session.accessToken();
    expect(spent).toEqual(['refresh-0']);
  });

  it('stays in memory when the disk fails after the answer, and is stored within 2 s of its repair (faults#11)', async () => {
    let repair = (): void => {};
    const { session, path, clock, spent } = runtime((disk) => {
      repair = breakDisk(disk);
    });
    expect(await session.accessToken()).toBe('access-1');
    const other = openedStorage(path);
    expect(other.vault.read().tokens?.refreshToken).toBe('refresh-0');
    await clock.advance(5_000);
    expect(other.vault.read().tokens?.refreshToken).toBe('refresh-0');

    repair();
    await clock.advance(2_000);
    expect(other.vault.read().tokens?.refreshToken).toBe('refresh-1');
    expect(spent).toEqual(['refresh-0']);
    await session.dispose();
  });
});
