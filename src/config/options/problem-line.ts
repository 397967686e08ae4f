// The faults of options: each is a path, what is wrong and the remedy, never the value.
import type { z } from 'zod';
import { isMessage, type Message, message, verbatim } from '../../domain/language/message.ts';

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

/** "path: fault; remedy", without a period. */
export function problemLine(path: string, fault: Message): Message {
  return message('{path}: {fault}', { path, fault });
}

export function problem(path: string, fault: Message | null): readonly Message[] {
  return fault === null ? [] : [problemLine(path, fault)];
}

/** The problems, of which there is at least one, as sentences after each other. */
export function problemSentences(problems: readonly Message[]): Message {
  return problems
    .map((line) => message('{line}.', { line }))
    .reduce((before, sentence) => message('{before} {sentence}', { before, sentence }));
}

/** Of two options that need each other, one alone. */
export function faultOfHalf(certFile: string | undefined, keyFile: string | undefined): Message | null {
  return (certFile === undefined) === (keyFile === undefined)
    ? null
    : message('needs both {first} and {second}; set both or neither', {
        first: 'certFile',
        second: 'keyFile',
      });
}

/** The fault of an option as the error text of its schema: zod passes on nothing but text. */
export function carried(fault: Message): string {
  return JSON.stringify(fault);
}

export function describeIssue(issue: z.core.$ZodIssue): Message {
  return problemLine(optionPath(issue.path), faultOfIssue(issue));
}

export function faultOfIssue(issue: z.core.$ZodIssue): Message {
  if (issue.code === 'invalid_type') {
    return FORMS[issue.expected] ?? message('must be of another type; correct or remove it');
  }
  if (issue.code === 'invalid_value') {
    return message('must be one of {values}; correct or remove it', { values: issue.values.map(String) });
  }
  if (issue.code === 'too_small') {
    return message('must be at least {least}; raise it', { least: String(issue.minimum) });
  }
  if (issue.code === 'too_big') {
    return tooBig(issue.origin, String(issue.maximum));
  }
  return issue.code === 'invalid_format' || issue.code === 'custom'
    ? carriedIn(issue.message)
    : message('cannot be read; see {page}', { page: 'docs/options.md' });
}

function carriedIn(text: string): Message {
  const fault: unknown = JSON.parse(text);
  return isMessage(fault) ? fault : verbatim(text);
}

function tooBig(origin: string, most: string): Message {
  if (origin === 'string') {
    return message('must be at most {most} characters long; shorten it', { most });
  }
  return origin === 'array'
    ? message('must have at most {most} entries; remove some', { most })
    : message('must be at most {most}; lower it', { most });
}
