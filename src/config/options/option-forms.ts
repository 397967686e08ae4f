// Schemas of option values: bounded numbers and texts, hosts, ports, percentages and secrets.
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import { carried } from './problem-line.ts';
import { isTimeZone } from './time-zone.ts';
import { isAbsolutePath, readKeySource } from './verification-key.ts';

export function whole(least: number, most: number): z.ZodInt {
  return z.int().min(least).max(most);
}

/** Longest text and longest key set, in characters (our choice). */
const LONGEST_TEXT = 2_048;
const LONGEST_KEY_SET = 16_384;

export function text(longest = LONGEST_TEXT): z.ZodString {
  return z.string().trim().max(longest);
}

/** JSON Schema's keyword for a secret: a password field in the form. */
export const SECRET = { writeOnly: true } as const;

export const host = (): z.ZodString =>
  text(253).regex(/^[\w.:-]+$/, {
    error: carried(
      message('is not a host name or IP address; enter it without scheme and port, such as {example}', {
        example: '127.0.0.1',
      }),
    ),
  });

export const port = (): z.ZodInt => whole(1, 65_535);

export const percent = (): z.ZodInt => whole(1, 95);

export const absolutePath = (): z.ZodString =>
  text().refine(isAbsolutePath, {
    error: carried(message('must be an absolute path; enter it from the root directory')),
  });

export const timeZone = (): z.ZodString =>
  text(64).refine(isTimeZone, {
    error: carried(
      message('is not an IANA time zone; enter one such as {example}', { example: 'Europe/Paris' }),
    ),
  });

export const verificationKey = (): z.ZodString =>
  text(LONGEST_KEY_SET).superRefine((key, context) => {
    const reading = readKeySource(key);
    if (!reading.ok) {
      context.addIssue(carried(reading.fault));
    }
  });
