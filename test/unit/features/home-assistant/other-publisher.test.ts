// Whether another process is noticed that publishes the same topics, or takes the same place at the broker.
import { describe, expect, it } from 'vitest';
import { verbatim } from '../../../../src/domain/language/message.ts';
import { OtherPublisher } from '../../../../src/features/home-assistant/broker/other-publisher.ts';
import { t } from '../../../../src/words/translate.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const CONNECTED = { kind: 'connected', resumed: false } as const;
const LOST = {
  kind: 'waiting',
  reason: verbatim('The broker closed the connection.'),
  retryInMs: 1_000,
} as const;

function watched(isClientIdChosen = false) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const other = new OtherPublisher({
    topics: { isClientIdChosen },
    clock,
    log: { warn: (line) => lines.push(line) },
    onChange: () => {},
  });
  return { clock, lines, other };
}

describe('another publisher', () => {
  it('is assumed for a minute after its "online", and is logged once', async () => {
    const { clock, lines, other } = watched();
    other.heard('online');
    await clock.advance(59_000);
    other.heard('online');
    await clock.advance(59_000);
    expect([other.isThere, lines.length]).toEqual([true, 1]);
    await clock.advance(1_000);
    expect([other.isThere, other.trouble]).toEqual([false, null]);
  });

  it('is not our own last will of an earlier connection, but any other "offline" is', async () => {
    const { clock, other } = watched();
    other.heard('offline');
    await clock.advance(60_000);
    other.heard('offline');
    expect(other.isThere).toBe(false);
    await clock.advance(20_000);
    other.heard('offline');
    expect(other.isThere).toBe(true);
  });

  it('that took our place counts through the turns that two take with one client id (faults#124)', async () => {
    const { clock, other } = watched();
    other.connectionChanged(CONNECTED);
    other.connectionChanged({ ...LOST, isTakenOver: true });
    await clock.advance(60_000);
    other.connectionChanged(CONNECTED);
    await clock.advance(60_000);
    expect(other.isThere).toBe(true);
    await clock.advance(30_000);
    expect(other.isThere).toBe(false);
  });

  it('that took a chosen client id may be any program, and one line says so', async () => {
    const { clock, lines, other } = watched(true);
    for (let turn = 0; turn < 4; turn += 1) {
      other.connectionChanged(CONNECTED);
      await clock.advance(1_000);
      other.connectionChanged({ ...LOST, isTakenOver: true });
      expect([other.isThere, other.trouble && t(other.trouble)]).toEqual([
        true,
        expect.stringContaining('same client ID (mqtt.clientId)'),
      ]);
      await clock.advance(60_000);
    }
    expect(lines).toHaveLength(1);
  });

  it.each([
    [true, 1_000, 3, /same client ID \(mqtt\.clientId\)/],
    [true, 1_000, 2, null],
    [true, 25_000, 5, null],
    [false, 1_000, 5, null],
  ])(
    'with a chosen client id %s, and connections of %i ms, %i times: %o',
    async (chosen, lastMs, times, words) => {
      const { clock, lines, other } = watched(chosen);
      for (let connection = 0; connection < times; connection += 1) {
        other.connectionChanged(CONNECTED);
        await clock.advance(lastMs);
        other.connectionChanged(LOST);
      }
      expect(other.trouble && t(other.trouble)).toEqual(words === null ? null : expect.stringMatching(words));
      other.connectionChanged(CONNECTED);
      await clock.advance(25_000);
      expect([other.trouble, lines.length]).toEqual([null, words === null ? 0 : 1]);
    },
  );
});
