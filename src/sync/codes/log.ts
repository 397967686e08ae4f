// Log lines for the end of an operation on access codes. They never hold a PIN, or a name that may be one.

import type { CodeEnd } from '../../domain/codes/command-result.ts';
import { isUnsettled } from '../../domain/codes/failure.ts';
import type { CodeRequest } from '../../domain/codes/operation.ts';
import { speakableName } from '../../domain/locks/access.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

type Words = (code: string, why: string) => string;

const WORDS: Readonly<Record<CodeRequest['kind'], Record<'done' | 'unsettled' | 'failed', Words>>> = {
  add: {
    done: (code) => t('added {code}.', { code }),
    unsettled: (code, why) => t('may not have added {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t add {code}: {why}', { code, why }),
  },
  update: {
    done: (code) => t('changed {code}.', { code }),
    unsettled: (code, why) => t('may not have changed {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t change {code}: {why}', { code, why }),
  },
  remove: {
    done: (code) => t('removed {code}.', { code }),
    unsettled: (code, why) => t('may not have removed {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t remove {code}: {why}', { code, why }),
  },
  'remove-all': {
    done: () => t('removed all access codes.'),
    unsettled: (_, why) => t('may not have removed all access codes: {why}', { why }),
    failed: (_, why) => t('couldn’t remove all access codes: {why}', { why }),
  },
};

export function endLine(lock: string, request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? t('an access code') : t('the access code "{name}"', { name });
  const words = WORDS[request.kind];
  const said =
    end.kind === 'done'
      ? words.done(code, '')
      : words[isUnsettled(end.failure) ? 'unsettled' : 'failed'](code, t(end.failure.words));
  return oneLine(`${lock}: ${said}`);
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
