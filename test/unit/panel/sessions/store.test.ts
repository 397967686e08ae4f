// Sessions of the pages over a restart: the stored members, and when a stored session is refused.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SessionShelf, sessionArchive } from '../../../../src/panel/sessions/archive.ts';
import { SessionStore } from '../../../../src/panel/sessions/store.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Date.UTC(2026, 3, 14, 12);

/** A disk that outlives every process, as its text. */
class Disk implements SessionShelf {
  text: string | null = null;
  isBroken = false;
  writes = 0;

  read(): unknown {
    this.#check();
    return this.text === null ? undefined : JSON.parse(this.text);
  }

  write(value: unknown): void {
    this.#check();
    this.writes += 1;
    this.text = JSON.stringify(value);
  }

  #check(): void {
    if (this.isBroken) {
      throw new Error('The disk is full.');
    }
  }
}

/** A process that starts at that time. */
function start(disk: Disk, at = NOON, warn: (line: string) => void = () => {}) {
  const clock = new ManualClock(at);
  const store = new SessionStore(clock, sessionArchive(disk, { ...silentLog, warn }));
  return { clock, store };
}

function logIn(store: SessionStore): string {
  return store.exchange(store.mint())?.id ?? '';
}

describe('a session of the pages', () => {
  it('goes on after a restart, with the same word for writes', () => {
    const disk = new Disk();
    const { store } = start(disk);
    const opened = store.exchange(store.mint());
    const after = start(disk, NOON + MINUTE_MS).store;
    expect(after.find(opened?.id ?? '')).toEqual(opened?.session);
  });

  it('goes on after a killed process, and ends an hour after its last stored use', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    const id = logIn(store);
    await clock.advance(30 * MINUTE_MS);
    expect(store.find(id)).not.toBeNull();
    await clock.advance(MINUTE_MS);
    const { text } = disk;
    expect(start(disk, NOON + 89 * MINUTE_MS).store.find(id)).not.toBeNull();
    disk.text = text;
    expect(start(disk, NOON + 90 * MINUTE_MS).store.find(id)).toBeNull();
  });

  it('keeps its last use when the process ends normally', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    const id = logIn(store);
    await clock.advance(5 * MINUTE_MS);
    store.find(id);
    store.close();
    expect(start(disk, NOON + 64 * MINUTE_MS).store.find(id)).not.toBeNull();
  });

  it('ends a day after the login, however often the plugin was restarted', async () => {
    const disk = new Disk();
    let { clock, store } = start(disk);
    const id = logIn(store);
    for (let halves = 1; halves < 48; halves += 1) {
      await clock.advance(HOUR_MS / 2);
      expect(store.find(id)).not.toBeNull();
      store.close();
      ({ clock, store } = start(disk, NOON + (halves * HOUR_MS) / 2));
    }
    await clock.advance(HOUR_MS / 2);
    expect(store.find(id)).toBeNull();
    expect(start(disk, NOON + 24 * HOUR_MS).store.find(id)).toBeNull();
  });

  it('ends in time although the machine slept meanwhile, and so does a login that nobody used', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    const [id, token] = [logIn(store), store.mint()];
    clock.jumpWallTo(clock.now() + 59 * MINUTE_MS);
    expect(store.exchange(token)).toBeNull();
    expect(store.find(id)).not.toBeNull();
    for (let uses = 0; uses < 24; uses += 1) {
      clock.jumpWallTo(clock.now() + 50 * MINUTE_MS);
      await clock.advance(MINUTE_MS);
      store.find(id);
    }
    store.close();
    expect(store.find(id)).not.toBeNull();
    expect(store.list()).toMatchObject([{ startedAt: NOON, usedAt: clock.now() }]);
    clock.jumpWallTo(clock.now() + HOUR_MS);
    expect(store.list()).toEqual([]);
    expect(store.find(id)).toBeNull();
  });

  it('does not last longer because the clock of the machine was set back', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    const id = logIn(store);
    clock.jumpWallTo(clock.now() - 5 * HOUR_MS);
    await clock.advance(59 * MINUTE_MS);
    expect(store.list()).toMatchObject([{ usedAt: clock.now() - 59 * MINUTE_MS }]);
    await clock.advance(MINUTE_MS);
    expect(store.find(id)).toBeNull();
  });

  it('is not accepted when the clock of the machine has gone back', () => {
    const disk = new Disk();
    const id = logIn(start(disk).store);
    expect(start(disk, NOON - 1).store.find(id)).toBeNull();
  });

  it.each(['one', 'everywhere'] as const)('that logged out (%s) stays so after a restart', (which) => {
    const disk = new Disk();
    const { store } = start(disk);
    const [mine, other] = [logIn(store), logIn(store)];
    const session = store.find(mine);
    if (which === 'one' && session !== null) {
      store.end(session);
    } else {
      store.endAll();
    }
    const after = start(disk).store;
    expect(after.find(mine)).toBeNull();
    expect(after.find(other) === null).toBe(which === 'everywhere');
  });

  it('is stored as a digest alone, with which no browser can log in', () => {
    const disk = new Disk();
    const { store } = start(disk);
    const opened = store.exchange(store.mint());
    expect(disk.text).toMatch(
      /^\[\{"digest":"[\w-]{43}","role":"all","device":"","startedAt":\d+,"usedAt":\d+\}\]$/u,
    );
    expect(disk.text).not.toContain(opened?.id);
    expect(disk.text).not.toContain(opened?.session.csrf);
    expect(start(disk).store.find(opened?.session.digest ?? '')).toBeNull();
  });

  it('is written down every ten minutes of use, not at every request', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    const id = logIn(store);
    const before = disk.writes;
    for (let seconds = 0; seconds < 3_600; seconds += 10) {
      await clock.advance(10_000);
      store.find(id);
    }
    expect(disk.writes - before).toBe(6);
  });

  it('lasts as long as the process where the disk is full, and the log says so', () => {
    const disk = new Disk();
    disk.isBroken = true;
    const lines: string[] = [];
    const { store } = start(disk, NOON, (line) => lines.push(line));
    const id = logIn(store);
    expect(store.find(id)).not.toBeNull();
    expect(lines.join(' ')).toContain('The logins of the dashboard could not be kept');
    expect(lines.join(' ')).not.toContain(id);
  });

  it.each([
    ['null', null],
    ['another form', { digest: 'x' }],
    ['a list of another form', [{ digest: 'short', startedAt: NOON, usedAt: NOON }]],
    ['numbers that are none', [{ digest: 'A'.repeat(43), startedAt: 'noon', usedAt: NOON }]],
  ])('is not read from a damaged row: %s', (_, kept) => {
    const disk = new Disk();
    disk.text = JSON.stringify(kept);
    const { store } = start(disk);
    expect(store.find('A'.repeat(43))).toBeNull();
    expect(store.find(logIn(store))).not.toBeNull();
  });

  it('is one of 32 at most, also when more were stored', () => {
    const disk = new Disk();
    const ids: string[] = [];
    const sessions: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const single = new Disk();
      const { store } = start(single);
      ids.push(...Array.from({ length: 20 }, () => logIn(store)));
      sessions.push(...z.array(z.unknown()).parse(single.read()));
    }
    disk.write(sessions);
    const { store } = start(disk);
    expect(ids.filter((id) => store.find(id) !== null)).toHaveLength(32);
  });
});

describe('the role of a login', () => {
  it('is that of its address, also after a restart, and all for logins of before there were roles', () => {
    const disk = new Disk();
    const { store } = start(disk);
    const look = store.exchange(store.mint('look'), 'Firefox, Windows');
    expect(look?.session.role).toBe('look');
    const after = start(disk, NOON + MINUTE_MS).store;
    expect(after.find(look?.id ?? '')?.role).toBe('look');
    expect(after.list()).toMatchObject([{ role: 'look', device: 'Firefox, Windows' }]);
    disk.text = (disk.text ?? '').replace(/"role":"look","device":"[^"]*",/u, '');
    expect(start(disk, NOON + MINUTE_MS).store.find(look?.id ?? '')?.role).toBe('all');
  });

  it('that is not known logs everybody out', () => {
    const disk = new Disk();
    const id = logIn(start(disk).store);
    disk.text = (disk.text ?? '').replace('"all"', '"everything"');
    expect(start(disk, NOON + MINUTE_MS).store.find(id)).toBeNull();
  });

  it('is listed without counting as a use, until the login ends', async () => {
    const disk = new Disk();
    const { clock, store } = start(disk);
    logIn(store);
    const { writes } = disk;
    await clock.advance(59 * MINUTE_MS);
    expect(store.list()).toMatchObject([{ startedAt: NOON, usedAt: NOON }]);
    await clock.advance(MINUTE_MS);
    expect([store.list(), disk.writes]).toEqual([[], writes]);
  });
});
