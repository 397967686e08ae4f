// The service is away: said soon, while what is shown ends in minutes, and in seconds where a command met it (faults#172).
import { describe, expect, it } from 'vitest';
import type { RuntimeEvent } from '../../../../src/engine/account-runtime.ts';
import { homeWithFrontDoor, type PolledHome } from '../../../homes/polled-home.ts';
import { StandInFeed } from '../../../stand-ins/service/events.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

const WAYS = ['fails', 'hangs', 'cut'] as const;
const STEP_MS = 500;

/** A locked door whose webhooks were relied on until now, and are lost from now on. */
async function homeOnItsOwn(): Promise<{ home: PolledHome; said: RuntimeEvent[]; shown: Set<string> }> {
  const home = await homeWithFrontDoor('secured');
  const feed = new StandInFeed();
  home.runtime.listenTo(feed);
  feed.emit({ type: 'battery', battery: { grade: 'normal', percent: 87 } }, { at: home.clock.now() });
  await home.clock.advance(125_000);
  const said: RuntimeEvent[] = [];
  const shown = new Set<string>();
  home.runtime.subscribe((event) => {
    shown.add(home.shown()[0]);
    if (event.type === 'service-away') {
      said.push(event);
    }
  });
  return { home, said, shown };
}

/** For how long "Locked" is shown from now on, and after how long the absence is said. */
async function watched(home: PolledHome, said: readonly RuntimeEvent[], forMs: number) {
  let [lockedMs, saidMs] = [0, Number.POSITIVE_INFINITY];
  for (let passed = STEP_MS; passed <= forMs; passed += STEP_MS) {
    await home.clock.advance(STEP_MS);
    lockedMs = home.shown()[0] === 'secured' ? passed : lockedMs;
    const isSaid = said.length > 0 && home.runtime.serviceAway() && home.runtime.status().failing !== null;
    saidMs = isSaid ? Math.min(saidMs, passed) : saidMs;
  }
  return { lockedMs, saidMs };
}

describe.each(WAYS)('the service is away: every call %s', (away) => {
  it('and nobody asks for anything: "Locked" ends after five minutes, and the absence is said within 20 s of the first question', async () => {
    const { home, said } = await homeOnItsOwn();
    home.service.away = away;
    home.service.turn('unsecured');
    let askedAt = 0;
    home.service.onListing = () => {
      askedAt = askedAt === 0 ? home.clock.monotonic() : askedAt;
    };
    const from = home.clock.monotonic();
    const { lockedMs, saidMs } = await watched(home, said, 1_000_000);
    expect([lockedMs <= 300_000, saidMs - (askedAt - from) <= 20_000]).toEqual([true, true]);
    expect(said).toEqual([{ type: 'service-away', away: true }]);
    expect(home.lines.filter((line) => line.includes('does not answer as it should'))).toHaveLength(1);
  });

  it.each(['secured', 'unsecured'] as const)(
    'and a command meets it: "Locked" ends after 30 s, and the absence is said within 20 s (%s)',
    async (target) => {
      const { home, said } = await homeOnItsOwn();
      home.service.away = away;
      home.service.turn('unsecured');
      void home.runtime.request(FRONT_DOOR, target);
      const { lockedMs, saidMs } = await watched(home, said, 400_000);
      expect([lockedMs <= 30_000 ? 'well' : lockedMs, saidMs <= 20_000 ? 'well' : saidMs]).toEqual([
        'well',
        'well',
      ]);
    },
  );

  it('for less than that: nothing changes in Home, and its return is said once', async () => {
    const { home, said, shown } = await homeOnItsOwn();
    home.service.away = away;
    await home.clock.advance(200_000);
    home.service.away = null;
    await home.clock.advance(130_000);
    expect([[...shown], home.shown()]).toEqual([['secured'], ['secured', null]]);
    expect(said).toEqual([
      { type: 'service-away', away: true },
      { type: 'service-away', away: false },
    ]);
    expect(home.lines.at(-1)).toBe('The lock service answers again.');
  });

  it('for ten seconds with a command: nothing but the command is lost', async () => {
    const { home, said, shown } = await homeOnItsOwn();
    home.service.away = away;
    void home.runtime.request(FRONT_DOOR, 'secured');
    await home.clock.advance(9_000);
    home.service.away = null;
    await home.clock.advance(120_000);
    expect([[...shown], home.shown()]).toEqual([['secured'], ['secured', null]]);
    expect(said.filter((event) => event.type === 'service-away').length % 2).toBe(0);
  });
});

it('a broken disk, or a lost link, is not the service that is away', async () => {
  const { home, said } = await homeOnItsOwn();
  home.link.set('revoked');
  await home.clock.advance(300_000);
  expect([said, home.runtime.serviceAway()]).toEqual([[], false]);
});
