// Sends a request from Home to the runtime, logs it, and answers before HomeKit times out.
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { Lock } from '../../domain/locks/lock.ts';
import type { RequestAnswer } from '../../engine/account-runtime.ts';
import { withTimeout } from '../../support/clock.ts';
import { FinalError, messageOf } from '../../support/errors.ts';
import { VERBS } from '../../words/locks.ts';
import { t } from '../../words/translate.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { HAP_STATUS, type HapStatus } from '../hap/characteristic-values.ts';
import { statusOfAnswer } from '../hap/hap-status.ts';
import { lineAbout, refusalLine, say } from './log-messages.ts';

/** HAP warns about a write after 3 s and holds that controller's events meanwhile, in milliseconds (our choice). */
const ANSWER_WITHIN_MS = 2_000;

/** An unlock that was not sent by then is dropped, because its write must not be answered with success. */
const UNLOCK_LEAVES_WITHIN_MS = 1_900;

/** The status of the runtime's answer, or success if there is none in time: events show the result. Never rejects. */
export async function requestFromHome(
  parts: AccessoryParts,
  lock: Lock,
  target: BoltPosition,
): Promise<HapStatus> {
  const answer = await withTimeout(parts.clock, ANSWER_WITHIN_MS, ask(parts, lock, target));
  return answer === null ? HAP_STATUS.SUCCESS : statusOfAnswer(answer);
}

/** Never rejects. The runtime logs failed commands; refusals are logged here. */
async function ask(
  { runtime, log }: AccessoryParts,
  lock: Lock,
  target: BoltPosition,
): Promise<RequestAnswer> {
  say(log, lineAbout(lock, 'debug', `Home asks to ${VERBS[target]}`));
  try {
    const limits = target === 'unsecured' ? { withinMs: UNLOCK_LEAVES_WITHIN_MS } : {};
    const answer = await runtime.request(lock.id, target, limits);
    if (answer.kind === 'refused') {
      say(log, refusalLine(lock, target, answer.reason));
    }
    return answer;
  } catch (error) {
    say(log, lineAbout(lock, 'error', t('the command failed: {why}. Try again.', { why: messageOf(error) })));
    return { kind: 'failed', error: new FinalError('bad-request', 'The request failed', { cause: error }) };
  }
}
