// What reaches Homebridge's log: everything that a runtime can do, and of a flood only how much it was.
import type { Logging } from 'homebridge';
import { describe, expect, it } from 'vitest';
import { lineAbout, say } from '../../../src/homekit/lock/log-messages.ts';
import { homebridgeLog } from '../../../src/plugin/homebridge-log.ts';
import type { Log } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';

function written(debug = false): { log: Log; clock: ManualClock; lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => {
    lines.push(`${level} ${line}`);
  };
  const logging = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const clock = new ManualClock();
  return { log: homebridgeLog(logging as unknown as Logging, debug, clock), clock, lines };
}

function flood(log: Log, count: number): void {
  for (let line = 0; line < count; line += 1) {
    log.info('Front door: locked');
  }
}

describe("Homebridge's log", () => {
  it('gets debug lines as normal ones with the option', () => {
    const [quiet, loud] = [written(), written(true)];
    quiet.log.debug('x');
    loud.log.debug('x');
    expect([quiet.lines, loud.lines]).toEqual([['debug x'], ['info x']]);
  });

  it('gets a line for each lock of the largest home, locked and unlocked in one go', () => {
    const { log, lines } = written();
    flood(log, 2 * 149);
    expect(lines).toHaveLength(2 * 149);
  });

  it('has a sentence composed only where it is written', () => {
    const { log, lines } = written();
    const composed: string[] = [];
    const front = { description: named('Front door') };
    for (let turn = 0; turn < 1_000; turn += 1) {
      const words = (): string => {
        composed.push('locked');
        return 'locked';
      };
      say(log, lineAbout(front, 'info', words));
    }
    expect([lines.length, lines[0], composed.length]).toEqual([400, 'info Front door: locked', 400]);
  });

  it('gets a few lines of a flood, the count of those left out, and everything again afterwards', async () => {
    const { log, clock, lines } = written();
    flood(log, 10_000);
    expect(lines.length).toBeLessThan(500);
    const leftOut = 10_000 - lines.length;
    await clock.advance(60_000);
    flood(log, 300);
    expect(lines.at(-301)).toBe(
      `info ${String(leftOut)} lines were left out: too many at once. Turn on "debug" to see all of them.`,
    );
    expect(lines.slice(-300)).toEqual(Array.from({ length: 300 }, () => 'info Front door: locked'));
  });

  it('gets every warning and error, and every line with the option for debug lines', () => {
    const [quiet, loud] = [written(), written(true)];
    flood(quiet.log, 1_000);
    const before = quiet.lines.length;
    quiet.log.warn('w');
    quiet.log.error('e');
    flood(loud.log, 10_000);
    expect([quiet.lines.slice(before), loud.lines.length]).toEqual([['warn w', 'error e'], 10_000]);
  });
});
