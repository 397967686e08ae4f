// A guest on two locks in a real Homebridge, from the packed command line: one of the locks is offline at first.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import type { TestLock } from '../harness/test-lock.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { CommandLine } from './beside.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const SOON_MS = 60_000;
/** Polls come so seldom that webhooks alone can tell what happens at the doors. */
const POLL_SECONDS = 300;
const TRY_LATER = 4;
const PIN = '0481';

describe('a guest on two locks, one of them offline', () => {
  let stage: OpenedStage;
  let commandLine: CommandLine;
  let front: TestLock;
  let back: TestLock;

  beforeAll(async () => {
    const port = await freePort();
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: { settings: { webhooks: { allowHttpToLoopback: true } } },
      options: {
        webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${String(port)}` },
        polling: { idleSeconds: POLL_SECONDS, healthySeconds: POLL_SECONDS },
      },
    });
    commandLine = new CommandLine(stage);
    await stage.homebridge.line(/Webhooks arrive/u, SOON_MS);
    [front, back] = [stage.lock('Front door'), stage.lock('Back door')];
    await back.at('cut-wifi', { noticeAfterMs: 0 });
    await untilShown(back, 'unknown', SOON_MS);
  });

  afterAll(async () => {
    commandLine.end();
    await stage.leave();
  });

  const guests = async (args: readonly string[], status = 0): Promise<string> =>
    commandLine.run(['guests', ...args], { LATCHKEY_CODE: PIN }, status);

  const typedAt = async ({ name }: TestLock): Promise<unknown> =>
    control(stage.simulator.controlUrl, `locks/${name}/type-code`, { code: PIN });

  /** The keypads of those locks that have the guest's code. */
  const opened = (): readonly string[] => {
    const { world } = stage.simulator;
    return world
      .deviceIds()
      .map((id) => world.inspect(id))
      .filter(({ codesOnLock }) => codesOnLock.some(({ name }) => name === 'Anna'))
      .map(({ name }) => name);
  };

  it('gets the code on the lock that can be reached, and waits for the other', async () => {
    expect(await guests(['add', 'Anna', '--on', 'front', 'back'], TRY_LATER)).toBe(
      'Anna  ••••  always\n  Front door: Up to date\n  Back door: The lock is offline. This is done when it is back.\n',
    );
    expect(opened()).toEqual(['Front door']);
  });

  it('gets it on the other when that is back, opens it, is told of by a webhook, and is named in its history', async () => {
    await back.at('restore-wifi');
    await expect.poll(opened, { interval: 250 }).toEqual(['Front door', 'Back door']);
    await expect
      .poll(async () => guests(['list']), { interval: 250 })
      .toMatch(/Front door: Up to date\n {2}Back door: Up to date/u);
    await untilShown(back, 'locked', SOON_MS);
    expect(await typedAt(back)).toMatchObject({ result: { keypad: 'accepted' } });
    await untilShown(back, 'unlocked', SOON_MS);
    expect(stage.boltOf(back)).toBe('Unlocked');
    expect(await commandLine.run(['history', 'back', '--person', 'anna'])).toMatch(/unlocked.*Anna/u);
  });

  it('is removed from both, and opens neither', async () => {
    expect(await guests(['remove', 'Anna'])).toBe('Anna: removed\n');
    expect(opened()).toEqual([]);
    expect(await typedAt(front)).toMatchObject({ result: { keypad: 'refused' } });
    expect(await typedAt(back)).toMatchObject({ result: { keypad: 'refused' } });
    expect(stage.boltOf(front)).toBe('Locked');
  });

  it('leaves the digits in no line of the log and of the command line (faults#68)', () => {
    const text = [...stage.lines.map((line) => line.text), commandLine.said].join('\n');
    expect(text).toContain('Anna');
    expect(text).not.toMatch(new RegExp(String.raw`\b${PIN}\b`, 'u'));
  });
});
