// Formats a zod issue as one line: path, fault and remedy, never the value.
import type { z } from 'zod';
import { type Message, message } from '../../domain/language/message.ts';
import { t } from '../../words/translate.ts';

const FORMS: Readonly<Record<string, Message>> = {
  string: message('must be a text in quotes; correct or remove it'),
  number: message('must be a number without quotes; correct or remove it'),
  int: message('must be a whole number without quotes; correct or remove it'),
  boolean: message('must be true or false without quotes; correct or remove it'),
  array: message('must be a list in brackets {brackets}; correct or remove it', { brackets: '[ ]' }),
  object: message('must be a block in braces {braces}; correct or remove it', { braces: '{ }' }),
};

/** "partner.subscriptionKeys[0]"; the platform block itself is "platform". */
export function optionPath(path: readonly PropertyKey[]): string {
  const joined = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  return joined === '' ? 'platform' : joined;
}

export function problem(path: string, fault: string | null): readonly string[] {
  return fault === null ? [] : [`${path}: ${fault}`];
}

/** Of two options that need each other, one alone. */
export function faultOfHalf(certFile: string | undefined, keyFile: string | undefined): string | null {
  return (certFile === undefined) === (keyFile === undefined)
    ? null
    : t('needs both {first} and {second}; set both or neither', { first: 'certFile', second: 'keyFile' });
}

export function describeIssue(issue: z.core.$ZodIssue): string {
  return `${optionPath(issue.path)}: ${describe(issue)}`;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return t(FORMS[issue.expected] ?? message('must be of another type; correct or remove it'));
  }
  if (issue.code === 'invalid_value') {
    return t('must be one of {values}; correct or remove it', {
      values: issue.values.map(String).join(', '),
    });
  }
  if (issue.code === 'too_small') {
    return t('must be at least {least}; raise it', { least: String(issue.minimum) });
  }
  if (issue.code === 'too_big') {
    return tooBig(issue.origin, issue.maximum);
  }
  // For a pattern, the option table holds the message.
  return issue.code === 'invalid_format' || issue.code === 'custom'
    ? issue.message
    : t('cannot be read; see {page}', { page: 'docs/options.md' });
}

function tooBig(origin: string, maximum: number | bigint): string {
  const most = String(maximum);
  if (origin === 'string') {
    return t('must be at most {most} characters long; shorten it', { most });
  }
  return origin === 'array'
    ? t('must have at most {most} entries; remove some', { most })
    : t('must be at most {most}; lower it', { most });
}
