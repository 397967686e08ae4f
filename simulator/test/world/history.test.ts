// Wire contract 5: history, newest first, in UTC or in the time of the door.
import { describe, expect, test } from 'vitest';
import { DOOR, home, MINUTE, START, value } from './home.ts';

describe('wire contract 5, history', () => {
  test('newest first, as many as asked for', () => {
    const { world, history, pass } = home();
    for (let turn = 0; turn < 5; turn += 1) {
      world.turnThumbturn(DOOR);
      pass(MINUTE);
    }
    expect(history(2).map((entry) => entry.timestamp)).toEqual([
      '2026-04-14T12:04:00.000Z',
      '2026-04-14T12:03:00.000Z',
    ]);
    expect(history(100)).toHaveLength(5);
  });

  test('in local time each entry carries the offset of its own date', () => {
    const { world } = home();
    for (const at of [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 3, 14, 12, 15, 30, 250)]) {
      world.writeHistory(DOOR, { eventCode: 'FirmwareUpdated', at });
    }
    const local = value(world.history('owner', DOOR, 50, true));
    expect(local.map((entry) => entry.timestamp)).toEqual([
      '2026-04-14T08:15:30.250-04:00',
      '2026-01-15T07:00:00.000-05:00',
    ]);
  });

  test('the newest hundred are kept, past entries at their place in time', () => {
    const { world, history } = home();
    for (let number = 0; number < 150; number += 1) {
      world.turnThumbturn(DOOR);
      world.advance(START + (number + 1) * MINUTE);
    }
    expect(history(100)).toHaveLength(100);
    world.writeHistory(DOOR, { eventCode: 'FirmwareUpdated', at: START + 100.5 * MINUTE });
    world.writeHistory(DOOR, { eventCode: 'FirmwareUpdateFailed', at: START });
    const codes = history(100).map((entry) => entry.eventCode);
    expect(codes).toHaveLength(100);
    expect(codes.indexOf('FirmwareUpdated')).toBe(49);
    expect(codes).not.toContain('FirmwareUpdateFailed');
  });

  test('an offline lock keeps its newest hundred', () => {
    const { world, history } = home();
    world.cutWifi(DOOR, 0);
    for (let number = 0; number < 150; number += 1) {
      world.advance(START + number * MINUTE);
      world.turnThumbturn(DOOR);
    }
    world.restoreWifi(DOOR);
    expect(history(100).at(-1)?.timestamp).toBe(new Date(START + 50 * MINUTE).toISOString());
  });
});
