// Log lines for the end of an operation on access codes. They never hold a PIN, or a name that may be one.

import { isUnsettled } from '../../domain/codes/failure.ts';
import type { CodeRequest } from '../../domain/codes/operation.ts';
import type { CodeEnd } from '../../domain/codes/operation-policy.ts';
import { speakableName } from '../../domain/locks/access.ts';
import { oneLine } from '../../support/log.ts';
import { CODE_VERBS } from '../../words/codes.ts';

export function endLine(lock: string, request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? 'an access code' : `the access code "${name}"`;
  const object = request.kind === 'remove-all' ? 'all access codes' : code;
  const { toDo, done } = CODE_VERBS[request.kind];
  if (end.kind === 'done') {
    return oneLine(`${lock}: ${done} ${object}.`);
  }
  const what = isUnsettled(end.failure) ? `may not have ${done}` : `couldn’t ${toDo}`;
  return oneLine(`${lock}: ${what} ${object}: ${end.failure.words}`);
}

/** The name that a request gives to a code; null where it gives none. */
export function nameIn(request: CodeRequest): string | null {
  switch (request.kind) {
    case 'add':
      return request.draft.name;
    case 'update':
      return request.changes.name ?? null;
    case 'remove':
    case 'remove-all':
      return null;
  }
}
