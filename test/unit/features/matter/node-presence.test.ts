// When locks leave HomeKit for Matter, and when they come back: the node has to run, and an app to have added it.
import { describe, expect, it } from 'vitest';
import type { LockEndpoint } from '../../../../src/features/matter/node/matter-api.ts';
import { NodePresence } from '../../../../src/features/matter/node/node-presence.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { StandInNode } from '../../../stand-ins/homebridge/matter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MINUTE = 60_000;

function bridge(hasOnlyLocks = true) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const presence = new NodePresence({
    clock,
    log: { ...silentLog, warn: (line) => lines.push(line) },
    hasOnlyLocks: () => hasOnlyLocks,
  });
  const node = new StandInNode();
  const changes: string[] = [];
  presence.subscribe(() => changes.push(presence.state));
  const endpoint = { owner: { owner: node } } as unknown as LockEndpoint;
  return { clock, presence, node, lines, changes, endpoint };
}

describe('a Matter node', () => {
  it('takes locks over once it is online and an app has added it, in either order (faults#128)', () => {
    for (const steps of [
      ['online', 'commissioned'],
      ['commissioned', 'online'],
    ] as const) {
      const { presence, node, endpoint } = bridge();
      presence.watch(endpoint);
      node[steps[0]]();
      expect(presence.takesOver(true)).toBe(false);
      node[steps[1]]();
      expect([presence.state, presence.takesOver(true)]).toEqual(['reachable', true]);
    }
  });

  it('that ran before the locks were added is judged by its state', () => {
    const { presence, node, endpoint } = bridge();
    node.online();
    node.commissioned();
    presence.watch(endpoint);
    expect(presence.takesOver(true)).toBe(true);
  });

  it('leaves each lock where it was for the first minute, and then moves all to HomeKit', async () => {
    const { clock, presence, changes, lines } = bridge();
    await clock.advance(MINUTE - 1);
    expect([presence.takesOver(true), presence.takesOver(false), changes]).toEqual([false, true, []]);
    await clock.advance(1);
    expect([presence.takesOver(false), changes]).toEqual([false, ['offline']]);
    expect(lines).toEqual([expect.stringContaining('often its port is taken')]);
  });

  it('is missed by nobody where no lock is over Matter alone (faults#174)', async () => {
    const { clock, changes, lines } = bridge(false);
    await clock.advance(MINUTE);
    expect([changes, lines]).toEqual([['offline'], []]);
  });

  it('that no app has added is reported so, and takes the locks over when one has', async () => {
    const { clock, presence, node, changes, lines, endpoint } = bridge();
    presence.watch(endpoint);
    node.online();
    await clock.advance(MINUTE);
    expect(lines).toEqual([expect.stringContaining('No app has added the Matter bridge')]);
    node.commissioned();
    expect([presence.takesOver(true), changes]).toEqual([true, ['not-added', 'reachable']]);
  });

  it.each(['online', 'commissioned'] as const)(
    'that is no longer %s keeps the locks for a minute, and not longer',
    async (what) => {
      const { clock, presence, node, changes, endpoint } = bridge();
      node.online();
      node.commissioned();
      presence.watch(endpoint);
      node[what](false);
      await clock.advance(MINUTE - 1);
      node[what]();
      await clock.advance(2 * MINUTE);
      expect([presence.takesOver(true), changes]).toEqual([true, ['reachable']]);
      node[what](false);
      await clock.advance(MINUTE);
      expect([presence.takesOver(true), changes.length]).toEqual([false, 2]);
    },
  );

  it.each([{}, { owner: { lifecycle: { isOnline: true, isCommissioned: true } } }])(
    'of another form takes nothing over: %j',
    async (endpoint) => {
      const { clock, presence } = bridge();
      presence.watch(endpoint as unknown as LockEndpoint);
      await clock.advance(MINUTE);
      expect(presence.takesOver(false)).toBe(false);
    },
  );

  it('leaves no timer behind', () => {
    const { clock, presence } = bridge();
    presence.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});
