// A linked plugin in the network of the real programs, paired with none of them, and a folder for what they keep.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage, type StageOptions } from '../harness/stage.ts';
import { HOME_NETWORK } from './network-setup.ts';

/** The shortest interval the options allow, so that nobody waits long for a hand at the door. */
const POLL_SECONDS = 5;

export interface HomeStage extends Stage {
  readonly folder: string;
  /** Ends everything and removes the folder. */
  leave(): Promise<void>;
}

export async function openHomeStage(options: Omit<StageOptions, 'folder' | 'network'>): Promise<HomeStage> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));
  const stage = await Stage.open({
    ...options,
    folder,
    network: HOME_NETWORK,
    options: { polling: { idleSeconds: POLL_SECONDS }, ...options.options },
  });
  const leave = async (): Promise<void> => {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await stage.link();
  } catch (error) {
    await leave();
    throw error;
  }
  return Object.assign(stage, { folder, leave });
}
