// The form of a step of the tour, and how one is played: it is done, checked and timed.
import type { Stage } from '../harness/stage.ts';

/** One act in the account, and its expected result. */
export interface Step {
  /** The act, as a person would name it at the door. */
  readonly title: string;
  /** Does it and checks it; resolves with what Home showed, throws when that is not the truth. */
  readonly play: (stage: Stage) => Promise<string>;
  /** What Homebridge's log may warn of here. Any other warning fails the step. */
  readonly warns?: RegExp;
}

export interface Played {
  readonly passed: boolean;
  readonly words: string;
  readonly tookMs: number;
}

export async function played(stage: Stage, step: Step): Promise<Played> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(stage, step);
  return { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
}

async function outcomeOf(stage: Stage, step: Step): Promise<Omit<Played, 'tookMs'>> {
  try {
    const words = await step.play(stage);
    const complaints = stage.takeComplaints().filter((line) => !step.warns?.test(line));
    return complaints.length === 0
      ? { passed: true, words }
      : { passed: false, words: `Homebridge complained: ${complaints.join(' | ')}` };
  } catch (error) {
    return { passed: false, words: error instanceof Error ? error.message : String(error) };
  }
}
