// Translates the error of a send into its meaning for the command: possibly arrived, refused, or never sent.

import { isRefusalReason } from '../../domain/commands/refusal.ts';
import type { CommandInput, CommandKey } from '../../domain/commands/state.ts';
import { FinalError, type LatchkeyError, WaitError } from '../../support/errors.ts';

export function failureOf(key: CommandKey, error: LatchkeyError): CommandInput {
  if (error.disposition === 'uncertain') {
    return { type: 'reply-lost', key };
  }
  if (error instanceof WaitError && error.code === 'lock-busy') {
    return { type: 'refused', key, reason: 'lock-busy', cause: error };
  }
  if (error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)) {
    return { type: 'refused', key, reason: error.reason, cause: error };
  }
  const waitMs = error instanceof WaitError ? error.waitMs : null;
  const mayRetry =
    error.code !== 'aborted' && (error.disposition === 'retry' || error.disposition === 'wait');
  return { type: 'not-processed', key, mayRetry, waitMs, cause: error };
}
