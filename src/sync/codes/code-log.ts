// Log lines on how an operation on access codes ended. They never hold a PIN, nor a name that may be one.
import { speakableName } from '../../domain/access.ts';
import { isUnsettled } from '../../domain/code-failure.ts';
import type { CodeRequest } from '../../domain/code-operation.ts';
import type { CodeEnd } from '../../domain/code-operation-policy.ts';
import { oneLine } from '../../support/log.ts';

export function endLine(lock: string, request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? 'an access code' : `the access code "${name}"`;
  const object = request.kind === 'remove-all' ? 'all access codes' : code;
  const [verb, past] = VERBS[request.kind];
  return oneLine(
    end.kind === 'failed'
      ? `${lock}: ${isUnsettled(end.failure) ? `may not have ${past}` : `could not ${verb}`} ${object}: ${end.failure.words}`
      : `${lock}: ${past} ${object}.`,
  );
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

const VERBS: Readonly<Record<CodeRequest['kind'], readonly [string, string]>> = {
  add: ['add', 'added'],
  update: ['change', 'changed'],
  remove: ['remove', 'removed'],
  'remove-all': ['remove', 'removed'],
};
