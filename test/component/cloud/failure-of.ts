// Waits for a call to fail as the project's own error, so that a test can look at it.
import { LatchkeyError } from '../../../src/support/errors.ts';

/** The error of a call that must fail. A success, or a foreign error, fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<LatchkeyError> {
  const thrown: unknown = await call.then(
    () => new Error('The call succeeded'),
    (error: unknown) => error,
  );
  if (thrown instanceof LatchkeyError) {
    return thrown;
  }
  throw thrown;
}

/** All that could ever be printed of an error: itself, its members, its stack, and the same of its causes. */
export function everythingOf(error: unknown): string {
  return error instanceof Error
    ? `${String(error)} ${error.stack ?? ''} ${JSON.stringify(error)} ${everythingOf(error.cause)}`
    : String(error);
}
