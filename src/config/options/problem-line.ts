// Formats a zod issue as one line: path, fault and remedy, never the value.
import type { z } from 'zod';

const FORMS: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false without quotes',
  array: 'a list in brackets [ ]',
  object: 'a block in braces { }',
};

/** "partner.subscriptionKeys[0]"; the platform block itself is "platform". */
export function optionPath(path: readonly PropertyKey[]): string {
  const joined = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  return joined === '' ? 'platform' : joined;
}

export function describeIssue(issue: z.core.$ZodIssue): string {
  return `${optionPath(issue.path)}: ${describe(issue)}`;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return `must be ${FORMS[issue.expected] ?? 'of another type'}; correct or remove it`;
  }
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.map(String).join(', ')}; correct or remove it`;
  }
  if (issue.code === 'too_small') {
    return `must be at least ${issue.minimum}; raise it`;
  }
  if (issue.code === 'too_big') {
    return tooBig(issue.origin, issue.maximum);
  }
  // For a pattern, the option table holds the message.
  return issue.code === 'invalid_format' || issue.code === 'custom'
    ? issue.message
    : 'cannot be read; see docs/options.md';
}

function tooBig(origin: string, maximum: number | bigint): string {
  if (origin === 'string') {
    return `must be at most ${maximum} characters long; shorten it`;
  }
  return origin === 'array'
    ? `must have at most ${maximum} entries; remove some`
    : `must be at most ${maximum}; lower it`;
}
