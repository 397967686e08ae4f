// An operation on access codes, followed to its end.
import type { CodeProgress } from '../../../../src/domain/codes/operation.ts';
import type { CodeAnswer } from '../../../../src/engine/codes/access-codes.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';

/** Rejects when it was refused before anything was sent. */
export async function ended(home: SimulatedHome, asked: Promise<CodeAnswer>): Promise<CodeProgress> {
  const answer = await home.answered(asked);
  if (answer.kind === 'invalid') {
    throw new Error(`Refused before it was sent: ${JSON.stringify(answer.faults)}`);
  }
  for (let waited = 0; waited < 400; waited += 1) {
    const progress = home.app.runtime.codes.operations().find(({ id }) => id === answer.operation.id);
    if (progress?.phase === 'done' || progress?.phase === 'failed') {
      return progress;
    }
    await home.clock.advance(500);
  }
  throw new Error('The operation did not end.');
}
