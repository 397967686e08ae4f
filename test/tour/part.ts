// A part of the tour: steps that are played in a home of their own, one after the other.
import { Stage, type StageOptions } from '../harness/stage.ts';
import { POLL_SECONDS, settled } from './acts.ts';
import { type Played, played, type Step } from './step.ts';

export interface Part {
  readonly steps: readonly Step[];
  /** What its home has beyond the others. */
  readonly stage?: Pick<StageOptions, 'matter' | 'onChildBridge' | 'options'>;
  /** Whether its first steps link the account and pair Home. Left out: that is done before. */
  readonly linksItself?: true;
  /** What is done before the first step. */
  readonly begin?: (stage: Stage) => Promise<void>;
  /** What is closed after the last one. */
  readonly end?: () => Promise<void>;
}

export interface PartParts {
  readonly folder: string;
  readonly pluginsFolder: string;
  readonly port?: number;
}

export async function openHome({ stage }: Part, { folder, pluginsFolder, port }: PartParts): Promise<Stage> {
  return Stage.open({
    ...stage,
    folder,
    pluginsFolder,
    ...(port === undefined ? {} : { simulatorPort: port }),
    options: { polling: { idleSeconds: POLL_SECONDS }, ...stage?.options },
  });
}

/** Plays every step in order, also after one has failed, until `stop` is aborted. */
export async function playPart(
  part: Part,
  stage: Stage,
  report: (step: Step, outcome: Played) => void,
  stop: AbortSignal,
): Promise<void> {
  if (part.linksItself === undefined) {
    await lived(stage);
  }
  await part.begin?.(stage);
  stage.takeComplaints();
  for (const step of part.steps) {
    const outcome = await played(stage, step);
    if (stop.aborted) {
      return;
    }
    report(step, outcome);
  }
}

/** A home as the first steps of the tour leave one: linked, paired, and with its locks as they are. */
async function lived(stage: Stage): Promise<void> {
  await stage.link();
  await stage.pair();
  await stage.listen();
  for (const lock of stage.locks) {
    await settled(lock, 'locked');
  }
}
