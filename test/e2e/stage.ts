// A stage for one test file: in a folder of its own, linked, paired and listening, and gone without a trace afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { Stage, type StageOptions } from '../harness/stage.ts';
import type { Shown, TestLock } from '../harness/test-lock.ts';

/** The shortest interval the options allow, so that nobody waits long for a hand at the door. */
const POLL_SECONDS = 5;

/** Where waiting needs no event: looks at Home until it shows this. */
export async function untilShown(lock: TestLock, wanted: Shown, withinMs = 60_000): Promise<void> {
  await vi.waitFor(
    async () => {
      const shown = await lock.shown();
      if (shown !== wanted) {
        throw new Error(`${lock.name} shows ${shown}, not ${wanted}`);
      }
    },
    { timeout: withinMs, interval: 50 },
  );
}

export interface OpenedStage extends Stage {
  /** Ends everything and removes the folder. */
  leave(): Promise<void>;
}

export async function openStage(options: Omit<StageOptions, 'folder'>): Promise<OpenedStage> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'));
  const stage = await Stage.open({
    ...options,
    folder,
    options: { polling: { idleSeconds: POLL_SECONDS }, ...options.options },
  });
  const leave = async (): Promise<void> => {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await stage.link();
    await stage.pair();
    await stage.listen();
  } catch (error) {
    await leave();
    throw error;
  }
  return Object.assign(stage, { leave });
}
