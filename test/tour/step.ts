// The form of a step of the tour, and how steps are played: each is done, checked, timed and reported.
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

/** Plays every step in order, also after one has failed, until `stop` is aborted; resolves with how many passed. */
export async function playSteps(
  stage: Stage,
  steps: readonly Step[],
  emit: (line: string) => void,
  stop: AbortSignal,
): Promise<number> {
  let passed = 0;
  for (const [index, step] of steps.entries()) {
    const startedAt = performance.now();
    const outcome = await playOne(stage, step);
    if (stop.aborted) {
      break;
    }
    const tookMs = Math.round(performance.now() - startedAt);
    emit(`${outcome.passed ? '✓' : '✗'} ${index + 1}. ${step.title}`);
    emit(`     ${outcome.words} (${tookMs} ms)`);
    passed += outcome.passed ? 1 : 0;
  }
  return passed;
}

async function playOne(
  stage: Stage,
  step: Step,
): Promise<{ readonly passed: boolean; readonly words: string }> {
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
