// A wish from Home on its way to the house: told to the log, and answered before HomeKit loses patience.
import type { Rest } from '../domain/bolt.ts';
import type { Lock } from '../domain/lock.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, messageOf } from '../support/errors.ts';
import type { HouseView, WishAnswer } from '../sync/house.ts';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';
import { statusOfAnswer } from './hap-status.ts';
import { type LogLine, lineAbout, refusalLine } from './lock-narration.ts';
import { answerWithin } from './timely-answer.ts';

/** HomeKit warns of a write at 3 s and holds that controller's events meanwhile: later than this, it settles by itself. */
const ANSWER_WITHIN_MS = 2_000;

export interface HomeWishParts {
  readonly house: Pick<HouseView, 'wish'>;
  /** The lock as it is now. */
  readonly lock: () => Lock;
  readonly say: (line: LogLine) => void;
  readonly clock: Clock;
}

/** The status for a HAP write: what the house answered, or success when it has not answered in time. Never rejects. */
export async function wishFromHome(parts: HomeWishParts, rest: Rest): Promise<HapStatus> {
  const answer = await answerWithin(parts.clock, ANSWER_WITHIN_MS, ask(parts, rest));
  return answer === null ? HAP_STATUS.SUCCESS : statusOfAnswer(answer);
}

/** Never rejects. The house itself tells of commands that failed; a refusal is told here. */
async function ask({ house, lock, say }: HomeWishParts, rest: Rest): Promise<WishAnswer> {
  say(lineAbout(lock(), 'debug', `asked from Home to be ${rest}`));
  try {
    const answer = await house.wish(lock().id, rest);
    if (answer.kind === 'refused') {
      say(refusalLine(lock(), rest, answer.reason));
    }
    return answer;
  } catch (error) {
    say(lineAbout(lock(), 'error', `the wish was lost: ${messageOf(error)}`));
    return { kind: 'failed', error: new FinalError('bad-request', 'The wish was lost', { cause: error }) };
  }
}
