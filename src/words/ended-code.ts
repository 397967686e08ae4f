// How the change of one code ended, in words for the log.
import type { CodeEnd } from '../domain/codes/command-result.ts';
import { isUnsettled } from '../domain/codes/failure.ts';
import { type CodeRequest, nameIn } from '../domain/codes/operation.ts';
import { speakableName } from '../domain/locks/access.ts';
import { t } from './translate.ts';

type Words = (code: string, why: string) => string;

const WORDS: Readonly<Record<CodeRequest['kind'], readonly [done: Words, unsettled: Words, failed: Words]>> =
  {
    add: [
      (code) => t('added {code}.', { code }),
      (code, why) => t('may not have added {code}: {why}', { code, why }),
      (code, why) => t('couldn’t add {code}: {why}', { code, why }),
    ],
    update: [
      (code) => t('changed {code}.', { code }),
      (code, why) => t('may not have changed {code}: {why}', { code, why }),
      (code, why) => t('couldn’t change {code}: {why}', { code, why }),
    ],
    remove: [
      (code) => t('removed {code}.', { code }),
      (code, why) => t('may not have removed {code}: {why}', { code, why }),
      (code, why) => t('couldn’t remove {code}: {why}', { code, why }),
    ],
    'remove-all': [
      () => t('removed all access codes.'),
      (_, why) => t('may not have removed all access codes: {why}', { why }),
      (_, why) => t('couldn’t remove all access codes: {why}', { why }),
    ],
  };

/** A line after the name of its lock. */
export function endedWords(request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? t('an access code') : t('the access code "{name}"', { name });
  const [done, unsettled, failed] = WORDS[request.kind];
  if (end.kind === 'done') {
    return done(code, '');
  }
  return (isUnsettled(end.failure) ? unsettled : failed)(code, t(end.failure.words));
}
