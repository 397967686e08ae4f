// Log lines for the end of an operation on access codes. They never hold a PIN, or a name that may be one.

import { isUnsettled } from '../../domain/codes/failure.ts';
import type { CodeRequest } from '../../domain/codes/operation.ts';
import type { CodeEnd } from '../../domain/codes/operation-policy.ts';
import { speakableName } from '../../domain/locks/access.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

export function endLine(lock: string, request: CodeRequest, end: CodeEnd): string {
  return oneLine(`${lock}: ${endWords(request, end)}`);
}

function endWords(request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? t('an access code') : t('the access code "{name}"', { name });
  if (end.kind === 'done') {
    return doneWords(request.kind, code);
  }
  const why = t(end.failure.words);
  return isUnsettled(end.failure)
    ? unsettledWords(request.kind, code, why)
    : failedWords(request.kind, code, why);
}

function doneWords(kind: CodeRequest['kind'], code: string): string {
  switch (kind) {
    case 'add':
      return t('added {code}.', { code });
    case 'update':
      return t('changed {code}.', { code });
    case 'remove':
      return t('removed {code}.', { code });
    case 'remove-all':
      return t('removed all access codes.');
  }
}

function unsettledWords(kind: CodeRequest['kind'], code: string, why: string): string {
  switch (kind) {
    case 'add':
      return t('may not have added {code}: {why}', { code, why });
    case 'update':
      return t('may not have changed {code}: {why}', { code, why });
    case 'remove':
      return t('may not have removed {code}: {why}', { code, why });
    case 'remove-all':
      return t('may not have removed all access codes: {why}', { why });
  }
}

function failedWords(kind: CodeRequest['kind'], code: string, why: string): string {
  switch (kind) {
    case 'add':
      return t('couldn’t add {code}: {why}', { code, why });
    case 'update':
      return t('couldn’t change {code}: {why}', { code, why });
    case 'remove':
      return t('couldn’t remove {code}: {why}', { code, why });
    case 'remove-all':
      return t('couldn’t remove all access codes: {why}', { why });
  }
}

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
