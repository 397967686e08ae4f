// The watch over an account that may be another one than before, listing by listing, with settings in memory.
import { describe, expect, it } from 'vitest';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type { Listing, LockReading } from '../../../src/domain/ports.ts';
import { AccountWatch } from '../../../src/linking/account-watch.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';

function description(name: string): LockReading['description'] {
  return { name, model: 'm', serial: 's', firmware: 'f', role: 'owner' };
}

function listing(...names: readonly string[]): Listing {
  const locks = names.map(
    (name): LockReading => ({
      id: lockId(name),
      description: description(name),
      bolt: 'secured',
      connected: true,
      lastConnectedAt: null,
      updatedAt: null,
      battery: { grade: 'normal', percent: 90 },
      wifiDbm: null,
    }),
  );
  return { locks, askedAt: 1, unread: 0 };
}

/** An account that knows some locks, and the settings of its disk. */
class WatchFixture {
  readonly settings = new Map<string, unknown>();
  readonly known: readonly string[];
  readonly lost: LockId[] = [];
  subject: string | null = null;
  changes = 0;
  broken = false;
  watch: AccountWatch;

  constructor(...known: readonly string[]) {
    this.known = known;
    this.watch = this.open();
  }

  open(): AccountWatch {
    const written = (work: () => void): void => {
      if (this.broken) {
        throw new RetryError('storage-failed', 'The disk is full.');
      }
      work();
    };
    this.watch = new AccountWatch({
      settings: {
        read: (key) => this.settings.get(key),
        write: (key, value) => written(() => this.settings.set(key, value)),
        erase: (key) => written(() => this.settings.delete(key)),
      },
      subject: () => this.subject,
      known: () => this.known.map((name) => ({ id: lockId(name), description: description(name) })),
      outOfReach: (ids) => this.lost.push(...ids),
      onChange: () => {
        this.changes += 1;
      },
      log: silentLog,
    });
    return this.watch;
  }

  /** A watch over such an account that was linked as another person before, and is linked anew. */
  static async relinked(...known: readonly string[]): Promise<WatchFixture> {
    const fixture = new WatchFixture(...known);
    fixture.subject = 'former';
    await fixture.learn(listing(...known));
    fixture.subject = 'another';
    fixture.watch.linking();
    return fixture;
  }

  /** The locks that the account learns from this listing. */
  async learn(received: Listing): Promise<Listing> {
    return this.watch.guarded(async () => Promise.resolve(received))();
  }
}

const names = ({ locks }: Listing): readonly string[] => locks.map(({ description: { name } }) => name);

describe('the watch over the linked account', () => {
  it('passes on every listing unchanged while no account was linked anew', async () => {
    const fixture = new WatchFixture('a');
    const received = listing('b');
    expect(await fixture.learn(received)).toBe(received);
    expect(fixture.changes).toBe(0);
  });

  it('passes on no lock and concludes no absence while the question about another account is open', async () => {
    const fixture = new WatchFixture('a', 'c');
    fixture.watch.linking();
    const learned = await fixture.learn(listing('b'));
    expect([names(learned), learned.unread]).toEqual([[], Number.POSITIVE_INFINITY]);
    expect(fixture.lost).toEqual(['a', 'c']);
    expect(fixture.watch.change).toEqual({ missing: ['a', 'c'], added: ['b'] });
  });

  it('judges by the subject: another account with some of the locks raises the question as well', async () => {
    const fixture = await WatchFixture.relinked('a', 'c');
    const learned = await fixture.learn(listing('a', 'b'));
    expect([names(learned), learned.unread]).toEqual([['a'], Number.POSITIVE_INFINITY]);
    expect(fixture.watch.change).toEqual({ missing: ['c'], added: ['b'] });
    expect(fixture.watch.absent(['a', 'c'].map(lockId))).toEqual(['c']);
    fixture.watch.confirm();
    // From now on this is the account.
    fixture.watch.linking();
    const again = listing('b');
    expect(await fixture.learn(again)).toBe(again);
  });

  it('judges by the subject: the same account without any of its locks raises no question', async () => {
    const fixture = new WatchFixture('a');
    fixture.subject = 'me';
    await fixture.learn(listing('a'));
    fixture.watch.linking();
    const received = listing('b');
    expect(await fixture.learn(received)).toBe(received);
  });

  it('stores no subject in a form that identifies the person', async () => {
    const fixture = new WatchFixture('a');
    fixture.subject = 'resident@home.example';
    await fixture.learn(listing('a'));
    expect([...fixture.settings.keys()]).toEqual(['account.subject']);
    expect(JSON.stringify([...fixture.settings])).not.toContain('resident');
  });

  it.each<readonly [string, (fixture: WatchFixture) => void, boolean]>([
    ['the link was made', ({ watch }) => watch.linking(), true],
    ['the account was unlinked', ({ watch }) => watch.unlinked(), false],
    [
      'another process had the account',
      ({ settings, watch }) => {
        settings.set('account.phase', 'unjudged');
        watch.reload();
      },
      true,
    ],
  ])('concludes nothing from a listing that was under way when %s', async (_, meanwhile, isUnjudged) => {
    const fixture = new WatchFixture('Front', 'Back');
    const answer = Promise.withResolvers<Listing>();
    fixture.watch.linking();
    const learned = fixture.watch.guarded(async () => answer.promise)();
    meanwhile(fixture);
    answer.resolve(listing('Back', 'Cellar'));
    const { locks, unread } = await learned;
    expect([locks.map(({ id }) => id), unread]).toEqual([['Back'], Number.POSITIVE_INFINITY]);
    expect([fixture.watch.isUnjudged, fixture.watch.change]).toEqual([isUnjudged, null]);
  });

  it('raises the same question after a restart, and withdraws it when the right account is back', async () => {
    const fixture = await WatchFixture.relinked('Front', 'Back');
    await fixture.learn(listing('Front', 'Cellar'));
    fixture.open();
    expect(fixture.watch.change).toEqual({ missing: ['Back'], added: ['Cellar'] });
    expect(fixture.watch.missing).toEqual(['Back']);
    fixture.subject = 'former';
    const received = listing('Front');
    expect(await fixture.learn(received)).toBe(received);
    expect(fixture.watch.change).toBeNull();
    fixture.open();
    expect(fixture.watch.change).toBeNull();
  });

  it.each(['asked', 'x', 7, { kind: 'asked' }, { kind: 'asked', listed: [{ id: 1 }] }])(
    'judges the account anew when its stored record cannot be read: %j',
    async (stored) => {
      const fixture = new WatchFixture('Front');
      fixture.settings.set('account.phase', stored);
      fixture.open();
      expect([fixture.watch.isUnjudged, fixture.watch.change]).toEqual([true, null]);
      await fixture.learn(listing('Front'));
      expect([fixture.watch.isUnjudged, fixture.settings.has('account.phase')]).toEqual([false, false]);
    },
  );

  it('concludes no absence from an incomplete listing', async () => {
    const fixture = new WatchFixture('Front', 'Back');
    fixture.watch.linking();
    await fixture.learn({ ...listing('Cellar'), unread: 1 });
    expect([fixture.watch.change, fixture.lost]).toEqual([null, []]);
    await fixture.learn(listing('Cellar'));
    expect(fixture.watch.change).toEqual({ missing: ['Front', 'Back'], added: ['Cellar'] });
    await fixture.learn({ ...listing('Cellar'), unread: 1 });
    expect(fixture.watch.change).toEqual({ missing: ['Front', 'Back'], added: ['Cellar'] });
    expect(() => fixture.watch.absent(fixture.watch.missing)).toThrow('could not be read in full');
    await fixture.learn(listing('Cellar', 'Attic'));
    expect(fixture.watch.absent(fixture.watch.missing)).toEqual(['Front', 'Back']);
  });

  it('reports the question anew when the account lists other locks', async () => {
    const fixture = new WatchFixture('Front');
    fixture.watch.linking();
    await fixture.learn(listing('Cellar'));
    const { changes } = fixture;
    await fixture.learn(listing('Cellar'));
    expect(fixture.changes).toBe(changes);
    await fixture.learn(listing('Cellar', 'Attic'));
    expect(fixture.changes).toBe(changes + 1);
  });

  it('names no lock that was not part of the question, and none once the question is settled', async () => {
    const fixture = await WatchFixture.relinked('Front', 'Back');
    await fixture.learn(listing('Front'));
    const asked = fixture.watch.missing;
    await fixture.learn(listing('Cellar'));
    expect(fixture.watch.missing).toEqual(['Front', 'Back']);
    expect(fixture.watch.absent(asked)).toEqual(['Back']);
    await fixture.learn(listing('Front', 'Back'));
    expect(() => fixture.watch.absent(asked)).toThrow('settled by now');
  });

  it('removes nothing by itself on an empty list, and nothing at all before there was a list', async () => {
    const fixture = await WatchFixture.relinked('a');
    await fixture.learn(listing());
    expect(fixture.watch.change).toEqual({ missing: ['a'], added: [] });
    expect(fixture.watch.absent([lockId('a')])).toEqual(['a']);
    fixture.open();
    expect(() => fixture.watch.absent([lockId('a')])).toThrow('has not listed its locks yet');
  });

  it('keeps the question while the disk fails, and stores it when the disk works again', async () => {
    const fixture = new WatchFixture('a');
    fixture.broken = true;
    fixture.watch.linking();
    await fixture.learn(listing('b'));
    expect(fixture.watch.change).not.toBeNull();
    expect(fixture.settings.size).toBe(0);
    fixture.broken = false;
    await fixture.learn(listing('b'));
    fixture.open();
    expect(fixture.watch.change).not.toBeNull();
  });
});
