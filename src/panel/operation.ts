// Wraps an operation of the panel, so that its input is validated first.
import { z } from 'zod';
import { lockId } from '../domain/lock.ts';
import { FinalError } from '../support/errors.ts';

/** For operations that need no input; any input is ignored. */
export const nothing = z.object({}).loose().optional();

export const oneLock = z.object({ lock: z.string().min(1).transform(lockId) });

/** Throws a final `bad-request` for an input that is not of this form; it names the member, never its value. */
export function operation<Input, Result>(
  schema: z.ZodType<Input>,
  run: (input: Input) => Promise<Result>,
): (input: unknown) => Promise<Result> {
  return async (input) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      const members = parsed.error.issues.map((issue) => issue.path.join('.') || 'input');
      throw new FinalError('bad-request', `The request is not as it should be: ${members.join(', ')}.`);
    }
    return run(parsed.data);
  };
}
