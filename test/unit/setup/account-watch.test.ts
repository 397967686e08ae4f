// What is learned of an account that may be another one than before, listing by listing, with settings in memory.
import { describe, expect, it } from 'vitest';
import { type LockId, lockId } from '../../../src/domain/lock.ts';
import type { Listing, LockReading } from '../../../src/domain/ports.ts';
import { AccountWatch } from '../../../src/setup/account-watch.ts';
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
      lastHeardAt: null,
      updatedAt: null,
      battery: { grade: 'normal', percent: 90 },
    }),
  );
  return { locks, askedAt: 1, complete: true };
}

/** A house that knows some locks, and the settings of its disk. */
class CommandContext {
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
    const assertWhole = (): void => {
      if (this.broken) {
        throw new RetryError('storage-failed', 'The disk is full.');
      }
    };
    this.watch = new AccountWatch({
      settings: {
        read: (key) => this.settings.get(key),
        write: (key, value) => {
          assertWhole();
          this.settings.set(key, value);
        },
        erase: (key) => {
          assertWhole();
          this.settings.delete(key);
        },
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

  /** What the house learns from this listing. */
  async learn(heard: Listing): Promise<Listing> {
    return this.watch.guarded(async () => Promise.resolve(heard))();
  }
}

const names = ({ locks }: Listing): readonly string[] => locks.map(({ description: { name } }) => name);

describe('the watch over the linked account', () => {
  it('hands on every listing as it is while nothing was linked anew', async () => {
    const desk = new CommandContext('a');
    const heard = listing('b');
    expect(await desk.learn(heard)).toBe(heard);
    expect(desk.changes).toBe(0);
  });

  it('lets in no lock and concludes no absence while another account waits for an answer', async () => {
    const desk = new CommandContext('a', 'c');
    desk.watch.linking();
    const learned = await desk.learn(listing('b'));
    expect([names(learned), learned.complete]).toEqual([[], false]);
    expect(desk.lost).toEqual(['a', 'c']);
    expect(desk.watch.change).toEqual({ missing: ['a', 'c'], added: ['b'] });
  });

  it('goes by the mark of the account: another one that has some of the locks is asked about as well', async () => {
    const desk = new CommandContext('a', 'c');
    desk.subject = 'me';
    await desk.learn(listing('a', 'c'));
    desk.subject = 'you';
    desk.watch.linking();
    const learned = await desk.learn(listing('a', 'b'));
    expect([names(learned), learned.complete]).toEqual([['a'], false]);
    expect(desk.watch.change).toEqual({ missing: ['c'], added: ['b'] });
    expect(desk.watch.absent(['a', 'c'].map(lockId))).toEqual(['c']);
    desk.watch.keep();
    // From now on this is the account.
    desk.watch.linking();
    const again = listing('b');
    expect(await desk.learn(again)).toBe(again);
  });

  it('goes by the mark: the same account without any of its locks asks nothing', async () => {
    const desk = new CommandContext('a');
    desk.subject = 'me';
    await desk.learn(listing('a'));
    desk.watch.linking();
    const heard = listing('b');
    expect(await desk.learn(heard)).toBe(heard);
  });

  it('keeps no mark in a form that says who somebody is', async () => {
    const desk = new CommandContext('a');
    desk.subject = 'resident@home.example';
    await desk.learn(listing('a'));
    expect([...desk.settings.keys()]).toEqual(['account.subject']);
    expect(JSON.stringify([...desk.settings])).not.toContain('resident');
  });

  it('concludes nothing from a listing that was asked for before the link was made', async () => {
    const desk = new CommandContext('a');
    const answer = Promise.withResolvers<Listing>();
    const learned = desk.watch.guarded(async () => answer.promise)();
    desk.watch.linking();
    answer.resolve(listing('a'));
    expect(await learned).toMatchObject({ complete: false });
    expect(desk.watch.isUnjudged).toBe(true);
    await desk.learn(listing('b'));
    expect(desk.watch.change).not.toBeNull();
  });

  it('learns nothing of another account from a listing that was under way when it was unlinked', async () => {
    const desk = new CommandContext('Front', 'Back');
    const answer = Promise.withResolvers<Listing>();
    desk.watch.linking();
    const learned = desk.watch.guarded(async () => answer.promise)();
    desk.watch.unlinked();
    answer.resolve(listing('Back', 'Cellar'));
    const { locks, complete } = await learned;
    expect([locks.map(({ id }) => id), complete]).toEqual([['Back'], false]);
  });

  it('concludes nothing from a listing that was under way while another process had the account', async () => {
    const desk = new CommandContext('Front', 'Back');
    const answer = Promise.withResolvers<Listing>();
    const learned = desk.watch.guarded(async () => answer.promise)();
    desk.settings.set('account.phase', 'unjudged');
    desk.watch.reload();
    answer.resolve(listing('Front', 'Back'));
    expect(await learned).toMatchObject({ complete: false });
    expect(desk.watch.isUnjudged).toBe(true);
  });

  it('asks the same question after a restart, before anything is listed again', async () => {
    const desk = new CommandContext('Front', 'Back');
    desk.subject = 'one';
    await desk.learn(listing('Front', 'Back'));
    desk.subject = 'two';
    desk.watch.linking();
    await desk.learn(listing('Front', 'Cellar'));
    const asked = desk.watch.change;
    expect(asked).toEqual({ missing: ['Back'], added: ['Cellar'] });
    desk.open();
    expect(desk.watch.change).toEqual(asked);
    expect(desk.watch.missing).toEqual(['Back']);
  });

  it.each(['asked', 'x', 7, { kind: 'asked' }, { kind: 'asked', listed: [{ id: 1 }] }])(
    'judges the account anew when what is stored is not ours: %j',
    async (stored) => {
      const desk = new CommandContext('Front');
      desk.settings.set('account.phase', stored);
      desk.open();
      expect([desk.watch.isUnjudged, desk.watch.change]).toEqual([true, null]);
      await desk.learn(listing('Front'));
      expect([desk.watch.isUnjudged, desk.settings.has('account.phase')]).toEqual([false, false]);
    },
  );

  it('concludes no absence from a list that could not be read in full', async () => {
    const desk = new CommandContext('Front', 'Back');
    desk.watch.linking();
    await desk.learn({ ...listing('Cellar'), complete: false });
    expect([desk.watch.change, desk.lost]).toEqual([null, []]);
    await desk.learn(listing('Cellar'));
    expect(desk.watch.change).toEqual({ missing: ['Front', 'Back'], added: ['Cellar'] });
    await desk.learn({ ...listing('Cellar'), complete: false });
    expect(desk.watch.change).toEqual({ missing: ['Front', 'Back'], added: ['Cellar'] });
    expect(() => desk.watch.absent(desk.watch.missing)).toThrow('could not be read in full');
    await desk.learn(listing('Cellar', 'Attic'));
    expect(desk.watch.absent(desk.watch.missing)).toEqual(['Front', 'Back']);
  });

  it('tells of the question anew when the account lists others', async () => {
    const desk = new CommandContext('Front');
    desk.watch.linking();
    await desk.learn(listing('Cellar'));
    const { changes } = desk;
    await desk.learn(listing('Cellar'));
    expect(desk.changes).toBe(changes);
    await desk.learn(listing('Cellar', 'Attic'));
    expect(desk.changes).toBe(changes + 1);
  });

  it('names no lock that a person was not asked about, and none once the question is settled', async () => {
    const desk = new CommandContext('Front', 'Back');
    desk.subject = 'one';
    await desk.learn(listing('Front', 'Back'));
    desk.subject = 'two';
    desk.watch.linking();
    await desk.learn(listing('Front'));
    const asked = desk.watch.missing;
    await desk.learn(listing('Cellar'));
    expect(desk.watch.missing).toEqual(['Front', 'Back']);
    expect(desk.watch.absent(asked)).toEqual(['Back']);
    await desk.learn(listing('Front', 'Back'));
    expect(() => desk.watch.absent(asked)).toThrow('settled by now');
  });

  it('remembers the question across a restart, and withdraws it when the right account is back', async () => {
    const desk = new CommandContext('a');
    desk.watch.linking();
    await desk.learn(listing('b'));
    desk.open();
    expect(desk.watch.change).toEqual({ missing: ['a'], added: ['b'] });
    const heard = listing('a');
    expect(await desk.learn(heard)).toBe(heard);
    expect(desk.watch.change).toBeNull();
    desk.open();
    expect(desk.watch.change).toBeNull();
  });

  it('removes nothing by itself on an empty list, and nothing at all before there was a list', async () => {
    const desk = new CommandContext('a');
    desk.subject = 'me';
    await desk.learn(listing('a'));
    desk.subject = 'you';
    desk.watch.linking();
    await desk.learn(listing());
    expect(desk.watch.change).toEqual({ missing: ['a'], added: [] });
    expect(desk.watch.absent([lockId('a')])).toEqual(['a']);
    desk.open();
    expect(() => desk.watch.absent([lockId('a')])).toThrow('has not listed its locks yet');
  });

  it('asks on while the disk fails, and writes it down when it is whole again', async () => {
    const desk = new CommandContext('a');
    desk.broken = true;
    desk.watch.linking();
    await desk.learn(listing('b'));
    expect(desk.watch.change).not.toBeNull();
    expect(desk.settings.size).toBe(0);
    desk.broken = false;
    await desk.learn(listing('b'));
    desk.open();
    expect(desk.watch.change).not.toBeNull();
  });
});
